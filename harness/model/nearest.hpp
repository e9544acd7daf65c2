#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace mskb {

// The candidate with the smallest edit distance (letter case aside); empty when none is near.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'x'?" or, when none is near, "; known: a, b, c".
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace mskb
