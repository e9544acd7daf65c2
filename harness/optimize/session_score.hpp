#pragma once
#include <map>
#include <optional>
#include <string>

#include "optimize/json.hpp"

namespace mskb {

// The best score of a session so far, for its progress line.
class ScoreKeeper {
 public:
  void add(const Json& evaluation);  // a message of type `evaluation`
  // Weighted mean speedup of the best candidate on the size set that weighs most; nothing where nothing was timed.
  std::optional<double> best() const;
  // "best 1.84x, " or "2 of 5 passed, ".
  std::string text() const;

 private:
  struct Best {
    double weight = 0, speedup = 0;
  };
  std::map<std::string, Best> best_;  // by size set
  int evaluations_ = 0, passed_ = 0;
};

}  // namespace mskb
