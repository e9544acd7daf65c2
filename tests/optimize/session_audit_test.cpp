#include "optimize/session_audit.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "optimize/session.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A campaign that is stored in the repository, and copies of it that are edited.
class SessionAudit : public ::testing::Test {
 protected:
  SessionAudit() {
    fs::copy(fs::path(MSKB_SOURCE_DIR) / "results/h200/campaign-astra", run_, fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(run_ / "transcripts")) {
      if (entry.path().extension() == ".jsonl") {
        transcript_ = entry.path();
      }
    }
  }
  static void replace(const fs::path& file, const std::string& from, const std::string& to) {
    std::string text = read_file(file);
    const std::size_t at = text.rfind(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_file_atomically(file, text.replace(at, from.size(), to));
  }
  std::vector<std::string> found() const {
    std::vector<std::string> list;
    for (const AuditFinding& finding : audit_sessions(read_run(run_))) {
      list.push_back(finding.where + ": " + finding.what);
    }
    return list;
  }

  TemporaryDirectory folder_;
  fs::path run_ = folder_.path() / "run", transcript_;
};

TEST_F(SessionAudit, WhatWasNotEditedHolds) {
  EXPECT_THAT(found(), IsEmpty());
  for (const char* other : {"campaign", "replay", "endurance", "strict"}) {
    EXPECT_THAT(audit_sessions(read_run(fs::path(MSKB_SOURCE_DIR) / "results/h200" / other)), IsEmpty()) << other;
  }
}

TEST_F(SessionAudit, FindsASessionThatWasTakenOut) {
  fs::remove(transcript_);
  EXPECT_THAT(found(), ElementsAre("transcripts/silu_and_mul/fp32.jsonl: is not there, but what its session submitted was measured"));
}

TEST_F(SessionAudit, FindsAnotherSubmission) {
  replace(transcript_, "\"sources\":{", "\"sources\":{\"another.cu\":\"\",");
  const std::string place = "^transcripts/silu_and_mul/fp32.jsonl: submits ";
  EXPECT_THAT(found(), ElementsAre(ContainsRegex(place + "\"[0-9a-f]+\", whose sources are those of [0-9a-f]+$"),
                                   ContainsRegex(place + "[0-9a-f]+, which its conversation did not evaluate$"), ContainsRegex(place + "[0-9a-f]+, measured was [0-9a-f]+$")));
}

TEST_F(SessionAudit, FindsAnEndThatWasTakenOut) {
  const std::string whole = read_file(transcript_);
  write_file_atomically(transcript_, whole.substr(0, whole.rfind('\n', whole.size() - 2) + 1));
  EXPECT_THAT(found(), ElementsAre("transcripts/silu_and_mul/fp32.jsonl: has no end, but what it submitted was measured",
                                   "run.yaml: sessions_submitted is 1, the transcripts have 0"));
}

TEST_F(SessionAudit, FindsASubmissionWithoutACandidate) {
  const std::string whole = read_file(transcript_);
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  Json end = Json::parse(whole.substr(last));
  end["end"]["candidate"] = nullptr;
  end["end"]["spent"]["evaluations"] = end["end"]["spent"]["evaluations"].get<double>() + 0.5;
  write_file_atomically(transcript_, whole.substr(0, last) + end.dump() + "\n");
  EXPECT_THAT(found(), ElementsAre(ContainsRegex("ends with [0-9]+.5 evaluations"), HasSubstr("is said to submit, but holds no candidate"),
                                   ContainsRegex("submits nothing, measured was [0-9a-f]+$")));
}

TEST_F(SessionAudit, FindsThatAClosingFigureWasTakenOut) {
  replace(run_ / "run.yaml", "\"sessions_submitted\": ", "\"of_old\": ");
  EXPECT_THAT(found(), ElementsAre("run.yaml: sessions_submitted is not there, the transcripts have 1"));
}

TEST_F(SessionAudit, ALinkToItselfIsAFinding) {
  fs::remove(transcript_);
  fs::create_symlink(transcript_.filename(), transcript_);
  EXPECT_THAT(found(), ::testing::Contains(::testing::StartsWith("transcripts/silu_and_mul/fp32.jsonl: ")));
}

TEST_F(SessionAudit, FindsEndingsAndEvaluationsThatWereEdited) {
  replace(transcript_, "\"ending\":\"submitted\"", "\"ending\":\"died\"");
  replace(transcript_, "\"evaluations\":", "\"evaluations\":1");
  EXPECT_THAT(found(), ElementsAre(ContainsRegex("ends with 1[0-9]+ evaluations, its conversation has [0-9]+$"), HasSubstr("holds a candidate, but is not said to submit one"),
                                   "run.yaml: sessions_died is not there, the transcripts have 1", "run.yaml: sessions_submitted is 1, the transcripts have 0"));
}

TEST_F(SessionAudit, FindsASessionOfAnotherRun) {
  replace(transcript_, "\"run\":\"", "\"run\":\"f");
  EXPECT_THAT(found(), ElementsAre(ContainsRegex("is of run f[0-9a-f]+, problem silu_and_mul/fp32$")));
}

TEST_F(SessionAudit, FindsWhatIsNoTranscript) {
  write_file_atomically(transcript_, "{\"schema\":1}\n[]\n");
  EXPECT_THAT(found(), ::testing::Contains(HasSubstr("transcripts/silu_and_mul/fp32.jsonl: ")));
}

}  // namespace
}  // namespace mskb
