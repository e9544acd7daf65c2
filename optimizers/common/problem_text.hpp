#pragma once
#include <string>

#include "mskb/optimizer.hpp"

// What the harness tells of the problem, in words for a prompt.
namespace mskb::agents {

// What is to be computed: declaration, arguments, sizes, what is accepted, and the task's notes. `scored` is the size set
// that counts.
std::string problem_text(const optimizer::Start& start, const std::string& scored);

// How far each output may be from truth, one line each.
std::string acceptance_text(const optimizer::Start& start);

// One line: the sizes that count, with the names of their dims and each size's share of the score; empty where there are
// none.
std::string sizes_text(const optimizer::Start& start, const std::string& scored);

// Whether a note is about the original of the other precision alone, as far as its first sentence tells.
bool is_of_other_precision(const std::string& note, const std::string& precision);

// Whether a buffer has rows that may start anywhere: more than one extent.
bool has_rows(const optimizer::Start& start);

// The original as a fenced file.
std::string fenced(const std::string& source);

}  // namespace mskb::agents
