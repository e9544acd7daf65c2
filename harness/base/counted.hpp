#pragma once
#include <concepts>
#include <string>

namespace mskb {

// "1 case holds", "3 cases hold": a count with what is counted, said of one and of several.
std::string counted(std::integral auto count, const std::string& one, const std::string& several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

// The same of a word whose plural ends in s: "1 case", "3 cases".
std::string counted(std::integral auto count, const std::string& one) { return counted(count, one, one + "s"); }

}  // namespace mskb
