// docs/task-format.md: its example is a task, and its tables name what the parser knows.
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "model/fill_table.hpp"
#include "model/task_file.hpp"
#include "model/task_reader.hpp"

namespace mskb {
namespace {

// The first fenced block of that language.
std::string block(const std::string& document, const std::string& language) {
  const std::string opening = "\n```" + language + "\n";
  const std::size_t begin = document.find(opening) + opening.size();
  return document.substr(begin, document.find("\n```\n", begin) + 1 - begin);
}

class TaskFormat : public testing::Test {
 protected:
  std::string document_ = read_file(std::filesystem::path(MSKB_SOURCE_DIR) / "docs/task-format.md");
};

TEST_F(TaskFormat, TheExampleIsATask) {
  const TemporaryDirectory home;
  const std::filesystem::path directory = home.path() / "tasks/scaled_sum";
  std::filesystem::create_directories(directory);
  write_file_atomically(directory / "task.yaml", block(document_, "yaml"));
  write_file_atomically(directory / "reference.cu", block(document_, "cuda"));
  const Task task = load_task(directory);
  const Problem problem{&task, Precision::bf16};
  EXPECT_EQ(make_cases(problem, "paper").size(), 2u);
  EXPECT_EQ(make_cases(problem, "check").size(), 3u);
  EXPECT_EQ(make_cases(problem, "smoke").size(), 1u);
  const std::string reference = reference_candidate(problem).sources.at("scaled_sum_bf16.cu");
  EXPECT_NE(reference.find("z[i] = __float2bfloat16(a * __bfloat162float(x[i]) + __bfloat162float(y[i]));"), std::string::npos);
}

TEST_F(TaskFormat, EveryKeyHasItsRow) {
  for (const TaskKey& key : task_keys()) {
    const std::string row =
        "\n| `" + std::string(key.name) + "` | " + (key.optional ? "*optional*, " : "") + std::string(key.meaning) + " |\n";
    EXPECT_NE(document_.find(row), std::string::npos) << "no row is " << row;
  }
}

TEST_F(TaskFormat, EveryFillHasItsRow) {
  for (const FillInfo& fill : fills) {
    std::string parameters;
    for (std::size_t i = 0; i < fill.count(); ++i) {
      parameters += std::string(i > 0 ? ", " : "") + "abc"[i];
    }
    const std::string row = "\n| `" + std::string(fill.name) + "` | " + parameters + " | ";
    EXPECT_NE(document_.find(row), std::string::npos) << "no row starts with " << row;
  }
}

}  // namespace
}  // namespace mskb
