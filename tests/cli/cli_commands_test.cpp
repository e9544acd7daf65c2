// Every command once as a user types it, on the CPU or on stored records.
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string golden = MSKB_SOURCE_DIR "/tests/golden/";

class Command : public test::Program {
 protected:
  std::string expect_done(const std::vector<std::string>& words) const {
    const test::Ended ended = mskb(words);
    EXPECT_EQ(ended.exit_code, 0) << ended.errors;
    EXPECT_EQ(ended.errors, "");
    return ended.output;
  }
};

TEST_F(Command, ListShowsEveryTaskInBothPrecisions) {
  const std::string text = expect_done({"list"});
  std::size_t tasks = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(MSKB_SOURCE_DIR) / "tasks")) {
    const std::string name = entry.path().filename();
    EXPECT_THAT(text, AllOf(HasSubstr("\n" + name + "/fp32 "), HasSubstr("\n" + name + "/bf16 ")));
    ++tasks;
  }
  EXPECT_THAT(text, HasSubstr("\n" + std::to_string(2 * tasks) + " problems\n"));
  EXPECT_EQ(nlohmann::json::parse(expect_done({"list", "--format", "json"})).size(), 2 * tasks);
  EXPECT_EQ(nlohmann::json::parse(expect_done({"list", "--format", "json", "--task", "silu*", "--precision", "bf16"})).size(), 1u);
}

TEST_F(Command, ListShowsBaselinesAndOptimizers) {
  EXPECT_THAT(expect_done({"list", "--baselines"}), AllOf(HasSubstr("cublas "), HasSubstr("cufft ")));
  EXPECT_THAT(expect_done({"list", "--optimizers"}), AllOf(HasSubstr("expert "), HasSubstr("identity ")));
}

TEST_F(Command, ShowPrintsATaskAndItsSource) {
  EXPECT_THAT(expect_done({"show", "silu_and_mul"}),
              AllOf(StartsWith("silu_and_mul (llm, gated_activation)\n"), HasSubstr("void silu_and_mul_bf16("), HasSubstr("  paper:\n")));
  EXPECT_THAT(expect_done({"show", "silu_and_mul", "--source", "bf16"}), AllOf(HasSubstr("silu_and_mul_bf16("), Not(HasSubstr("$"))));
}

TEST_F(Command, CheckProvesATask) {
  const std::string text = expect_done({"check", "--task", "silu_and_mul", "--verbose"});
  EXPECT_THAT(text, AllOf(HasSubstr("holds    the reference passes"), HasSubstr("2 problems checked, 0 with faults\n"), Not(HasSubstr("FAILS"))));
}

TEST_F(Command, ReportNeedsRecordsOnly) {
  for (const char* run : {"strict", "paper", "cpu"}) {
    for (const auto& [format, extension] : std::map<std::string, std::string>{{"text", ".txt"}, {"markdown", ".md"}}) {
      EXPECT_EQ(expect_done({"report", golden + run, "--format", format}), read_file(golden + run + extension)) << run << extension;
    }
    EXPECT_EQ(expect_done({"report", golden + run, "--format", "json", "--cases", "--references"}), read_file(golden + run + ".json"));
    EXPECT_EQ(expect_done({"report", golden + run, "--cases", "--references"}), read_file(golden + run + "-cases.txt"));
  }
}

TEST_F(Command, ARunPrintsTheReportOfItsRecords) {
  const std::string printed = expect_done(test::run_words("run", {"--sizes", "check", "--sizes", "smoke"}));
  EXPECT_EQ(printed, expect_done({"report", "run"}) + "\nrecords: run\n");
  EXPECT_THAT(printed, AllOf(HasSubstr("sizes smoke (and the check cases)"), HasSubstr("9/0/0/0"), Not(HasSubstr("planned_problems"))));
}

TEST_F(Command, ARunBeginsWithASelfTest) {
  expect_done(test::run_words("run", {"--sizes", "smoke"}));
  const std::map<std::string, std::string> figures = read_run(path("run")).run.figures;
  EXPECT_EQ(figures.at("self_test"), "passed");
  EXPECT_EQ(figures.at("self_test_case"), "silu_and_mul/fp32/smoke/1");
  EXPECT_EQ(figures.at("self_test_zeros"), "mismatch");
}

TEST_F(Command, ARunWhoseSelfTestFailedIsUnfit) {
  expect_done(test::run_words("run", {"--sizes", "check"}));
  std::string head = read_file(path("run/run.yaml"));
  const std::string good = "\"self_test\": \"passed\"";
  ASSERT_NE(head.find(good), std::string::npos) << head;
  write_file_atomically(path("run/run.yaml"), head.replace(head.find(good), good.size(), "\"self_test\": \"failed: outputs of zeros are passed\""));
  for (const char* format : {"text", "markdown", "csv", "latex", "html"}) {
    EXPECT_THAT(expect_done({"report", "run", "--format", format}), HasSubstr("nfit")) << format;
  }
  // A later part of it that is fit does not mend the earlier one.
  std::string records = read_file(path("run/evaluations.jsonl"));
  records.erase(records.rfind('\n', records.size() - 2) + 1);
  write_file_atomically(path("run/evaluations.jsonl"), records);
  EXPECT_THAT(expect_done(test::run_words("run", {"--sizes", "check", "--resume"})), HasSubstr("nfit"));
}

