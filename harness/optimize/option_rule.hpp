#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mskb {

// Which values an optimizer's option takes. Without any of them every text is right.
struct OptionRule {
  std::optional<std::pair<double, double>> range;  // both ends included
  bool whole = false;                              // no fraction
  std::vector<std::string> one_of;

  // What a value should be ("a whole number from 1 to 100"); empty where `value` is right. The empty value is always right: it leaves an option unset.
  std::string wanted_instead_of(const std::string& value) const;
};

}  // namespace mskb
