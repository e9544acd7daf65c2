// report, compare and reproduce as commands.
#include "cli/program.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string home = MSKB_SOURCE_DIR;

class ReportCommand : public test::Program {
 protected:
  // The repository with tables of this test's own.
  void use_own_tables(const std::string& yaml) {
    const fs::path own = path("home");
    fs::create_directories(own / "configs/paper");
    for (const char* folder : {"tasks", "optimizers", "harness", "baselines"}) {
      fs::create_directory_symlink(fs::path(home) / folder, own / folder);
    }
    write_file_atomically(own / "configs/paper/small.yaml", yaml);
    set_variable("MSKB_HOME", own.string());
  }
};

TEST_F(ReportCommand, ReproduceListsItsTables) {
  const test::Ended ended = mskb({"reproduce"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("success "), HasSubstr("loop_ablation "), HasSubstr("profile_ablation "), HasSubstr("operators "), HasSubstr("transitions ")));
}

TEST_F(ReportCommand, ReproduceWithoutAKeyRunsNothingAndSaysSo) {
  set_variable("OPENAI_API_KEY", "");
  const test::Ended ended = mskb({"reproduce", "loop_ablation", "--run"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.errors, HasSubstr("mskb: no debug: not run, because OPENAI_API_KEY is not set; it stays missing"));
  EXPECT_THAT(ended.output, AllOf(HasSubstr("no debug: missing, needs OPENAI_API_KEY (not set)"), HasSubstr("--option debug=0"), HasSubstr("missing")));
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(ReportCommand, ReproduceRunsWhatIsMissingOnce) {
  use_own_tables(
      "title: Small\npublished: operators.csv\nmeasure: speedup\ndevice: RTX 4090\nprotocol: paper\nproblems: 1\ncommand: [--device, cpu]\nrows:\n"
      "  - name: a file\n    run: small\n    where: {operator: silu_and_mul}\n    column: compared_speedup\n    problem: silu_and_mul/fp32\n"
      "    origin: 'optimizer:identity'\n    command: [run, --task, silu_and_mul, --precision, fp32, --sizes, check, --optimizer, identity]\n");
  EXPECT_THAT(mskb({"reproduce", "small"}).output, HasSubstr("a file: missing"));
  EXPECT_FALSE(fs::exists(path("out")));
  const test::Ended ran = mskb({"reproduce", "small", "--run"});
  EXPECT_EQ(ran.exit_code, 0) << ran.errors;
  EXPECT_TRUE(fs::exists(path("out/reproduce/small/run.yaml")));
  EXPECT_THAT(ran.output, AllOf(HasSubstr("nothing: every row is on record"), HasSubstr("missing: the run holds no such figure"), HasSubstr("device: ")));
  const std::string records = read_file(path("out/reproduce/small/evaluations.jsonl"));
  EXPECT_THAT(mskb({"reproduce", "small", "--run"}).errors, Not(HasSubstr("mskb run")));
  EXPECT_EQ(read_file(path("out/reproduce/small/evaluations.jsonl")), records);
}

TEST_F(ReportCommand, ReproduceKeepsNoRunOfWhichNothingCouldBeRun) {
  if (fs::exists("/dev/nvidiactl")) {
    GTEST_SKIP() << "this machine has a GPU";
  }
  use_own_tables(
      "title: Small\npublished: operators.csv\nmeasure: speedup\ndevice: RTX 4090\nprotocol: paper\nproblems: 1\ncommand: [--device, cuda]\nrows:\n"
      "  - name: a file\n    run: small\n    where: {operator: silu_and_mul}\n    column: compared_speedup\n    problem: silu_and_mul/fp32\n"
      "    origin: 'optimizer:identity'\n    command: [run, --task, silu_and_mul, --precision, fp32, --sizes, check, --optimizer, identity, --baselines, none]\n");
  const test::Ended ran = mskb({"reproduce", "small", "--run"});
  EXPECT_THAT(ran.errors, ::testing::AnyOf(HasSubstr("mskb: a file: every case was skipped, so that no record of it is kept; the row stays missing"),
                                           HasSubstr("nvcc was not found")));
  EXPECT_THAT(ran.output, HasSubstr("a file: missing"));
  EXPECT_FALSE(fs::exists(path("out/reproduce/small")));
}

TEST_F(ReportCommand, ADamagedRunIsPrintedAndIsNoSuccess) {
  fs::copy(home + "/tests/golden/strict", path("damaged"), fs::copy_options::recursive);
  std::string records = read_file(path("damaged/evaluations.jsonl"));
  const std::size_t second = records.find('\n') + 1;
  records.replace(second, 1, "#");
  write_file_atomically(path("damaged/evaluations.jsonl"), records);
  for (const char* format : {"text", "csv", "json", "html"}) {
    const test::Ended ended = mskb({"report", "damaged", "--format", format});
    EXPECT_EQ(ended.exit_code, 1) << format;
    EXPECT_THAT(ended.output, ::testing::Not(::testing::IsEmpty()));
    EXPECT_THAT(ended.errors, HasSubstr("mskb: damaged: the run is invalid (evaluations.jsonl"));
  }
  EXPECT_THAT(mskb({"report", "damaged"}).output, HasSubstr("INVALID RUN"));
  const test::Ended compared = mskb({"compare", home + "/tests/golden/strict", "damaged", "--baselines"});
  EXPECT_EQ(compared.exit_code, 1);
  EXPECT_THAT(compared.output, AllOf(HasSubstr("against it nothing is won or lost"), Not(HasSubstr(" win ")), Not(HasSubstr(" loss "))));
  EXPECT_EQ(mskb({"report", home + "/tests/golden/strict"}).exit_code, 0);
}

TEST_F(ReportCommand, WrongUseIsOneLine) {
  expect_refused({"reproduce", "nothing"}, HasSubstr("there are: loop_ablation, operators, profile_ablation, success, transitions"));
  expect_refused({"reproduce", "success", "--row", "GPT"}, HasSubstr("--row GPT: the table success has no such row"));
  expect_refused({"reproduce", "success", "--from", "nowhere"}, HasSubstr("--from nowhere: no such directory"));
  expect_refused({"compare", home + "/tests/golden/strict"}, HasSubstr("one candidate only"));
  expect_refused({"report", home + "/tests/golden/strict", "--out", "nowhere/page.html"}, HasSubstr("--out nowhere/page.html: No such file or directory; name a file"));
  expect_refused({"report", home + "/tests/golden/strict", "--format", "csv", "--table", "all"}, HasSubstr("--table"));
}

TEST_F(ReportCommand, APageIsWrittenToAFile) {
  const test::Ended ended = mskb({"report", home + "/tests/golden/strict", "--format", "html", "--out", "page.html"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.output, "");
  EXPECT_EQ(read_file(path("page.html")), mskb({"report", home + "/tests/golden/strict", "--format", "html"}).output);
}

}  // namespace
}  // namespace mskb
