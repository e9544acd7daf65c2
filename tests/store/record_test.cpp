#include "store/record.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "base/errors.hpp"
#include "samples.hpp"

namespace mskb {
namespace {

using testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();

Evaluation full_evaluation() {
  Evaluation evaluation = samples::timed(samples::passed("alpha", 3, "optimizer:x#1", 2), "span", 1.0 / 3, 2.5);
  evaluation = samples::timed(evaluation, "call", 12.25, 1.5);
  evaluation.detail = "first line of \"text\", with \\ and \t and é";
  evaluation.paper_verdict = "failed";
  evaluation.bitwise = "varies";
  evaluation.origin_error = true;
  evaluation.build_log = "logs/x.log";
  evaluation.key = "ffeeddccbbaa99887766554433221100";
  evaluation.wall_s = 0.1;
  evaluation.timing->launch_bound = true;
  evaluation.timing->stories_differ = true;
  evaluation.timing->generations_differ = true;
  evaluation.timing->clock_mhz = 1980.25;
  evaluation.timing->dropped_rounds = 3;
  evaluation.timing->clock_unsteady = true;
  evaluation.timing->first_call_us = 1e-300;
  OutputError error;
  error.output = "out";
  error.checked = std::numeric_limits<std::uint64_t>::max();
  error.refused = 2;
  error.worst_ratio = 0.1 + 0.2;
  error.first_refused = std::numeric_limits<std::int64_t>::min();
  error.got = -0.0;
  error.want = 5e-324;
  evaluation.errors.push_back(error);
  KernelLaunch launch;
  launch.kernel = "void k<float>(int)";
  launch.grid[0] = 4294967295u;
  launch.block[2] = 7;
  launch.dynamic_shared = 49152;
  evaluation.launches.push_back(launch);
  return evaluation;
}

std::string fault_of(const std::string& line) {
  try {
    parse_record(line);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Record, RoundTripsEveryField) {
  const std::string line = record_line(full_evaluation());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const Evaluation read = parse_record(line);
  EXPECT_EQ(record_line(read), line);
  EXPECT_EQ(read.verdict, Verdict::passed);
  EXPECT_EQ(read.detail, full_evaluation().detail);
  EXPECT_EQ(read.timing->clocks.at("span").median, 1.0 / 3);
  EXPECT_EQ(read.timing->first_call_us, 1e-300);
  EXPECT_EQ(read.timing->clock_mhz, 1980.25);
  EXPECT_EQ(read.timing->dropped_rounds, 3);
  EXPECT_TRUE(read.timing->clock_unsteady);
  EXPECT_EQ(read.timing->speedups.at("call").value, 1.5);
  EXPECT_EQ(read.errors.at(0).checked, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(read.errors.at(0).worst_ratio, 0.1 + 0.2);
  EXPECT_EQ(read.errors.at(0).first_refused, std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(std::signbit(read.errors.at(0).got));
  EXPECT_EQ(read.errors.at(0).want, 5e-324);
  EXPECT_EQ(read.launches.at(0).grid[0], 4294967295u);
  EXPECT_EQ(read.launches.at(0).block[2], 7u);
}

TEST(Record, EveryVerdictRoundTrips) {
  for (const VerdictInfo& known : verdicts) {
    const Evaluation evaluation = samples::failed(samples::passed("alpha", 0, "reference", 1), known.verdict, "");
    EXPECT_EQ(parse_record(record_line(evaluation)).verdict, known.verdict);
  }
}

TEST(Record, WritesNumbersThatAreNotFiniteAsNullWithTheirName) {
  Evaluation evaluation = full_evaluation();
  evaluation.errors[0].worst_ratio = infinity;
  evaluation.errors[0].got = std::nan("");
  evaluation.errors[0].want = -infinity;
  evaluation.timing->clocks["span"].rounds[1] = std::nan("");
  const std::string line = record_line(evaluation);
  EXPECT_THAT(line, HasSubstr("\"worst_ratio\":null"));
  EXPECT_THAT(line, HasSubstr("\"errors/0/got\":\"nan\""));
  EXPECT_THAT(line, HasSubstr("\"timing/clocks/span/rounds/1\":\"nan\""));
  const Evaluation read = parse_record(line);
  EXPECT_EQ(read.errors[0].worst_ratio, infinity);
  EXPECT_EQ(read.errors[0].want, -infinity);
  EXPECT_TRUE(std::isnan(read.errors[0].got));
  EXPECT_TRUE(std::isnan(read.timing->clocks.at("span").rounds[1]));
  EXPECT_EQ(record_line(read), line);
}

TEST(Record, KeepsBytesThatAreNotUtf8OutOfTheFile) {
  Evaluation evaluation = full_evaluation();
  evaluation.detail = "kernel printed \xff\xfe";
  EXPECT_EQ(parse_record(record_line(evaluation)).detail, "kernel printed \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Record, IgnoresFieldsThatItDoesNotKnow) {
  const std::string line = record_line(full_evaluation());
  const std::string newer = replaced(line, "{\"id\"", "{\"colour\":[1,{\"x\":null}],\"id\"");
  EXPECT_EQ(record_line(parse_record(newer)), line);
}

TEST(Record, NamesTheFieldThatIsMissing) {
  const std::string line = record_line(full_evaluation());
  EXPECT_EQ(fault_of(replaced(line, "\"group_size\"", "\"group_sizes\"")), "field 'group_size' is missing");
  EXPECT_EQ(fault_of(replaced(line, "\"output\"", "\"outputs\"")), "field 'errors/0/output' is missing");
  EXPECT_EQ(fault_of("{}"), "field 'id' is missing");
  EXPECT_EQ(fault_of("[]"), "the record is not an object");
}

TEST(Record, NamesTheFieldOfTheWrongType) {
  const std::string line = record_line(full_evaluation());
  EXPECT_EQ(fault_of(replaced(line, "\"weight\":8.0", "\"weight\":\"8\"")), "field 'weight' is not a number");
  EXPECT_EQ(fault_of(replaced(line, "\"weight\":8.0", "\"weight\":null")), "field 'weight' is not a number");
  EXPECT_EQ(fault_of(replaced(line, "\"group_size\":2", "\"group_size\":2.5")), "field 'group_size' is not an integer in range");
  EXPECT_EQ(fault_of(replaced(line, "\"refused\":2", "\"refused\":-2")), "field 'errors/0/refused' is not an integer in range");
  EXPECT_EQ(fault_of(replaced(line, "4294967295", "4294967296")), "field 'launches/0/grid/0' is not an integer in range");
  EXPECT_EQ(fault_of(replaced(line, "\"passed\"", "\"excellent\"")), "field 'verdict' is no verdict that this program knows");
  EXPECT_EQ(fault_of(replaced(line, "\"launch_bound\":true", "\"launch_bound\":1")),
            "field 'timing/launch_bound' is neither true nor false");
}

// R08: what other writers have been seen to leave behind.
TEST(Record, NamesTheFieldOfBareNonFiniteNumbers) {
  const std::string line = record_line(full_evaluation());
  for (const char* bare : {"nan", "inf", "-nan", "NaN", "Infinity"}) {
    EXPECT_THAT(fault_of(replaced(line, "\"wall_s\":0.1", std::string("\"wall_s\":") + bare)), HasSubstr("in field 'wall_s'")) << bare;
  }
}

TEST(Record, NamesOtherSyntaxFaults) {
  const std::string line = record_line(full_evaluation());
  EXPECT_THAT(fault_of(replaced(line, "\"wall_s\":0.1}", "\"wall_s\":0.1,}")), HasSubstr("in field 'wall_s'"));
  EXPECT_THAT(fault_of(replaced(line, "\"wall_s\":0.1", "\"wall_s\":10%")), HasSubstr("in field 'wall_s'"));
  EXPECT_EQ(fault_of("warning: clock unsteady " + line), "has text before '{'");
  EXPECT_EQ(fault_of("warning"), "is not a record: there is no '{'");
  EXPECT_EQ(fault_of(replaced(line, "\"wall_s\":0.1", "\"wall_s\":1e999")), "holds a number outside the range of a double");
  EXPECT_THAT(fault_of(line.substr(0, line.size() - 4)), HasSubstr("is not JSON"));
}

TEST(RecordFault, RefusesATimingWithoutAPass) {
  Evaluation evaluation = full_evaluation();
  EXPECT_EQ(record_fault(evaluation), "");
  for (const VerdictInfo& known : verdicts) {
    evaluation.verdict = known.verdict;
    EXPECT_EQ(record_fault(evaluation).empty(), known.verdict == Verdict::passed) << known.name;
  }
}

TEST(RecordFault, AllowsATimingWhereThePublishedRulePassed) {
  Evaluation evaluation = samples::timed(samples::passed("alpha", 0, "file:x", 1), "batch", 1, 2);
  evaluation.verdict = Verdict::mismatch;
  evaluation.paper_verdict = "passed";
  EXPECT_EQ(record_fault(evaluation), "");
  evaluation.timing->protocol = "strict";
  EXPECT_THAT(record_fault(evaluation), HasSubstr("a timing without a pass (mismatch)"));
}

TEST(VerdictFault, FindsNothingInHonestRecords) {
  Evaluation evaluation = samples::passed("alpha", 0, "file:x", 1);
  EXPECT_EQ(verdict_fault(evaluation), "");
  evaluation.errors = {{"out", 100, 0, 0, 0, 0.9}};
  EXPECT_EQ(verdict_fault(evaluation), "");
  evaluation.errors.front().worst_ratio = 1.5;
  evaluation.origin_error = true;
  EXPECT_EQ(verdict_fault(evaluation), "") << "bounds were widened";
  evaluation = samples::failed(samples::passed("alpha", 0, "file:x", 1), Verdict::mismatch, "out[3]: got 1, want 2");
  evaluation.errors = {{"out", 100, 1, 0, 0, 50}};
  EXPECT_EQ(verdict_fault(evaluation), "");
  evaluation.verdict = Verdict::out_of_bounds;
  EXPECT_EQ(verdict_fault(evaluation), "") << "what writes out of bounds may be wrong too";
}

TEST(VerdictFault, SeesAVerdictThatItsRecordContradicts) {
  Evaluation pass = samples::passed("alpha", 0, "file:x", 1);
  pass.errors = {{"out", 100, 0, 0, 0, 0.9}};
  for (const VerdictInfo& known : verdicts) {
    pass.verdict = known.verdict;
    EXPECT_EQ(verdict_fault(pass).empty(), known.verdict == Verdict::passed) << known.name;
  }
  pass.detail = "out[3]: got 1, want 2";
  pass.verdict = Verdict::mismatch;
  EXPECT_EQ(verdict_fault(pass), "it is called mismatch, but no element was refused");
  pass.verdict = Verdict::incomplete;
  EXPECT_EQ(verdict_fault(pass), "it is called incomplete, but every element was written");
  Evaluation wrong = samples::passed("alpha", 0, "file:x", 1);
  wrong.errors = {{"out", 100, 1, 0, 0, 50}};
  EXPECT_EQ(verdict_fault(wrong), "it passed, but elements of out were refused");
  wrong.detail = "signal 11";
  EXPECT_EQ(verdict_fault(wrong), "it passed, but says: signal 11");
  wrong.verdict = Verdict::crashed;
  EXPECT_EQ(verdict_fault(wrong), "it is called crashed, but elements were refused before");
}

TEST(RecordFault, RefusesARecordWithoutDevice) {
  Evaluation evaluation = full_evaluation();
  evaluation.device.clear();
  EXPECT_THAT(record_fault(evaluation), HasSubstr("names no device"));
}

}  // namespace
}  // namespace mskb
