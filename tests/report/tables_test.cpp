#include "report/tables.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "stored_samples.hpp"

namespace mskb {
namespace {

using samples::failed;
using samples::passed;
using samples::timed;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const StoredRun& stored, const ReportOptions& options = {}) { return render_report(stored, Format::text, options); }

TEST(Tables, TextFitsIntoThePage) {
  ReportOptions options;
  options.references = true;
  std::istringstream lines(text_of(samples::strict_run(), options));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 120u) << line;
  }
}

TEST(Tables, CpuRunsShowNoSpeedupAndSaySo) {
  StoredRun stored = samples::cpu_run();
  stored.evaluations[0] = timed(stored.evaluations[0], "span", 10, 1);
  stored.evaluations[1] = timed(stored.evaluations[1], "span", 5, 2);
  ReportOptions options;
  options.cases = true;
  const std::string text = text_of(stored, options);
  EXPECT_THAT(text, HasSubstr("CPU backend (Invented CPU): verdicts only; no speedup is ever computed from it"));
  EXPECT_THAT(text, Not(HasSubstr("P call")));
  EXPECT_THAT(text, Not(HasSubstr("geometric mean")));
  EXPECT_THAT(text, Not(HasSubstr("2.00")));
  EXPECT_THAT(render_report(stored, Format::json, options), Not(HasSubstr("weighted_speedup")));
}

TEST(Tables, SaysThatRacesWereLookedFor) {
  StoredRun stored = samples::stored(samples::run(), samples::grouped({passed("a", 0, "reference", 1)}));
  EXPECT_THAT(text_of(stored), Not(HasSubstr("judged with")));
  stored.run.command.push_back("--races");
  EXPECT_THAT(text_of(stored), HasSubstr("judged with --races, which finds more faults than a plain run"));
}

TEST(Tables, AnInvalidRunSaysSoFirst) {
  StoredRun stored = samples::strict_run();
  stored.damage = {"evaluations.jsonl:7: is not JSON at byte 3"};
  stored.notes = {"evaluations.jsonl:9: the last line is cut"};
  EXPECT_THAT(text_of(stored), HasSubstr("\nINVALID RUN, do not cite: evaluations.jsonl:7: is not JSON at byte 3\n"));
  EXPECT_THAT(text_of(stored), HasSubstr("left out: evaluations.jsonl:9: the last line is cut\n"));
  const auto json = nlohmann::json::parse(render_report(stored, Format::json));
  EXPECT_EQ(json["valid"], false);
  EXPECT_EQ(json["damage"].size(), 1u);
}

TEST(Tables, SaysWhichClockIsMissing) {
  const StoredRun stored = samples::stored(samples::run(), {timed(passed("a", 0, "reference", 2), "call", 10, 1),
                                                            timed(passed("a", 0, "file:x", 2), "call", 5, 2)});
  EXPECT_THAT(text_of(stored), HasSubstr("no record has the clock `span`"));
  EXPECT_THAT(text_of(stored), HasSubstr("2.00"));
}

TEST(Tables, SaysThatARunIsUnfinished) {
  EXPECT_THAT(text_of(samples::strict_run()), HasSubstr("unfinished: 4 of 5 planned problems have records"));
  EXPECT_THAT(text_of(samples::paper_run()), Not(HasSubstr("unfinished")));
}

TEST(Tables, HidesReferencesThatPassedUnlessAsked) {
  ReportOptions options;
  const StoredRun stored = samples::paper_run();
  EXPECT_THAT(text_of(stored, options), Not(HasSubstr("\ngated_unit/fp32  reference ")));
  options.references = true;
  EXPECT_THAT(text_of(stored, options), HasSubstr("\ngated_unit/fp32  reference "));
  EXPECT_THAT(text_of(samples::strict_run()), HasSubstr("waves/fp32 reference: crashed"));
}

TEST(Tables, CutsALongListOfFailures) {
  std::vector<Evaluation> list;
  for (int i = 0; i < 30; ++i) {
    list.push_back(failed(passed("task" + std::to_string(i), 0, "file:x", 1), Verdict::mismatch, "why"));
  }
  EXPECT_THAT(text_of(samples::stored(samples::run(), list)), HasSubstr("and 10 more; --cases lists all"));
}

TEST(Tables, AnEmptyRunIsAReportToo) {
  const StoredRun stored = samples::stored(samples::run(), {});
  EXPECT_THAT(text_of(stored), HasSubstr("Invented GPU"));
  EXPECT_NO_THROW(nlohmann::json::parse(render_report(stored, Format::json)));
}

TEST(Tables, JsonHoldsEveryFigure) {
  ReportOptions options;
  options.cases = true;
  const auto json = nlohmann::json::parse(render_report(samples::strict_run(), Format::json, options));
  EXPECT_EQ(json["run"]["device"], "Invented GPU");
  EXPECT_EQ(json["cases"].size(), samples::strict_run().evaluations.size());
  EXPECT_EQ(json["summary"][1]["origin"], "optimizer:skilled");
  EXPECT_EQ(json["summary"][1]["problems"], 5);
  EXPECT_EQ(json["summary"][1]["cumulative_success"][0]["share"], 0.2);
  EXPECT_EQ(json["problems"][0]["weighted_speedup"], 2.0);
}

}  // namespace
}  // namespace mskb
