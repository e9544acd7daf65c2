// docs/task-format.md, "Adding a task, step by step": every file written and every command run as the page says.
#include <algorithm>
#include <set>

#include "build/builder.hpp"
#include "build/compiler.hpp"
#include "model/task_file.hpp"
#include "program.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;

const fs::path source = MSKB_SOURCE_DIR;

// A fenced block of the section.
struct Block {
  std::string language, text;
  std::string file;  // where the line above names one
};

std::vector<Block> steps() {
  const std::string page = read_file(source / "docs/task-format.md");
  std::vector<Block> blocks;
  std::string above;
  bool inside = false;
  for (const std::string& line : test::lines_of(page.substr(page.find("\n## Adding a task, step by step\n")))) {
    if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      blocks.back().text += line + "\n";
    } else if (line.starts_with("```")) {
      inside = true;
      const bool names_file = above.starts_with("`") && above.ends_with("`:");
      blocks.push_back({line.substr(3), "", names_file ? above.substr(1, above.size() - 3) : ""});
    } else if (!line.empty()) {
      above = line;
    }
    if (inside) {
      above.clear();
    }
  }
  return blocks;
}

class AddingATask : public test::Program {
 protected:
  AddingATask() {
    fs::create_directories(path("home"));
    for (const char* name : {"tasks", "baselines", "docs"}) {
      fs::copy(source / name, path("home") / name, fs::copy_options::recursive);
    }
    for (const char* name : {"harness", "optimizers"}) {
      fs::create_directory_symlink(source / name, path("home") / name);
    }
    fs::create_directory_symlink(fs::path(MSKB_BINARY_DIR).parent_path(), path("home/build"));
    set_variable("MSKB_HOME", path("home"));
  }

  void follow() {
    const std::vector<Block> blocks = steps();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const Block& block = blocks[i];
      if (!block.file.empty()) {
        write_file_atomically(path("home") / block.file, block.text);
        files_.insert(block.file);
      } else if (block.language == "sh") {
        const test::Ended ended = bash("cd home && " + block.text);
        const bool shown = i + 1 < blocks.size() && blocks[i + 1].language == "text";
        EXPECT_EQ(ended.output + ended.errors, shown ? blocks[i + 1].text : "") << block.text;
        last_exit_code_ = ended.exit_code;
        ++commands_;
      } else {
        EXPECT_EQ(block.language, "text") << "this test does not know what to do with\n" << block.text;
      }
    }
  }

  std::set<std::string> files_;
  int commands_ = 0, last_exit_code_ = -1;
};

TEST_F(AddingATask, TheStepsLead) {
  const std::size_t before = load_tasks(source).size();
  follow();
  EXPECT_GE(commands_, 5);
  EXPECT_EQ(last_exit_code_, 0);
  const std::vector<Task> tasks = load_tasks(path("home"));
  ASSERT_EQ(tasks.size(), before + 1) << "the example is one of the tasks already";
  const auto added =
      std::find_if(tasks.begin(), tasks.end(), [](const Task& task) { return !fs::exists(source / "tasks" / task.name); });
  ASSERT_NE(added, tasks.end());
  ASSERT_EQ(added->baselines.size(), 1u);
  const std::string library = added->baselines[0].library, baseline = "baselines/" + library + "/" + added->name + ".cu";
  const std::string folder = "tasks/" + added->name + "/";
  EXPECT_EQ(files_, (std::set<std::string>{folder + "task.yaml", folder + "oracle.hpp", folder + "reference.cu", baseline}));
  EXPECT_EQ(mskb({"check", "--task", added->name}).exit_code, 0);
  EXPECT_EQ(read_file(path("home/docs/tasks.md")), mskb({"help", "--tasks"}).output);

  if (find_compiler(Backend::cuda).empty()) {
    return;  // what is left needs nvcc
  }
  BuildOptions options;
  options.backend = Backend::cuda;
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    const Candidate candidate = candidate_from_file(path("home") / baseline, "baseline:" + library);
    const BuildResult built = Builder(path("home"), MSKB_TEST_CACHE, options).candidate({&*added, precision}, candidate);
    EXPECT_EQ(built.verdict, Verdict::passed) << built.detail;
  }
}

}  // namespace
}  // namespace mskb