TEST_F(Command, ARunOfTheCheckCasesAloneSaysSo) {
  EXPECT_THAT(expect_done(test::run_words("run", {"--sizes", "check"})), AllOf(HasSubstr("; sizes check\n"), HasSubstr("7/0/0/0")));
}

TEST_F(Command, RunsAnOptimizersSolutions) {
  const std::string text = expect_done(test::run_words("run", {"--optimizer", "identity", "--optimizer", "expert", "--sizes", "check"}));
  EXPECT_THAT(text, AllOf(::testing::ContainsRegex("silu_and_mul/fp32 +identity +passed +7/0/0/0"),
                          ::testing::ContainsRegex("silu_and_mul/fp32 +expert +passed +7/0/0/0")));
}

TEST_F(Command, CompareTwoRuns) {
  expect_done(test::run_words("first", {"--sizes", "check"}));
  mskb(test::run_words("second", {"--sizes", "check", "--candidate", test::kernel("right")}));
  EXPECT_THAT(expect_done({"compare", "first", "second"}), AllOf(HasSubstr("a: run "), HasSubstr("b: run "), HasSubstr("silu_and_mul/fp32")));
  EXPECT_EQ(nlohmann::json::parse(expect_done({"compare", "first", "second", "--format", "json"})).is_object(), true);
  EXPECT_THAT(expect_done({"compare", golden + "strict", "--baselines", "--format", "markdown"}), HasSubstr("|"));
}

TEST_F(Command, RerunRepeatsAnEvaluation) {
  ASSERT_EQ(mskb(test::run_words("runs/one", {"--candidate", test::kernel("writes_nan"), "--sizes", "check"})).exit_code, 1);
  const StoredRun stored = read_run(path("runs/one"));
  int repeated = 0;
  for (const Evaluation& evaluation : stored.evaluations) {
    if (evaluation.case_name != "silu_and_mul/fp32/check/4") {
      continue;
    }
    const bool reference = evaluation.origin == "reference";
    const test::Ended ended = mskb({"rerun", evaluation.id.substr(0, 10), "--from", "runs", "--device", "cpu"});
    EXPECT_EQ(ended.exit_code, reference ? 0 : 1) << ended.errors;
    EXPECT_THAT(ended.output, StartsWith(evaluation.id + " silu_and_mul/fp32/check/4 " + evaluation.origin + "\n"));
    const std::vector<std::string> lines = test::lines_of(ended.output);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_THAT(lines[1], StartsWith("  then: "));
    EXPECT_THAT(lines[2], StartsWith("  now:  "));
    EXPECT_EQ(lines[1].substr(8), lines[2].substr(8)) << "the same contents give the same words";
    ++repeated;
  }
  EXPECT_EQ(repeated, 2);
}

TEST_F(Command, RerunRefusesSourcesThatWereChanged) {
  ASSERT_EQ(mskb(test::run_words("run", {"--candidate", test::kernel("right"), "--sizes", "check"})).exit_code, 0);
  const Evaluation own = read_run(path("run")).evaluations.at(1);
  write_file_atomically(path("run/candidates") / own.candidate / "right.cu", "// something else\n");
  expect_refused({"rerun", own.id, "--from", "run", "--device", "cpu"}, HasSubstr("they were changed after the run"));
}

TEST_F(Command, DoctorNamesWhatIsThere) {
  const std::string text = expect_done({"doctor"});
  for (const char* what : {"ok +mskb +[0-9.]+, commit [^,]+, compiled by .*[0-9]", "ok +libraries +fmt [0-9.]+, .*OpenSSL [0-9]", "ok +home +", "ok +g\\+\\+ +", "ok +mskb-worker-cpu +built", "(ok|missing) +nvcc +", "(ok|missing) +GPU +", "ok +sandbox +full|missing +sandbox +"}) {
    EXPECT_THAT(text, ::testing::ContainsRegex(what));
  }
  for (const auto& entry : std::filesystem::directory_iterator(MSKB_BINARY_DIR)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("mskb-worker") || name.starts_with("mskb-keeper")) {
      EXPECT_THAT(text, ::testing::ContainsRegex("ok +" + name + " +built"));
    }
  }
}

TEST_F(Command, VersionAndHelp) {
  EXPECT_THAT(expect_done({"--version"}), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(expect_done({"run", "--help"}), AllOf(HasSubstr("--hang-limit"), HasSubstr("--resume")));
}

}  // namespace
}  // namespace mskb
