#include <cstdio>
#include <mutex>

#include "evaluate/environment.hpp"
#include "optimize/campaign.hpp"

namespace mskb {

namespace {

class EvaluatorMeasurer : public Measurer {
 public:
  explicit EvaluatorMeasurer(const EvaluatorOptions& options) : evaluator_(options) {}
  const Environment& environment() const override { return evaluator_.environment(); }
  void run(const std::vector<ProblemPlan>& plans, const EvaluatorSink& sink) override { evaluator_.run(plans, sink); }
  std::map<std::string, std::string> figures() const override { return evaluator_.figures(); }

 private:
  Evaluator evaluator_;
};

}  // namespace

OpenMeasurer evaluators(const EvaluatorOptions& options) {
  return [options](const RunKey& key, const std::string& run_id) -> std::unique_ptr<Measurer> {
    EvaluatorOptions own = options;
    own.key = key;
    own.run_id = run_id;
    return std::make_unique<EvaluatorMeasurer>(own);
  };
}

BuildAhead builds_ahead(const EvaluatorOptions& options) {
  struct Ahead {
    std::once_flag made;
    std::unique_ptr<Builder> builder;
  };
  return [options, ahead = std::make_shared<Ahead>()](const Environment& environment, const Problem& problem, const Candidate& candidate) {
    std::call_once(ahead->made, [&] {
      BuildOptions build;
      build.backend = options.backend;
      build.sandbox = options.sandbox;
      build.sanitize = options.sanitize;
      wire::DeviceFacts facts{};
      if (std::sscanf(environment.compute_capability.c_str(), "%u.%u", &facts.capability_major, &facts.capability_minor) == 2) {
        build.architecture = architecture_of(facts);
      }
      ahead->builder = std::make_unique<Builder>(options.home, options.cache, build);
    });
    return ahead->builder->candidate(problem, candidate);
  };
}

}  // namespace mskb
