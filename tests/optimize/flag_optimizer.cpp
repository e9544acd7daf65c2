#include "mskb/optimizer.hpp"

// Asks once with the original's text and a flag, and once without.
class FlagOptimizer : public mskb::Optimizer {
  mskb::optimizer::Submission optimize(const mskb::optimizer::Start& start, mskb::optimizer::Harness& harness) override {
    mskb::optimizer::Proposal proposal;
    proposal.sources[start.reference_file] = start.reference;
    const std::vector<std::string> choices[] = {{}, {"--use_fast_math"}};
    for (const std::vector<std::string>& flags : choices) {
      proposal.flags = flags;
      const mskb::optimizer::Report report = harness.evaluate(proposal);
      mskb::optimizer::Note note;
      note.role = "compiler";
      note.text = report.verdict + " " + report.detail;
      harness.note(note);
    }
    const auto best = harness.best();
    return best ? best->submission() : mskb::optimizer::Submission{"", "no version passed"};
  }
};

MSKB_OPTIMIZER_MAIN(FlagOptimizer)
