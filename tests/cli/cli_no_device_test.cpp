// What is not there: a GPU, nvcc, CUPTI. One clear line each, and the rest goes on.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/subprocess.hpp"
#include "model/candidate.hpp"
#include "program.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

bool has_nvcc() { return program_exists("nvcc") || program_exists("/usr/local/cuda/bin/nvcc"); }

class NoDevice : public test::Program {
 protected:
  NoDevice() { set_variable("CUDA_VISIBLE_DEVICES", "-1"); }  // whatever this machine has

  static std::vector<std::string> cuda_run(const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "--task", "silu_and_mul", "--precision", "fp32", "--device", "cuda", "--out", "run"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(NoDevice, WithoutAGpuKernelsAreStillCompiled) {
  if (!has_nvcc()) {
    GTEST_SKIP() << "no CUDA toolkit";
  }
  const std::string good = test::kernel("right"), bad = test::kernel("does_not_compile");
  const test::Ended ended = mskb(cuda_run({"--candidate", good, "--candidate", bad}));
  EXPECT_EQ(ended.exit_code, 1) << "a candidate failed: " << ended.errors;
  EXPECT_EQ(ended.errors, "");
  std::map<std::string, int> cases;
  for (const Evaluation& evaluation : read_run(path("run")).evaluations) {
    ++cases[evaluation.origin];
    if (evaluation.origin == "file:does_not_compile.cu") {
      EXPECT_EQ(evaluation.verdict, Verdict::build_failed);
      EXPECT_THAT(evaluation.detail, AllOf(StartsWith("does_not_compile.cu(5)"), HasSubstr("undeclared_scale")));
    } else {
      EXPECT_EQ(evaluation.verdict, Verdict::skipped);
      EXPECT_THAT(evaluation.detail, AnyOf(StartsWith("no CUDA device"), HasSubstr("was not built")));
    }
    EXPECT_FALSE(evaluation.timing);
  }
  EXPECT_EQ(cases["reference"], cases["file:right.cu"]);
  EXPECT_EQ(cases["file:right.cu"], cases["file:does_not_compile.cu"]);
  EXPECT_GT(cases["file:right.cu"], 7) << "its check cases and the default, paper";
  const std::string log = read_file(path("run") / "logs" / (candidate_from_file(good, "").id() + "-fp32.log"));
  EXPECT_THAT(log, AllOf(HasSubstr("ptxas info"), HasSubstr("silu"), HasSubstr("registers")));
  EXPECT_THAT(ended.output, HasSubstr("skipped ("));
}

TEST_F(NoDevice, WhereNothingRanThatIsSaidAndTheRecordsStay) {
  if (!has_nvcc()) {
    GTEST_SKIP() << "no CUDA toolkit";
  }
  const auto expect_nothing_ran = [](const test::Ended& ended) {
    EXPECT_EQ(ended.exit_code, 2) << ended.output << ended.errors;
    EXPECT_THAT(test::lines_of(ended.errors), ::testing::Contains(::testing::ContainsRegex("^mskb: .*nothing (ran|could be repeated).*--device cpu")));
  };
  const test::Ended ended = mskb(cuda_run({"--candidate", test::kernel("right"), "--baselines", "none"}));
  expect_nothing_ran(ended);
  EXPECT_EQ(test::lines_of(ended.errors).size(), 1u) << ended.errors;
  EXPECT_THAT(ended.output, HasSubstr("records: run\n"));
  EXPECT_THAT(read_file(path("run/run.yaml")), HasSubstr("wall_s"));

  ASSERT_EQ(mskb(test::run_words("here", {"--sizes", "check", "--candidate", test::kernel("right")})).exit_code, 0);
  const std::string id = read_run(path("here")).evaluations.back().id;
  expect_nothing_ran(mskb({"rerun", id, "--from", "here", "--device", "cuda", "--no-timing"}));
  expect_nothing_ran(mskb({"audit", "here", "--device", "cuda", "--no-timing"}));
  expect_nothing_ran(mskb({"optimize", "--task", "silu_and_mul", "--precision", "fp32", "--device", "cuda", "--optimizer", "identity", "--baselines",
                           "none", "--out", "campaign"}));
  expect_nothing_ran(mskb({"mcp", "--task", "silu_and_mul", "--device", "cuda", "--out", "campaign"}));
  EXPECT_FALSE(fs::exists(path("campaign"))) << "no session was begun";
}

TEST_F(NoDevice, WithoutNvccCudaIsRefusedAndTheCpuWorks) {
  fs::create_directories(path("bin"));
  for (const char* name : {"g++", "as", "ld", "env", "prlimit"}) {  // what the CPU backend needs
    const test::Ended found = bash("command -v " + std::string(name));
    if (found.exit_code == 0) {
      fs::create_symlink(found.output.substr(0, found.output.find('\n')), path("bin") / name);
    }
  }
  set_variable("PATH", path("bin"));
  set_variable("CUDA_HOME", path("no-toolkit"));
  expect_refused(cuda_run({}), HasSubstr("nvcc was not found; install the CUDA toolkit or put its bin/ on PATH, or use --device cpu"));
  EXPECT_EQ(mskb(test::run_words("run", {"--sizes", "check"})).exit_code, 0);
  EXPECT_THAT(mskb({"doctor"}).output, ::testing::ContainsRegex("missing +nvcc +install the CUDA toolkit"));
}

TEST_F(NoDevice, WithoutACompilerTheCpuBackendSaysWhatToInstall) {
  fs::create_directories(path("bin"));
  set_variable("PATH", path("bin"));
  expect_refused(test::run_words("run", {}), HasSubstr("g++ was not found; install the package g++"));
}

TEST_F(NoDevice, DoctorSaysThatThereIsNoGpu) {
  const test::Ended ended = mskb({"doctor"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.errors, "");
  EXPECT_THAT(ended.output, ::testing::ContainsRegex("missing +GPU +.*verdicts work on the CPU backend \\(--device cpu\\)\n"));
  for (const std::string& line : test::lines_of(ended.output)) {
    EXPECT_THAT(line, AnyOf(StartsWith("ok "), StartsWith("missing "))) << "one line each";
  }
}

TEST_F(NoDevice, AutoFallsBackToTheCpu) {
  std::vector<std::string> words = test::run_words("run", {"--sizes", "check"});
  *std::find(words.begin(), words.end(), "cpu") = "auto";
  const test::Ended ended = mskb(words);
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  EXPECT_EQ(read_run(path("run")).run.environment.backend, "cpu");
}

// A stored run of a GPU where the device's activity could not be recorded: its records have no `span`.
TEST_F(NoDevice, WithoutCuptiTheReportSaysWhichClockItUses) {
  fs::create_directories(path("stored"));
  const fs::path golden = fs::path(MSKB_SOURCE_DIR) / "tests/golden/strict";
  fs::copy_file(golden / "run.yaml", path("stored/run.yaml"));
  std::string records;
  for (const std::string& line : test::lines_of(read_file(golden / "evaluations.jsonl"))) {
    auto record = nlohmann::json::parse(line);
    if (record.contains("timing") && record["timing"].is_object()) {
      for (const char* clock : {"span", "busy", "lead", "tail"}) {
        for (const char* figures : {"clocks", "speedups"}) {
          if (record["timing"].contains(figures)) {
            record["timing"][figures].erase(clock);
          }
        }
      }
    }
    records += record.dump() + "\n";
  }
  write_file_atomically(path("stored/evaluations.jsonl"), records);
  const test::Ended ended = mskb({"report", "stored"});
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  EXPECT_THAT(ended.output, HasSubstr("no record has the clock `span` (no permission for CUPTI?): speedups are on `call`"));
  EXPECT_THAT(mskb({"report", golden.string()}).output, Not(HasSubstr("CUPTI")));
}

}  // namespace
}  // namespace mskb
