#include "report/reproduction.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "session_samples.hpp"
#include "store/run_writer.hpp"
#include "stored_samples.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using samples::passed;
using samples::timed;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ReproductionTest : public testing::Test {
 protected:
  ReproductionTest() {
    fs::create_directories(home() / "configs/paper");
    fs::create_directories(home() / "baselines/paper");
    write_file_atomically(home() / "baselines/paper/success.csv", "# a source\nmodel,tau,percent\nm,0,100\nm,1,50\nm,16,7\n");
    write_file_atomically(home() / "baselines/paper/operators.csv", "# a source, with a comma\noperator,speedup,note\n\"a\",4,\"x, \"\"y\"\"\"\n");
    write_file_atomically(home() / "baselines/paper/transitions.csv", "# a source\nfigure,problems\nbefore,2\nchange,1\n");
    write_file_atomically(home() / "baselines/paper/cost.csv", "# a source\nprofile,usd_per_problem,tokens_per_problem\nfiltered,0.5,1000\n");
    write_table("success",
                "title: Success\npublished: success.csv\nmeasure: success\ndevice: Invented GPU\nprotocol: paper\nproblems: 2\ncosts: cost.csv\n"
                "command: [--protocol, paper]\nrows:\n  - name: m\n    run: own\n    where: {model: m}\n    column: percent\n"
                "    command: [optimize, --optimizer, skilled, --option, model=m, --evaluations, '10']\n    needs: MSKB_TEST_KEY\n    cost: {profile: filtered}\n");
    write_table("operators",
                "title: Operators\npublished: operators.csv\nmeasure: speedup\ndevice: Another GPU\nprotocol: paper\nproblems: 1\nrows:\n"
                "  - name: a vendor\n    run: a\n    where: {operator: a}\n    column: speedup\n    problem: a/fp32\n    origin: 'baseline:vendor'\n"
                "    command: [run, --task, a]\n");
    write_table("transitions",
                "title: Classes\npublished: transitions.csv\nmeasure: transitions\ndevice: Invented GPU\nprotocol: paper\nproblems: 2\nrows:\n"
                "  - name: before\n    run: own\n    where: {figure: before}\n    column: problems\n    before: memory latency bound\n"
                "    command: [optimize, --optimizer, skilled]\n"
                "  - name: change\n    run: own\n    where: {figure: change}\n    column: problems\n    before: memory\n    after: compute bound\n"
                "    command: [optimize, --optimizer, skilled]\n");
    options_.home = home();
    options_.runs = folder_.path() / "runs";
    ::unsetenv("MSKB_TEST_KEY");
  }

  fs::path home() const { return folder_.path() / "home"; }
  void write_table(const std::string& name, const std::string& text) const { write_file_atomically(home() / "configs/paper" / (name + ".yaml"), text); }
  Reproduction reproduction(const std::string& table) const { return reproduce(load_reproduce_table(home(), table), options_); }

  void write_run(const fs::path& directory, mskb::Run head, const std::vector<Evaluation>& evaluations) const {
    RunWriter writer = RunWriter::create(directory, head);
    for (const auto& group : samples::groups_of(samples::grouped(evaluations))) {
      writer.append(group);
    }
  }
  // P = 4 on one problem, and 0.5 on the other one.
  std::vector<Evaluation> two_problems(const std::string& protocol) const {
    std::vector<Evaluation> list;
    for (const char* task : {"a", "b"}) {
      const std::string clock = protocol == "paper" ? "batch" : "span";
      for (const char* origin : {"reference", "optimizer:skilled#3", "baseline:vendor"}) {
        const double speedup = std::string(origin) == "reference" ? 1 : *task == 'a' ? 4 : 0.5;
        list.push_back(timed(passed(task, 0, origin, 3), clock, 100 / speedup, speedup, 0.002));
        list.back().paper_verdict = "passed";
      }
    }
    return list;
  }
  mskb::Run head(const std::string& protocol, std::vector<std::string> command) const {
    mskb::Run run = samples::run(protocol);
    run.command = std::move(command);
    run.figures = {{"planned_problems", "2"}, {"wall_s", "6"}};
    return run;
  }

  TemporaryDirectory folder_;
  ReproduceOptions options_;
};

