#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>

#include "report/grid.hpp"
#include "report/sessions.hpp"

namespace mskb {

// How the bottleneck classes of problems moved from their originals to what sessions submitted (docs/profiles.md).
struct ClassTransitions {
  std::set<std::string> classes;                           // that stand in any pair
  std::map<std::pair<std::string, std::string>, int> moves;  // problems by class before and after
  int unknown = 0;                                         // problems of which a profile is missing
};

ClassTransitions class_transitions(const Sessions& sessions);

// A row for each class before, a column for each after, and sums; empty without any pair.
Grid class_transition_grid(const ClassTransitions& transitions);

}  // namespace mskb
