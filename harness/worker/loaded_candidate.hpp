#pragma once
#include <set>
#include <string>
#include <vector>

#include "base/unique_fd.hpp"
#include "wire/invoke.hpp"

namespace mskb::worker {

// A candidate's shared object, opened through its descriptor and never unloaded: a CUDA module does not survive that in one piece.
class LoadedCandidate {
 public:
  // Throws std::runtime_error with the loader's words (an undefined symbol is named), or when the object lacks mskb_invoke.
  explicit LoadedCandidate(UniqueFd object);

  mskb_invoke_function function() const { return function_; }

  // Shared objects that have appeared since just before the candidate was loaded, even if they are gone by now; sorted.
  std::vector<std::string> libraries() const { return {appeared_.begin(), appeared_.end()}; }
  // Looks again: a call may open libraries too.
  void look_for_libraries();

 private:
  UniqueFd object_;  // stays open: sanitizers read line numbers through the path
  std::string path_;
  std::set<std::string> before_, appeared_;
  unsigned long long loads_seen_ = 0;
  mskb_invoke_function function_ = nullptr;
};

}  // namespace mskb::worker