TEST_F(ReproductionTest, AMissingModelRunIsMissingAndNeverInvented) {
  const Reproduction result = reproduction("success");
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_FALSE(result.rows[0].figures[0].measured.has_value());
  EXPECT_THAT(result.rows[0].reasons, ElementsAre(HasSubstr("missing: no run"), HasSubstr("the model's key MSKB_TEST_KEY is not set")));
  const std::string text = render_reproduction(result, options_, Format::text);
  EXPECT_THAT(text, HasSubstr("m: missing, needs MSKB_TEST_KEY (not set)\n"
                              "  mskb optimize --optimizer skilled --option model=m --evaluations 10 --protocol paper --out "));
  EXPECT_THAT(text, HasSubstr("as published for profile filtered: 1.00 US dollars and 2 thousand tokens for 2 problems (cost.csv); at most 20 evaluations"));
  EXPECT_THAT(text, HasSubstr("missing      -"));
}

TEST_F(ReproductionTest, AWholeRunUnderThePublishedConditionsIsCompared) {
  std::vector<Evaluation> list = two_problems("paper");
  list.push_back(timed(passed("a", 0, "selftest:identity", 4), "batch", 100, 1.01, 0));
  list.back().paper_verdict = "passed";
  write_run(options_.runs / "own", head("paper", {"mskb", "optimize", "--optimizer", "skilled", "--option", "model=m"}), list);
  const Reproduction result = reproduction("success");
  ASSERT_EQ(result.rows.size(), 1u);
  const ReproducedRow& row = result.rows[0];
  EXPECT_THAT(row.reasons, IsEmpty());
  EXPECT_TRUE(row.finished);
  EXPECT_EQ(row.figures[0].measured, 100);
  EXPECT_EQ(row.figures[1].measured, 50);
  EXPECT_FALSE(row.figures[2].measured.has_value()) << "tau = 16 is no threshold of ours";
  const std::string text = render_reproduction(result, options_, Format::text);
  EXPECT_THAT(text, HasSubstr("nothing: every row is on record"));
  EXPECT_THAT(text, HasSubstr("+0 points"));
}

TEST_F(ReproductionTest, OtherOptionsAreAnotherRow) {
  write_run(home() / "results/other", head("paper", {"mskb", "optimize", "--optimizer", "skilled", "--option", "model=m", "--option", "rounds=1"}), two_problems("paper"));
  EXPECT_FALSE(reproduction("success").rows[0].figures[0].measured.has_value());
  write_run(home() / "results/same", head("paper", {"mskb", "optimize", "--option", "model=m", "--optimizer", "skilled"}), two_problems("paper"));
  EXPECT_EQ(reproduction("success").rows[0].figures[0].measured, 100);
}

TEST_F(ReproductionTest, EachReasonIsTold) {
  mskb::Run run = head("strict", {"mskb", "run", "--task", "a"});
  run.sandbox = "none";
  write_run(home() / "results/strict", run, two_problems("strict"));
  const Reproduction result = reproduction("operators");
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_EQ(result.rows[0].figures[0].expected, 4);
  EXPECT_EQ(result.rows[0].figures[0].measured, 4);
  EXPECT_THAT(result.rows[0].reasons, ElementsAre("device: Invented GPU, published on Another GPU", "protocol: strict, published with paper", "sandbox: none",
                                                  "self-test of every case: not in the run"));
  EXPECT_THAT(render_reproduction(result, options_, Format::text), HasSubstr("x1.00"));
}

TEST_F(ReproductionTest, APartOfTheProblemsStaysInTheDenominator) {
  std::vector<Evaluation> list = two_problems("paper");
  list.resize(3);
  mskb::Run run = head("paper", {"mskb", "optimize", "--optimizer", "skilled", "--option", "model=m"});
  run.figures.clear();
  write_run(options_.runs / "own", run, list);
  const ReproducedRow row = reproduction("success").rows[0];
  EXPECT_EQ(row.figures[0].measured, 50);
  EXPECT_THAT(row.reasons, Contains("1 of 2 problems have no record"));
  EXPECT_FALSE(row.finished);
}

TEST_F(ReproductionTest, AnUnfinishedRunIsResumed) {
  std::vector<Evaluation> list = two_problems("paper");
  list.resize(3);
  write_run(options_.runs / "own", head("paper", {"mskb", "optimize", "--optimizer", "skilled", "--option", "model=m"}), list);
  const Reproduction result = reproduction("success");
  EXPECT_EQ(row_command(*result.rows[0].row, options_).back(), "--resume");
  EXPECT_THAT(render_reproduction(result, options_, Format::text), HasSubstr("unfinished in 0123456789ab"));
}

