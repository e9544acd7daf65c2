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

}  // namespace mskb
