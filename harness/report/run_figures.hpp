#pragma once
#include <string>
#include <utility>
#include <vector>

#include "model/run.hpp"

namespace mskb {

// The run's figures in words, as a reader of a table or page takes them: what it is, and its value with its unit.
std::vector<std::pair<std::string, std::string>> run_figure_words(const Run& run);

}  // namespace mskb
