#include "astra/tests_choice.hpp"

#include <cmath>
#include <limits>

#include "common/response.hpp"

namespace mskb::astra {

namespace {

using nlohmann::json;

// Sum of the logarithms of the factors between the dims; infinite when the test names a dim that the case lacks.
double distance(const WantedTest& test, const optimizer::Case& each) {
  double sum = 0;
  for (const auto& [name, value] : test.dims) {
    const auto found = each.dims.find(name);
    if (found == each.dims.end()) {
      return std::numeric_limits<double>::infinity();
    }
    sum += std::fabs(std::log((value + 1) / (found->second + 1)));
  }
  return sum;
}

}  // namespace

std::vector<WantedTest> wanted_tests(const std::string& answer) {
  std::optional<json> value = agents::json_in(answer);
  if (value && value->is_object() && value->contains("tests")) {
    value = json(value->at("tests"));
  }
  std::vector<WantedTest> tests;
  if (!value || !value->is_array()) {
    return tests;
  }
  for (const json& entry : *value) {
    if (!entry.is_object() || !entry.contains("dims") || !entry["dims"].is_object()) {
      continue;
    }
    WantedTest test;
    test.text = entry.dump(-1, ' ', false, json::error_handler_t::replace);
    for (const auto& [name, dim] : entry["dims"].items()) {
      if (dim.is_number() && dim.get<double>() >= 0) {
        test.dims[name] = dim.get<double>();
      }
    }
    if (!test.dims.empty()) {
      tests.push_back(test);
    }
  }
  return tests;
}

std::string nearest_set(const std::vector<WantedTest>& tests, const optimizer::Start& start,
                        const std::vector<std::string>& sets) {
  std::map<std::string, int> votes;
  for (const WantedTest& test : tests) {
    double least = std::numeric_limits<double>::infinity();
    std::string nearest;
    for (const std::string& set : sets) {
      const auto found = start.cases.find(set);
      if (found == start.cases.end()) {
        continue;
      }
      for (const optimizer::Case& each : found->second) {
        if (distance(test, each) < least) {
          least = distance(test, each);
          nearest = set;
        }
      }
    }
    ++votes[nearest];
  }
  for (const std::string& set : sets) {
    if (2 * static_cast<std::size_t>(votes[set]) > tests.size()) {
      return set;
    }
  }
  return sets.front();
}

}  // namespace mskb::astra
