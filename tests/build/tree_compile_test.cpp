#include <yaml-cpp/yaml.h>

#include "build/source_checks.hpp"
#include "build_fixture.hpp"
#include "model/task_file.hpp"

namespace mskb::testing {

namespace fs = std::filesystem;

const fs::path home = MSKB_SOURCE_DIR;

// A kernel file of the tree, by its path below the checkout.
std::vector<std::string> files_below(const char* folder) {
  std::vector<std::string> files;
  if (have_nvcc() && fs::exists(home / folder)) {
    for (const auto& entry : fs::recursive_directory_iterator(home / folder)) {
      if (entry.path().extension() == ".cu") {
        files.push_back(entry.path().lexically_relative(home).string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

YAML::Node library_of(const fs::path& file) { return YAML::LoadFile((file.parent_path() / "library.yaml").string()); }

bool header_is_installed(const std::string& header) {
  const TemporaryDirectory folder;
  write_file_atomically(folder.path() / "probe.cu", "#include <" + header + ">\n");
  return run_subprocess({find_compiler(Backend::cuda), "-E", (folder.path() / "probe.cu").string()}).ok();
}

std::vector<std::string> installed_baselines() {
  std::vector<std::string> files;
  for (const std::string& file : files_below("baselines")) {
    bool installed = true;
    for (const YAML::Node& header : library_of(home / file)["headers"]) {
      installed = installed && header_is_installed(header.as<std::string>());
    }
    if (installed) {
      files.push_back(file);
    }
  }
  return files;
}

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(home / "tasks")) {
    if (fs::exists(entry.path() / "task.yaml")) {
      names.push_back(entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

class TreeCompileTest : public ::testing::TestWithParam<std::string> {
 protected:
  // Compiles what candidate(problem) gives for every precision that it has an entry point for, on both architectures.
  template <class Make>
  void compile(const std::string& task_name, const Make& candidate) {
    ASSERT_TRUE(fs::exists(home / "tasks" / task_name / "task.yaml")) << "there is no task " << task_name;
    const Task task = load_task(home / "tasks" / task_name);
    int built = 0;
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
      const Problem problem{&task, precision};
      const Candidate made = candidate(problem);
      if (find_entry_point(made, problem.entry()).missing) {
        continue;
      }
      for (const char* architecture : {"89", "90a"}) {
        BuildOptions options;
        options.backend = Backend::cuda;
        options.architecture = architecture;
        options.time_limit = std::chrono::minutes(10);
        const BuildResult result =
            Builder(home, fs::path(MSKB_BINARY_DIR) / "test-cache", options).candidate(problem, made);
        EXPECT_EQ(result.verdict, Verdict::passed)
            << problem.name() << " for sm_" << architecture << ": " << result.detail;
        ++built;
      }
    }
    EXPECT_GT(built, 0) << "no entry point of " << task_name;
  }

  std::string stem() const {
    std::string name = fs::path(GetParam()).stem().string();
    return name.ends_with("_bf16") ? name.substr(0, name.size() - 5) : name;
  }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TreeCompileTest);

class ModuleCompileTest : public ::testing::TestWithParam<std::string> {};
TEST_P(ModuleCompileTest, Compiles) {
  const Task task = load_task(home / "tasks" / GetParam());
  std::vector<BuildOptions> targets(have_nvcc() ? 3 : 1);
  for (std::size_t i = 1; i < targets.size(); ++i) {
    targets[i].backend = Backend::cuda;
    targets[i].architecture = i == 1 ? "89" : "90a";
  }
  for (BuildOptions& options : targets) {
    options.time_limit = std::chrono::minutes(10);
    const Builder builder(home, fs::path(MSKB_BINARY_DIR) / "test-cache", options);
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
      EXPECT_NO_THROW(builder.task_module({&task, precision})) << builder.compiler();
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Tree, ModuleCompileTest, ::testing::ValuesIn(task_names()), test_name);

class ReferenceCompileTest : public TreeCompileTest {};
TEST_P(ReferenceCompileTest, Compiles) {
  compile(fs::path(GetParam()).parent_path().filename().string(),
          [](const Problem& problem) { return reference_candidate(problem); });
}
INSTANTIATE_TEST_SUITE_P(Tree, ReferenceCompileTest, ::testing::ValuesIn(files_below("tasks")), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ReferenceCompileTest);

class SolutionCompileTest : public TreeCompileTest {};
TEST_P(SolutionCompileTest, Compiles) {
  compile(stem(), [](const Problem&) { return candidate_from_file(home / GetParam(), "file:" + GetParam()); });
}
INSTANTIATE_TEST_SUITE_P(Tree, SolutionCompileTest, ::testing::ValuesIn(files_below("optimizers/expert")), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SolutionCompileTest);

class BaselineCompileTest : public TreeCompileTest {};
TEST_P(BaselineCompileTest, Compiles) {
  const YAML::Node library = library_of(home / GetParam());
  compile(stem(), [&](const Problem&) {
    Candidate candidate = candidate_from_file(home / GetParam(), "baseline:" + library["library"].as<std::string>());
    for (const YAML::Node& name : library["link"]) {
      candidate.libraries.push_back(name.as<std::string>());
    }
    return candidate;
  });
}
INSTANTIATE_TEST_SUITE_P(Tree, BaselineCompileTest, ::testing::ValuesIn(installed_baselines()), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BaselineCompileTest);

}  // namespace mskb::testing
