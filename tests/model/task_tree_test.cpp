// The task directories of this repository.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "base/files.hpp"
#include "model/task_file.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;

const fs::path source = MSKB_SOURCE_DIR;

struct PublishedSize {
  std::string size;
  double weight;
};

// task -> its published sizes, in order.
std::map<std::string, std::vector<PublishedSize>> published_sizes() {
  std::map<std::string, std::vector<PublishedSize>> sizes;
  std::istringstream lines(read_file(source / "baselines/paper/sizes.csv"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#") || line.starts_with("task,")) continue;
    std::istringstream fields(line);
    std::string task, index, size, weight;
    std::getline(fields, task, ',');
    std::getline(fields, index, ',');
    std::getline(fields, size, ',');
    std::getline(fields, weight, ',');
    sizes[task].push_back({size, std::stod(weight)});
  }
  return sizes;
}

class TaskTree : public testing::Test {
 protected:
  std::vector<Task> tasks_ = load_tasks(source);
};

TEST_F(TaskTree, HoldsTasks) { EXPECT_GE(tasks_.size(), 9u); }

TEST_F(TaskTree, PaperCasesAreThePublishedSizesAndWeights) {
  const auto published = published_sizes();
  std::size_t compared = 0;
  for (const Task& task : tasks_) {
    if (!published.contains(task.name)) {  // added since
      continue;
    }
    ++compared;
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
      const std::vector<Case> cases = make_cases({&task, precision}, "paper");
      ASSERT_EQ(cases.size(), published.at(task.name).size()) << task.name;
      for (std::size_t i = 0; i < cases.size(); ++i) {
        EXPECT_EQ(cases[i].size_text(), published.at(task.name)[i].size) << cases[i].name();
        EXPECT_EQ(cases[i].weight, published.at(task.name)[i].weight) << cases[i].name();
      }
    }
  }
  EXPECT_EQ(compared, published.size()) << "a published task has no directory";
}

TEST_F(TaskTree, EveryCaseCanBeMade) {
  for (const Task& task : tasks_) {
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
      for (const char* set : {"check", "smoke", "large"}) {
        for (const Case& one : make_cases({&task, precision}, set)) {
          EXPECT_GE(one.weight, 0) << one.name();
          EXPECT_GT(one.bytes, 0) << one.name();
          EXPECT_GE(one.flops, 0) << one.name();
          EXPECT_GE(one.oracle_work, 1) << one.name();
        }
      }
    }
  }
}

TEST_F(TaskTree, CheckCasesSayWhatTheyReveal) {
  for (const Task& task : tasks_) {
    EXPECT_GE(task.cases.at("check").size(), 5u) << task.name;
    for (const CaseText& text : task.cases.at("check")) {
      EXPECT_GE(text.why.size(), 10u) << task.file("task.yaml") << ":" << text.line;
    }
  }
}

TEST_F(TaskTree, ReferencesReadAsPlainSources) {
  for (const Task& task : tasks_) {
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
      const Problem problem{&task, precision};
      const Candidate candidate = reference_candidate(problem);
      const std::string& text = candidate.sources.at(candidate.main_source);
      EXPECT_TRUE(text.starts_with("// ")) << problem.name() << ": the file opens with the loop it computes";
      EXPECT_EQ(text.find('$'), std::string::npos) << problem.name();
      EXPECT_EQ(text.find("\n\n\n"), std::string::npos) << problem.name();
      EXPECT_EQ(text.find("bf16") != std::string::npos, precision == Precision::bf16) << problem.name();
      EXPECT_NE(text.find("extern \"C\" void " + problem.entry() + "("), std::string::npos) << problem.name();
    }
  }
}

TEST_F(TaskTree, EveryTaskHasItsThreeFilesAndDecisions) {
  for (const Task& task : tasks_) {
    EXPECT_TRUE(fs::exists(task.directory / "reference.cu")) << task.name;
    EXPECT_TRUE(fs::exists(task.directory / "oracle.hpp")) << task.name;
    EXPECT_FALSE(task.decisions.empty()) << task.name;
    EXPECT_NE(task.baselines.empty(), task.no_baseline_reason.empty()) << task.name;
  }
}

}  // namespace
}  // namespace mskb
