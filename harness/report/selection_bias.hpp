#pragma once
#include <optional>
#include <string>
#include <vector>

#include "report/grid.hpp"
#include "report/score.hpp"
#include "report/sessions.hpp"

namespace mskb {

// What a session's search saw of its best version, and what the final measurement found of the submission: the best of many noisy figures is
// too high by itself, and only the final one counts (docs/measuring.md).
struct SelectionBias {
  std::string problem, set;
  int versions = 0;        // proposals, each counted once, with a P on the set
  double best_seen = 0;    // P of the best of them, on the session's clock
  double final = 0;        // P of the submission, in new processes with contents never shown

  double excess() const { return best_seen / final - 1; }
};

// Of problems whose submission was timed as a whole in both, on the same clock; by problem and size set.
std::vector<SelectionBias> selection_biases(const Sessions& sessions, const std::vector<ProblemScore>& scores);

// best seen / final - 1 by the geometric mean; absent for none.
std::optional<double> mean_excess(const std::vector<SelectionBias>& biases);

Grid selection_bias_grid(const std::vector<SelectionBias>& biases);

}  // namespace mskb
