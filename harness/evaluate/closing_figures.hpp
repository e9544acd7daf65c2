#pragma once
#include <map>
#include <string>
#include <vector>

#include "model/evaluation.hpp"

namespace mskb {

// The closing figures of a run that follow from its records, as run.yaml spells them; empty where nothing is timed.
std::map<std::string, std::string> closing_figures(const std::vector<Evaluation>& evaluations);

}  // namespace mskb