TEST_F(ReproductionTest, ClassesAreCountedFromSessions) {
  write_run(options_.runs / "own", head("paper", {"mskb", "optimize", "--optimizer", "skilled"}), two_problems("paper"));
  samples::write_transcript(options_.runs / "own", "a/fp32",
                            samples::transcript_head("a/fp32", "skilled") + samples::transcript_evaluation(1, "one\\ntwo\\n", "passed", 1, 1, "memory latency bound") +
                                samples::transcript_evaluation(2, "x", "passed", 2, 2, "compute bound") + samples::transcript_end("id2", 2, 10, 0.1));
  const Reproduction result = reproduction("transitions");
  ASSERT_EQ(result.rows.size(), 2u);
  EXPECT_EQ(result.rows[0].figures[0].measured, 1);
  EXPECT_EQ(result.rows[1].figures[0].measured, 1);
  EXPECT_THAT(result.rows[0].reasons, Contains("1 of 2 problems have no record"));
}

TEST_F(ReproductionTest, ClassesAreCountedFromStoredProfiles) {
  write_run(options_.runs / "own", head("paper", {"mskb", "optimize", "--optimizer", "skilled"}), two_problems("paper"));
  for (const auto& [origin, bottleneck] : {std::pair("reference", "memory bandwidth bound"), {"optimizer:skilled#3", "compute bound"}}) {
    const fs::path folder = options_.runs / "own/profiles/a/fp32/paper/0" / (std::string(origin) == "reference" ? "reference" : "skilled");
    fs::create_directories(folder);
    write_file_atomically(folder / "filtered.json", std::string("{\"case\":\"a/fp32/paper/0\",\"candidate\":\"hash of ") + origin + "\",\"origin\":\"" + origin +
                                                        "\",\"device\":\"Invented GPU\",\"profile\":{\"class\":\"" + bottleneck + "\"}}");
  }
  const Reproduction result = reproduction("transitions");
  EXPECT_EQ(result.rows[0].figures[0].measured, 0);
  EXPECT_EQ(result.rows[1].figures[0].measured, 1);
}

// Verdicts only: as `run --no-timing` leaves them.
std::vector<Evaluation> untimed(std::vector<Evaluation> list) {
  for (Evaluation& each : list) {
    each.timing.reset();
  }
  return list;
}

std::vector<Evaluation> skipped(std::vector<Evaluation> list) {
  list = untimed(std::move(list));
  for (Evaluation& each : list) {
    each = samples::failed(each, Verdict::skipped, "no device");
    each.paper_verdict.clear();
  }
  return list;
}

TEST_F(ReproductionTest, ARunWithoutTheFigureDoesNotHideOneThatHasIt) {
  const std::vector<std::string> command{"mskb", "run", "--task", "a"};
  write_run(home() / "results/timed", head("strict", command), two_problems("strict"));
  mskb::Run newer = head("strict", command);
  newer.id = "newer";
  newer.started = "2999-01-01T00:00:00Z";
  write_run(home() / "results/untimed", newer, untimed(two_problems("strict")));
  newer.protocol = "paper";
  write_run(home() / "results/paper-untimed", newer, untimed(two_problems("paper")));
  write_run(options_.runs / "a", newer, skipped(two_problems("paper")));
  const Reproduction result = reproduction("operators");
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_EQ(result.rows[0].figures[0].measured, 4);
  EXPECT_EQ(result.rows[0].protocol, "strict");
  EXPECT_FALSE(result.is_open(*result.rows[0].row));
  EXPECT_THAT(render_reproduction(result, options_, Format::text), HasSubstr("nothing: every row is on record"));
}

TEST_F(ReproductionTest, AnAllSkippedRunLeavesItsRowOpen) {
  const auto own = [&] {
    return std::vector<std::string>{"mskb", "optimize", "--optimizer", "skilled", "--option", "model=m"};
  };
  write_run(options_.runs / "own", head("paper", own()), skipped(two_problems("paper")));
  write_run(options_.runs / "a", head("paper", {"mskb", "run", "--task", "a"}), skipped(two_problems("paper")));
  for (const char* table : {"success", "operators"}) {
    const Reproduction result = reproduction(table);
    EXPECT_FALSE(result.rows[0].figures[0].measured.has_value()) << table;
    EXPECT_THAT(result.rows[0].reasons, Contains("missing: every case of the run was skipped")) << table;
    EXPECT_TRUE(result.is_open(*result.rows[0].row)) << table;
    EXPECT_THAT(render_reproduction(result, options_, Format::text), HasSubstr("all skipped in 0123456789ab")) << table;
  }
}

