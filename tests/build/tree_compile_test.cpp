#include <yaml-cpp/yaml.h>

#include <cstdio>
#include <cstdlib>

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

// Whether a task is in the part that MSKB_SHARD asks for, "K/N" with K from 1; all are when it is not set.
bool in_shard(const std::string& task) {
  const char* wanted = std::getenv("MSKB_SHARD");
  unsigned part = 1, parts = 1;
  if (wanted == nullptr || std::sscanf(wanted, "%u/%u", &part, &parts) != 2 || part < 1 || part > parts) {
    return true;
  }
  const std::vector<std::string> names = task_names();
  const auto place = std::find(names.begin(), names.end(), task) - names.begin();
  return static_cast<std::size_t>(place) % parts == part - 1;
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
      BuildOptions options;
      options.backend = Backend::cuda;
      options.architecture = "89,90a";
      options.time_limit = std::chrono::minutes(10);
      const BuildResult result = Builder(home, fs::path(MSKB_BINARY_DIR) / "test-cache", options).candidate(problem, made);
      EXPECT_EQ(result.verdict, Verdict::passed) << problem.name() << ": " << result.detail;
      ++built;
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
  if (!in_shard(GetParam())) {
    GTEST_SKIP() << "not in MSKB_SHARD";
  }
  const Task task = load_task(home / "tasks" / GetParam());
  std::vector<BuildOptions> targets(have_nvcc() ? 2 : 1);
  if (targets.size() > 1) {
    targets[1].backend = Backend::cuda;
    targets[1].architecture = "89,90a";
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
  if (!in_shard(stem())) {
    GTEST_SKIP() << "not in MSKB_SHARD";
  }
  const YAML::Node library = library_of(home / GetParam());
  for (const YAML::Node& header : library["headers"]) {
    if (!header_is_installed(header.as<std::string>())) {
      GTEST_SKIP() << header.as<std::string>() << " is not installed";
    }
  }
  compile(stem(), [&](const Problem&) {
    Candidate candidate = candidate_from_file(home / GetParam(), "baseline:" + library["library"].as<std::string>());
    for (const YAML::Node& name : library["link"]) {
      candidate.libraries.push_back(name.as<std::string>());
    }
    return candidate;
  });
}
INSTANTIATE_TEST_SUITE_P(Tree, BaselineCompileTest, ::testing::ValuesIn(files_below("baselines")), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BaselineCompileTest);

}  // namespace mskb::testing
