#pragma once
#include <map>
#include <string>
#include <vector>

#include "mskb/optimizer.hpp"

namespace mskb::astra {

// One test as the testing agent wants it.
struct WantedTest {
  std::map<std::string, double> dims;
  std::string text;  // as it was written
};

// A list of objects with `dims`, or an object whose member `tests` is one; what cannot be read is left out.
std::vector<WantedTest> wanted_tests(const std::string& answer);

// The size set of the harness that most of the tests come nearest to, of `sets`; the first of them when there is no
// majority. A test is nearest to the case whose dims differ by the smallest factors.
std::string nearest_set(const std::vector<WantedTest>& tests, const optimizer::Start& start,
                        const std::vector<std::string>& sets);

}  // namespace mskb::astra