TEST_F(ReproductionTest, VerdictsAloneGiveNoShareAboveAThreshold) {
  write_run(options_.runs / "own", head("paper", {"mskb", "optimize", "--optimizer", "skilled", "--option", "model=m"}), untimed(two_problems("paper")));
  const ReproducedRow row = reproduction("success").rows[0];
  EXPECT_EQ(row.figures[0].measured, 100);
  EXPECT_FALSE(row.figures[1].measured.has_value());
}

TEST_F(ReproductionTest, ARunUnfinishedElsewhereAnswersItsRow) {
  std::vector<Evaluation> list = two_problems("paper");
  list.resize(3);
  write_run(home() / "results/part", head("paper", {"mskb", "run", "--task", "a"}), list);
  const Reproduction result = reproduction("operators");
  EXPECT_EQ(result.rows[0].figures[0].measured, 4);
  EXPECT_FALSE(result.is_open(*result.rows[0].row));
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST_F(ReproductionTest, BadTablesAreRefusedWithTheirLine) {
  EXPECT_THAT(refusal([&] { load_reproduce_table(home(), "nothing"); }), HasSubstr("there are: operators, success, transitions"));
  write_table("bad", "title: x\npublished: success.csv\nmeasure: dreams\ndevice: d\nprotocol: paper\nrows: []\n");
  EXPECT_THAT(refusal([&] { load_reproduce_table(home(), "bad"); }), HasSubstr("configs/paper/bad.yaml:3: measure 'dreams' is unknown"));
  write_file_atomically(home() / "baselines/paper/success.csv", "# a source\nmodel,tau,percent\nm,0\n");
  const std::string head = "title: t\npublished: success.csv\nmeasure: success\ndevice: d\nprotocol: p\n";
  const auto refused = [&](const std::string& text) {
    write_table("bad", text);
    return refusal([&] { load_reproduce_table(home(), "bad"); });
  };
  EXPECT_THAT(refused(head + "rows: none\n"), HasSubstr("configs/paper/bad.yaml:6: rows must be a list"));
  EXPECT_THAT(refused(head + "problems: 1e300\nrows: []\n"), HasSubstr("configs/paper/bad.yaml:6: problems is 1e+300; write a number from 1"));
  EXPECT_THAT(refused(head + "rows:\n  - {name: n, where: here, column: c}\n"), HasSubstr("configs/paper/bad.yaml:7: where must be a map"));
  EXPECT_THAT(refused(head + "rows: []\ntilte: t\n"), HasSubstr("configs/paper/bad.yaml:7: unknown key 'tilte' in the table; did you mean 'title'?"));
  EXPECT_THAT(refused("title: t\n"), HasSubstr("key 'published' is missing in the table; add it (docs/reproduce.md says what it holds)"));
  EXPECT_THAT(refused(std::string(100000, '[')), HasSubstr("configs/paper/bad.yaml:1: "));
  EXPECT_THAT(refusal([&] { reproduction("success"); }), HasSubstr("success.csv:3: 2 cells in a table of 3 columns"));
}

// The tables of the repository name published rows that exist.
TEST(PaperTables, EveryRowHasItsPublishedFigure) {
  const fs::path home = MSKB_SOURCE_DIR;
  const std::vector<std::string> names = reproduce_table_names(home);
  EXPECT_EQ(names.size(), 5u);
  for (const std::string& name : names) {
    const ReproduceTable table = load_reproduce_table(home, name);
    const PublishedTable published = read_published_table(home / "baselines/paper" / table.published);
    for (const ReproduceRow& row : table.rows) {
      const auto rows = published.where(row.where);
      ASSERT_FALSE(rows.empty()) << name << ": " << row.name;
      EXPECT_TRUE(rows.front().contains(row.column)) << name << ": " << row.name;
    }
  }
}

}  // namespace
}  // namespace mskb
