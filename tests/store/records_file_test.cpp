#include "store/records_file.hpp"

#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "samples.hpp"
#include "store/record.hpp"

namespace mskb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string run_id = "0123456789ab";

std::string lines_of(const std::vector<Evaluation>& group) {
  std::string text;
  for (const Evaluation& evaluation : group) {
    text += record_line(evaluation) + "\n";
  }
  return text;
}

std::string one_line(const std::string& task, int group_size) {
  return record_line(samples::passed(task, 0, "reference", group_size)) + "\n";
}

RecordsFile scan(const std::string& text) { return scan_records(text, "e.jsonl", run_id); }

TEST(RecordsFile, ReadsWholeGroupsInOrder) {
  const std::string text = records_header(run_id) + lines_of(samples::group("alpha", 0, 3)) + lines_of(samples::group("beta", 1, 2));
  const RecordsFile file = scan(text);
  ASSERT_THAT(file.evaluations, SizeIs(5));
  EXPECT_EQ(file.evaluations[0].task, "alpha");
  EXPECT_EQ(file.evaluations[4].origin, "file:1");
  EXPECT_THAT(file.groups, SizeIs(2));
  EXPECT_THAT(file.notes, IsEmpty());
  EXPECT_THAT(file.damage, IsEmpty());
  EXPECT_EQ(file.intact_bytes, text.size());
}

// Wherever a kill cuts the file, exactly the whole groups remain, and nothing is called damage.
TEST(RecordsFile, EveryCutLeavesWholeGroups) {
  const std::string head = records_header(run_id);
  const std::string first = head + lines_of(samples::group("alpha", 0, 3));
  const std::string text = first + lines_of(samples::group("beta", 1, 2));
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const RecordsFile file = scan(text.substr(0, cut));
    const std::size_t whole = cut == text.size() ? 5 : cut >= first.size() ? 3 : 0;
    ASSERT_EQ(file.evaluations.size(), whole) << cut;
    ASSERT_THAT(file.damage, IsEmpty()) << cut;
    const std::size_t intact = whole == 5 ? text.size() : whole == 3 ? first.size() : cut >= head.size() ? head.size() : 0;
    ASSERT_EQ(file.intact_bytes, intact) << cut;
    ASSERT_EQ(file.notes.empty(), cut == intact) << cut;
  }
}

TEST(RecordsFile, NotesTheCutLineAndTheIncompleteGroup) {
  const std::string text = records_header(run_id) + lines_of(samples::group("alpha", 0, 1)) + one_line("beta", 2) + "{\"id\":";
  EXPECT_THAT(scan(text).notes, ElementsAre("e.jsonl:4: the last line is cut after 6 bytes; left out",
                                            "e.jsonl:3: group group of beta/fp32/paper/0 has 1 of 2 records; left out"));
}

// R08: tolerant of every foreign line, which is named and makes the run invalid.
TEST(RecordsFile, NamesDamagedLines) {
  const std::string bad = one_line("beta", 1);
  const std::string nan = std::string(bad).replace(bad.find("\"weight\":1.0"), 12, "\"weight\":nan");
  const std::string comma = std::string(bad).replace(bad.size() - 2, 2, ",}\n");
  const std::string text = "log line before the header\n" + records_header(run_id) + one_line("alpha", 1) + nan + comma + "log line: " + bad +
                           one_line("gamma", 1);
  const RecordsFile file = scan(text);
  ASSERT_THAT(file.evaluations, SizeIs(2));
  EXPECT_THAT(file.damage, ElementsAre("e.jsonl:1: is not a record: there is no '{'",
                                       AllOf(HasSubstr("e.jsonl:4: is not JSON"), HasSubstr("in field 'weight'")),
                                       AllOf(HasSubstr("e.jsonl:5: is not JSON"), HasSubstr("in field 'wall_s'")),
                                       "e.jsonl:6: has text before '{'"));
}

TEST(RecordsFile, NamesMissingFieldsWithTheirLine) {
  std::string line = one_line("alpha", 1);
  line.replace(line.find("\"candidate\""), 11, "\"kandidate\"");
  EXPECT_THAT(scan(records_header(run_id) + line).damage, ElementsAre("e.jsonl:2: field 'candidate' is missing"));
}

TEST(RecordsFile, RefusesStoredTimingsWithoutAPassAndRecordsWithoutDevice) {
  Evaluation timed = samples::timed(samples::passed("alpha", 0, "reference", 1), "span", 1, 1);
  timed.verdict = Verdict::mismatch;
  Evaluation nowhere = samples::passed("beta", 0, "reference", 1);
  nowhere.device.clear();
  const RecordsFile file = scan(records_header(run_id) + lines_of({timed, nowhere}));
  EXPECT_THAT(file.evaluations, IsEmpty());
  EXPECT_THAT(file.damage, ElementsAre(HasSubstr("e.jsonl:2: is refused: record alpha/fp32/paper/0 by reference holds a timing without a pass"),
                                       HasSubstr("e.jsonl:3: is refused: record beta/fp32/paper/0 by reference names no device")));
}

TEST(RecordsFile, AVerdictThatItsRecordContradictsIsKeptAndTold) {
  Evaluation pass = samples::passed("alpha", 0, "reference", 1);
  pass.detail = "out[3]: got 1, want 2";
  const RecordsFile file = scan(records_header(run_id) + lines_of({pass}));
  EXPECT_THAT(file.evaluations, SizeIs(1));
  EXPECT_THAT(file.damage, ElementsAre(HasSubstr("e.jsonl:2: alpha/fp32/paper/0 by reference alpha/fp32/paper/0 reference: it passed, but says: out[3]")));
}

TEST(RecordsFile, AnIncompleteGroupBeforeWholeOnesIsDamage) {
  const RecordsFile file = scan(records_header(run_id) + one_line("alpha", 2) + one_line("beta", 1));
  EXPECT_THAT(file.evaluations, SizeIs(1));
  EXPECT_THAT(file.damage, ElementsAre(HasSubstr("e.jsonl:2: group group of alpha/fp32/paper/0 has 1 of 2 records")));
}

TEST(RecordsFile, ARepeatedRecordCountsOnce) {
  const RecordsFile file = scan(records_header(run_id) + one_line("alpha", 1) + one_line("alpha", 1));
  EXPECT_THAT(file.evaluations, SizeIs(1));
  EXPECT_THAT(file.damage, ElementsAre("e.jsonl:3: repeats record alpha/fp32/paper/0 by reference"));
}

void expect_refused(const std::string& text, const std::string& why) {
  try {
    scan(text);
    FAIL() << why;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(why));
  }
}

TEST(RecordsFile, RefusesAnotherSchema) {
  expect_refused("{\"schema\":2,\"run\":\"" + run_id + "\"}\n" + one_line("alpha", 1), "e.jsonl:1: schema 2, and this program reads schema 1");
}

TEST(RecordsFile, RefusesMixedSchemas) {
  expect_refused(records_header(run_id) + one_line("alpha", 1) + "{\"schema\":7,\"run\":\"x\"}\n", "e.jsonl:3: schema 7");
}

TEST(RecordsFile, RefusesRecordsOfAnotherRun) { expect_refused(records_header("ffffffffffff"), "e.jsonl:1: records of another run"); }

TEST(RecordsFile, RefusesAFileWithoutHeader) {
  expect_refused(one_line("alpha", 1), "e.jsonl:1: no header");
  expect_refused("hello\n", "e.jsonl:1: no header");
}

}  // namespace
}  // namespace mskb
