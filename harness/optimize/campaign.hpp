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
using OpenMeasurer = std::function<std::unique_ptr<Measurer>(const RunKey& key, const std::string& run_id)>;

// Evaluators with these options, but for key and run id.
OpenMeasurer evaluators(const EvaluatorOptions& options);

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
  // The head of a new run; id, key and environment are filled in.
  Run head;
  OpenMeasurer open;
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

struct CampaignResult {
  std::map<std::string, SessionOutcome> sessions;        // by problem name
};

// `mskb optimize`: one session per problem, then every submission measured by a new evaluator with a key of its own; that alone is on record.
// A problem without a submission is on record as build_failed, with the reason. Sessions that ended are not repeated under `resume`.
// Optimizers without a process submit their solution without a session.
CampaignResult run_optimize(const OptimizeOptions& options);

}  // namespace mskb
