#include "cheats_run.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>

#include "base/replace.hpp"
#include "sandbox/process.hpp"

namespace mskb::test {

namespace {

bool is_meant(const Cheat& cheat, const std::string& task, Where where) {
  return cheat.task == task && (cheat.where & where) != 0 && (!cheat.needs_full_sandbox || strongest_sandbox() == SandboxLevel::full);
}

std::vector<const Cheat*> meant(const std::string& task, Where where, Batch batch) {
  std::vector<const Cheat*> chosen;
  std::size_t at = 0;
  for (const Cheat& cheat : cheats()) {
    if (is_meant(cheat, task, where) && at++ % batch.of == batch.first) {
      chosen.push_back(&cheat);
    }
  }
  return chosen;
}

std::string describe(const Evaluation& evaluation) {
  return evaluation.case_name + ": " + std::string(info(evaluation.verdict).name) + ", " + evaluation.detail;
}

void expect_caught(const Cheat& cheat, const std::vector<Evaluation>& evaluations) {
  SCOPED_TRACE(std::string(cheat.task) + "/" + cheat.file + ": " + cheat.exploit + " (" + cheat.guard + ")");
  ASSERT_FALSE(evaluations.empty());
  std::size_t expected = 0;
  for (const Evaluation& evaluation : evaluations) {
    const bool is_expected = std::find(cheat.verdicts.begin(), cheat.verdicts.end(), evaluation.verdict) != cheat.verdicts.end();
    expected += is_expected ? 1 : 0;
    EXPECT_TRUE(is_expected || (cheat.share == Cheat::some && evaluation.verdict == Verdict::passed)) << describe(evaluation);
    EXPECT_TRUE(!evaluation.timing || evaluation.verdict == Verdict::passed) << describe(evaluation);
  }
  EXPECT_GT(expected, 0u) << "it was not caught";
  std::map<std::string, int> counts;
  for (const Evaluation& evaluation : evaluations) {
    ++counts[std::string(info(evaluation.verdict).name)];
  }
  std::cout << (expected > 0 ? "as expected: " : "NOT AS EXPECTED: ") << cheat.task << "/" << cheat.file << ", " << cheat.exploit << " (" << cheat.guard << "):";
  for (const auto& [verdict, count] : counts) {
    std::cout << " " << count << " " << verdict;
  }
  std::cout << std::endl;
}

void print_open(const Cheat& cheat, const std::vector<Evaluation>& evaluations) {
  const auto passed =
      std::count_if(evaluations.begin(), evaluations.end(), [](const Evaluation& one) { return one.verdict == Verdict::passed; });
  std::cout << "open: " << cheat.task << "/" << cheat.file << " passes " << passed << " of " << evaluations.size() << " cases: " << cheat.open
            << std::endl;
}

}  // namespace

std::string CheatsRun::prepared(const Cheat& cheat) const {
  std::string text = read_file(candidate_file(cheat));
  const std::map<std::string, std::string> places{{"MSKB_TASKS", std::string(MSKB_SOURCE_DIR) + "/tasks"},
                                                  {"MSKB_BASELINES", std::string(MSKB_SOURCE_DIR) + "/baselines"},
                                                  {"MSKB_RESULTS", path("run").string()}};
  for (const auto& [name, place] : places) {
    replace_all(text, "\"" + name + "\"", "\"" + place + "\"");
  }
  const std::filesystem::path file = path(std::string(cheat.file) + ".cu");
  std::ofstream(file) << text;
  return file;
}

void CheatsRun::run_all(const std::string& task, Where where, Batch batch) {
  const std::vector<const Cheat*> chosen = meant(task, where, batch);
  std::vector<std::string> words{"run", "--task", task, "--precision", "fp32", "--out", "run", "--sizes", "smoke", "--hang-limit", "5s"};
  if (where == on_cuda) {
    words.insert(words.end(), {"--device", "cuda", "--baselines", "none", "--budget", "20s"});
  } else {
    words.insert(words.end(), {"--device", "cpu"});
  }
  for (const Cheat* cheat : chosen) {
    words.insert(words.end(), {"--candidate", prepared(*cheat)});
  }
  const std::string expert = std::string(MSKB_SOURCE_DIR) + "/optimizers/expert/" + task + ".cu";
  words.insert(words.end(), {"--candidate", expert});
  const Ended ended = mskb(words);
  ASSERT_EQ(ended.exit_code, 1) << ended.output << ended.errors;
  std::map<std::string, std::vector<Evaluation>> by_origin;
  for (Evaluation& evaluation : read_run(path("run")).evaluations) {
    by_origin[evaluation.origin].push_back(std::move(evaluation));
  }
  for (const std::string& honest : {std::string("reference"), "file:" + task + ".cu"}) {
    ASSERT_FALSE(by_origin[honest].empty()) << honest;
    for (const Evaluation& evaluation : by_origin[honest]) {
      EXPECT_EQ(evaluation.verdict, Verdict::passed) << "honest work was accused: " << honest << ", " << describe(evaluation);
    }
  }
  for (const Cheat* cheat : chosen) {
    const std::vector<Evaluation>& own = by_origin["file:" + std::string(cheat->file) + ".cu"];
    EXPECT_EQ(own.size(), by_origin["reference"].size()) << cheat->file;
    *cheat->open == '\0' ? expect_caught(*cheat, own) : print_open(*cheat, own);
  }
}

}  // namespace mskb::test
