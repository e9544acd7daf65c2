#pragma once
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "build/builder.hpp"
#include "model/candidate.hpp"
#include "model/case.hpp"
#include "model/evaluation.hpp"
#include "model/run.hpp"
#include "optimize/budget.hpp"
#include "optimize/json.hpp"

// The messages of docs/optimizer-protocol.md.
namespace mskb {

inline constexpr int optimizer_protocol = 1;

// ---- from the optimizer

struct EvaluateRequest {
  Candidate candidate;             // without origin
  std::vector<std::string> sets;   // size sets
  bool profile = false;
};

struct NoteMessage {
  std::optional<double> tokens, cost;  // what it adds to the session's spending; the rest is stored as it is
  std::string shown;                   // a line for who leads the session; may be empty
};

struct SubmitMessage {
  std::optional<std::string> id;   // nothing: the optimizer has no proposal
  std::string reason;
};

// The optimizer ends for now; led again, it goes on.
struct SuspendMessage {
  std::string reason;
  std::string awaits;              // the file that has to appear, where it is one
};

using OptimizerMessage = std::variant<EvaluateRequest, NoteMessage, SubmitMessage, SuspendMessage>;

// One line: which field, what is wrong with it, how to mend it.
struct MalformedMessage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads one message of an optimizer. `sets` are the size sets that the problem has. Throws MalformedMessage.
OptimizerMessage parse_message(const Json& message, const std::vector<std::string>& sets);

// ---- to the optimizer

struct StartFacts {
  Problem problem;
  Candidate reference;
  Environment environment;
  std::string clock;               // the clock that scores: span, batch; empty on the CPU, which is not timed
  std::string protocol;            // strict, paper
  Budget budget;
  std::map<std::string, std::string> options;
};
Json start_message(const StartFacts& facts);

// Size sets that the problem has cases in.
std::vector<std::string> size_sets(const Problem& problem);

// What evaluating one candidate once brought.
struct CandidateReport {
  std::string id;
  std::vector<Evaluation> cases, references;  // the candidate's, and the reference's of the same groups where there is one
  Verdict build = Verdict::passed;
  std::string build_detail, build_log;
  double build_seconds = 0;
  std::vector<KernelResources> kernels;
  Json profile;                               // null: none, and profile_reason says why
  std::string profile_reason;                 // empty where there is a profile or none was asked for
  double device_s = 0;                        // what it adds to the session's spending
};

// The first failure's verdict, else skipped if a case was, else passed.
Verdict overall_verdict(const CandidateReport& report);

Json evaluation_message(const CandidateReport& report, int number, bool profile_wanted, const Json& left);
Json stop_message(const std::string& figure, const std::string& reason, const Json& left);
Json error_message(const std::string& what, int left);

// The text as valid UTF-8 of at most `limit` bytes: three quarters of them from its start, the rest from its end.
std::string excerpt(const std::string& text, std::size_t limit);

}  // namespace mskb
