#pragma once
#include <map>
#include <string>
#include <vector>

#include "evaluate/statistics.hpp"
#include "model/evaluation.hpp"

namespace mskb {

// The rule by which most of the first intervals of a run follow from their rounds: this version's or an earlier one's.
IntervalRule rule_on_record(const std::vector<Evaluation>& evaluations);

// Which figures of a record do not follow from the rounds on record, a line each: medians, and speedups with their intervals and verdicts
// against the group's reference (null: there is none). Adds the figures it looked at to `count`.
std::vector<std::string> figure_faults(const Evaluation& evaluation, const Evaluation* reference, const IntervalRule& rule, std::size_t& count);

}  // namespace mskb
