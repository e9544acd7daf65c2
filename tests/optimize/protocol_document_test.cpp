#include <gmock/gmock.h>

#include <regex>

#include "fake_harness.hpp"

namespace mskb {
namespace {

using test::FakeSession;

const std::string& document() {
  static const std::string text = read_file(std::filesystem::path(MSKB_SOURCE_DIR) / "docs/optimizer-protocol.md");
  return text;
}

// The fenced blocks of one language.
std::vector<std::string> blocks(const std::string& language) {
  std::vector<std::string> found;
  const std::string open = "```" + language + "\n", close = "\n```";
  for (std::size_t at = document().find(open); at != std::string::npos; at = document().find(open, at + 1)) {
    const std::size_t start = at + open.size();
    found.push_back(document().substr(start, document().find(close, start) - start) + "\n");
  }
  return found;
}

std::vector<Json> examples(const std::string& type) {
  std::vector<Json> found;
  for (const std::string& block : blocks("json")) {
    const Json message = Json::parse(block);
    if (message.at("type") == type) {
      found.push_back(message);
    }
  }
  return found;
}

// Paths of all members, those of a list's items once: "cases[].case".
void collect(const Json& value, const std::string& path, std::set<std::string>& paths) {
  if (value.is_object()) {
    for (const auto& member : value.items()) {
      const std::string inner = path.empty() ? member.key() : path + "." + member.key();
      paths.insert(inner);
      collect(member.value(), inner, paths);
    }
  } else if (value.is_array()) {
    for (const Json& item : value) {
      collect(item, path + "[]", paths);
    }
  }
}

std::set<std::string> members(const Json& value) {
  std::set<std::string> paths;
  collect(value, "", paths);
  return paths;
}

// A member whose names are data, not fields.
bool is_data(const std::string& path) {
  for (const char* map : {"cases.", "reference.sources.", "options.", ".dims.", "median_us.", "speedup."}) {
    if (path.find(map) != std::string::npos) {
      return true;
    }
  }
  return false;
}

std::set<std::string> fields(const Json& message) {
  std::set<std::string> kept;
  for (const std::string& path : members(message)) {
    if (!is_data(path)) {
      kept.insert(path);
    }
  }
  return kept;
}

TEST(ProtocolDocument, ShowsEachMessage) {
  for (const char* type : {"check", "checked", "start", "evaluate", "evaluation", "note", "stop", "error", "submit", "suspend"}) {
    EXPECT_FALSE(examples(type).empty()) << type;
  }
}

TEST(ProtocolDocument, TheOptimizersMessagesAreTaken) {
  for (const char* type : {"evaluate", "note", "submit", "suspend"}) {
    for (const Json& example : examples(type)) {
      EXPECT_NO_THROW(parse_message(example, {"smoke", "check", "paper"})) << example.dump();
    }
  }
}

TEST(ProtocolDocument, TheHarnesssMessagesHaveTheFieldsShown) {
  StartFacts facts;
  facts.problem = test::silu_fp32();
  facts.reference = reference_candidate(facts.problem);
  facts.options = {{"rounds", "3"}};
  const Json start = start_message(facts);
  EXPECT_EQ(fields(start), fields(examples("start").at(0)));
  EXPECT_EQ(members(start.at("cases").at("smoke").at(0)), members(examples("start").at(0).at("cases").at("smoke").at(0)));
  EXPECT_EQ(start.at("signature"), examples("start").at(0).at("signature"));
  EXPECT_EQ(start.at("declaration"), examples("start").at(0).at("declaration"));

  Candidate candidate;
  candidate.main_source = "a.cu";
  candidate.sources["a.cu"] = "fast";
  CandidateReport report = test::fake_report(candidate, {"smoke"}, true);
  report.kernels.push_back({});
  report.cases[0].launches.push_back({});
  report.cases[0].errors[0].first_refused = 3;
  report.cases[0].timing->clocks["call"] = {};
  report.references[0].timing->clocks["call"] = {};
  EXPECT_EQ(members(evaluation_message(report, 1, false, left_of({}, {}))), members(examples("evaluation").at(0)));
  EXPECT_EQ(members(stop_message("evaluations", "spent", left_of({}, {}))), members(examples("stop").at(0)));
  EXPECT_EQ(members(error_message("wrong", 7)), members(examples("error").at(0)));
}

TEST(ProtocolDocument, ThePythonExampleIsShortAndRuns) {
  ASSERT_EQ(blocks("python").size(), 1u);
  const std::string code = blocks("python")[0];
  EXPECT_LE(std::count(code.begin(), code.end(), '\n'), 45);
  for (const bool timed : {false, true}) {
    FakeSession session;
    session.timed = timed;
    const SessionOutcome outcome = session.python(code);
    EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
    EXPECT_EQ(outcome.spending.evaluations, 3);
    EXPECT_NE(outcome.submitted->sources.begin()->second.find("threads = 64;"), std::string::npos) << "the first of equals";
    EXPECT_NE(session.messages(false, "evaluate")[2].at("sources").dump().find("threads = 1024;"), std::string::npos);
  }
}

TEST(ProtocolDocument, ThePythonExampleStopsWhenTold) {
  FakeSession session;
  session.plan.budget.evaluations = 1;
  const SessionOutcome outcome = session.python(blocks("python")[0]);
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
}

TEST(ProtocolDocument, TheCppExampleIsTheOneThatIsBuilt) {
  ASSERT_EQ(blocks("cpp").size(), 1u);
  EXPECT_EQ(blocks("cpp")[0], read_file(std::filesystem::path(MSKB_SOURCE_DIR) / "tests/optimize/flag_optimizer.cpp"));
}

}  // namespace
}  // namespace mskb
