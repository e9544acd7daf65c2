#include "mskb/optimizer.hpp"

// Proposes ever new texts until the budget stops it; the header then submits the best one. Notes what was refused.
class StubbornOptimizer : public mskb::Optimizer {
  mskb::optimizer::Submission optimize(const mskb::optimizer::Start& start, mskb::optimizer::Harness& harness) override {
    mskb::optimizer::Note note;
    note.role = "setup";
    note.text = start.task + "/" + start.precision + " " + start.options.at("wish");
    note.input_tokens = 10;
    note.output_tokens = 5;
    harness.note(note);
    mskb::optimizer::Proposal proposal;
    proposal.sources["kernel.cu"] = start.reference;
    proposal.cases = {"huge"};
    try {
      harness.evaluate(proposal);
    } catch (const mskb::optimizer::Refused& refused) {
      note = {};
      note.text = refused.what();
      harness.note(note);
    }
    proposal.cases = {"smoke"};
    for (int attempt = 1;; ++attempt) {
      proposal.sources["kernel.cu"] = "// attempt " + std::to_string(attempt) + "\n" + (attempt == 1 ? "wrong" : "right");
      harness.evaluate(proposal);
    }
  }
};

MSKB_OPTIMIZER_MAIN(StubbornOptimizer)
