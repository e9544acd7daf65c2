#include "cli/exit_code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"

namespace mskb::cli {

int exit_code_of(const StoredRun& run) {
  const auto any = [&](auto holds) { return std::any_of(run.evaluations.begin(), run.evaluations.end(), holds); };
  if (any([](const Evaluation& each) { return info(each.verdict).failure; })) {
    return 1;
  }
  if (!run.evaluations.empty() && !any([](const Evaluation& each) { return each.verdict != Verdict::skipped; })) {
    throw InputError(fmt::format("nothing ran, kernels were compiled at most ({}); use a machine that has what is missing, or --device cpu for verdicts",
                                 run.evaluations.front().detail));
  }
  return 0;
}

}  // namespace mskb::cli
