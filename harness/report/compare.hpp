#pragma once
#include <string>
#include <vector>

#include "report/format.hpp"
#include "store/run_reader.hpp"

namespace mskb {

struct CompareOptions {
  bool any_device = false;            // compare runs of different devices or protocols all the same
  bool baselines = false;             // vendor libraries are contestants too; they always are where there is nothing else
  std::string spend = "evaluations";  // what best-so-far stands against: evaluations, tokens or money
};

// Runs, or the candidates of one run, problem by problem. A contestant is one author in one run: an optimizer, the best of the libraries, or the files of a
// run where it has one for each problem; files of different names are compared with each other. Runs that hold one
// candidate at most between them are compared by their originals. The first contestant is the base. Of each other one a row says P,
// its ratio to the base's P with an interval (both P at the far ends of their intervals, so it is wide rather than narrow), the geometric mean
// of the times' ratios (base over this one), and how many cases it wins (its interval lies above), loses or leaves undecided. Totals count
// problems; one that only one side solves is that side's win, and one that a run was not asked for is nobody's. A damaged run wins and loses nothing. Where contestants have sessions, their best score so far stands against what they had
// spent. Each P compares with its own run's reference; how far the references of two runs are apart is told. Runs of the CPU backend are
// compared by verdict.
// Throws InputError for runs of different devices, backends or protocols unless asked, and where there is nothing to compare.
std::string render_comparison(const std::vector<StoredRun>& runs, Format format, const CompareOptions& options = {});

}  // namespace mskb
