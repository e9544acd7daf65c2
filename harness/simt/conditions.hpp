// Which lines a preprocessor leaves out, as far as the CPU backend's own macros decide it.
#pragma once

#include <vector>

#include "simt/tokens.hpp"

namespace mskb::simt {

class InactiveLines {
 public:
  // Conditions with macros that the CPU backend does not predefine count as unknown: both branches stay active.
  // Throws TranslateError for a condition that is too deep.
  explicit InactiveLines(const std::vector<TokenStream>& streams);
  bool contain(int line) const;

 private:
  struct Range {
    int first, last;
  };
  std::vector<Range> ranges_;
};

}  // namespace mskb::simt
