#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/candidate.hpp"
#include "optimize/budget.hpp"
#include "optimize/channel.hpp"
#include "optimize/json.hpp"
#include "optimize/messages.hpp"
#include "optimize/transcript.hpp"

namespace mskb {

// How patient a session is, beside its budget.
struct SessionLimits {
  int malformed = 8;                          // malformed messages that are answered; one more ends the session
  std::chrono::milliseconds after_stop{30000};  // from `stop` to the submit that must follow
  std::chrono::milliseconds reading{60000};     // for the optimizer to read one message
  std::chrono::milliseconds leaving{5000};      // from the end of the conversation to the end of its process
};

// An evaluation that cannot be made now: the session is suspended, and makes it when it is led again.
struct EvaluationAwaited : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr const char* awaits_device = "device";

// All that a session is about and all that it asks of the harness.
struct SessionPlan {
  std::string optimizer;                      // the candidates' origin is "optimizer:<name>#<n>"
  std::string problem;                        // for progress lines
  std::filesystem::path run_folder;           // absolute; what an optimizer awaits there is named from there, so that the run can be moved
  Json start;                                 // the start message
  std::vector<std::string> sets;              // size sets that may be asked for
  Budget budget;                              // wall_s is always limited
  SessionLimits limits;
  std::string key;                            // of its evaluations' contents; told to the transcript when it has ended
  // Evaluates one candidate. What it throws but EvaluationAwaited is the harness's failure and ends the session without an end in the
  // transcript.
  std::function<CandidateReport(const Candidate&, const std::vector<std::string>& sets)> evaluate;
  // Adds a profile to a candidate's report, when the optimizer asks for one.
  std::function<void(const Candidate&, CandidateReport&)> profile = [](const Candidate&, CandidateReport& report) {
    report.profile_reason = "this session takes no profiles";
  };
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  std::function<void(const std::string&)> notice = [](const std::string&) {};  // a line that stays
};

// How it ended. All but `submitted` leave the problem without a candidate. One that is `suspended` has not ended: led again, it goes on.
enum class SessionEnding { submitted, nothing_submitted, died, timed_out, failed, suspended };

const char* to_string(SessionEnding ending);

struct SessionOutcome {
  SessionEnding ending = SessionEnding::failed;
  std::string detail;                         // one line; empty for `submitted`
  std::optional<Candidate> submitted;
  Spending spending;
  std::string awaits;                         // suspended: the file that has to appear, or awaits_device; may be empty
};

Json to_json(const SessionOutcome& outcome);
SessionOutcome outcome_from_json(const Json& json);

// Leads one problem's conversation with one optimizer to its end, or until it suspends itself. What the optimizer does wrong is data. `recorded`
// is what an earlier, unfinished leading of the same session left in the transcript: as long as the optimizer says the same as there, it is told
// the same again and nothing is evaluated.
SessionOutcome run_session(OptimizerChannel& optimizer, const SessionPlan& plan, Transcript& transcript, StoredTranscript recorded = {});

}  // namespace mskb
