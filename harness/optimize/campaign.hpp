#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "evaluate/evaluator.hpp"
#include "optimize/budget.hpp"
#include "optimize/optimizer_file.hpp"
#include "optimize/session.hpp"
#include "optimize/session_profile.hpp"

namespace mskb {

// What a campaign asks of an Evaluator. At most one is open at a time: a device serves one.
class Measurer {
 public:
  virtual ~Measurer() = default;
  virtual const Environment& environment() const = 0;
  virtual void run(const std::vector<ProblemPlan>& plans, const EvaluatorSink& sink) = 0;
  virtual std::map<std::string, std::string> figures() const = 0;
};
// Builds a candidate as an evaluator of that environment does, which then finds it built. Safe to use from several threads. Throws InputError
// where the compiler is missing.
using BuildAhead = std::function<BuildResult(const Environment& environment, const Problem& problem, const Candidate& candidate)>;
using OpenMeasurer = std::function<std::unique_ptr<Measurer>(const RunKey& key, const std::string& run_id)>;

// Evaluators with these options, but for key and run id.
OpenMeasurer evaluators(const EvaluatorOptions& options);
// With builders like theirs.
BuildAhead builds_ahead(const EvaluatorOptions& options);

struct OptimizeOptions {
  OptimizerFile optimizer;
  std::map<std::string, std::string> optimizer_options;  // in place of the optimizer's defaults
  std::vector<Problem> problems;
  std::vector<std::string> sets;                         // measured in the end
  std::map<std::string, std::vector<Candidate>> baselines;  // by problem name, measured beside the submissions
  Budget budget;                                         // of each session; wall_s is always limited
  SessionLimits limits;
  std::string protocol, clock;                           // as told to the optimizer; see StartFacts
  std::filesystem::path out;
  SessionProfiles profiles;
  std::map<std::string, std::string> shown_as;           // paths of this machine -> what an optimizer reads in compiler logs instead
  bool resume = false;
  int sessions = 1;                                      // led at once; the device serves one at a time
  // The head of a new run; id, key and environment are filled in.
  Run head;
  OpenMeasurer open;                                     // for the final measurement
  OpenMeasurer open_for_sessions;                        // empty: as above
  OpenMeasurer open_screen;                              // of the CPU backend: what fails there at `smoke` does not reach the device; may be empty
  BuildAhead build_ahead = [](const Environment&, const Problem&, const Candidate&) { return BuildResult(); };
  // Goes on with a run without its device: a session is suspended where it needs it, and nothing is measured.
  bool off_device = false;
  // Who is asked in place of the optimizer's process; empty: its process.
  std::function<OptimizerChannel&(const Problem&)> connect;
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  std::function<void(const std::string&)> notice = [](const std::string&) {};  // a line that stays
};

struct CampaignResult {
  std::map<std::string, SessionOutcome> sessions;        // by problem name
  int suspended = 0;
  bool measured = false;                                 // false while sessions are suspended, and without the device
};

// `mskb optimize`: one session per problem, then every submission measured by a new evaluator with a key of its own; that alone is on record.
// A problem without a submission is on record as build_failed, with the reason. Under `resume` sessions that ended are not repeated, and those
// that were cut off or suspended go on from their transcripts; while one is suspended nothing is measured, and <out>/waiting.json names what they
// await. Optimizers without a process submit their solution without a session.
CampaignResult run_optimize(const OptimizeOptions& options);

}  // namespace mskb
