// A fixture as the CPU backend would run it: translated, compiled by the host compiler and loaded into this program.
#pragma once

#include <string>

#include "simt/translate.hpp"

namespace mskb::simt::testing {

// Path of the shared object made from fixtures/<name>.cu. Compiled once and kept beside the test programs.
std::string build_candidate(const std::string& name, Flavour flavour);

// The line of fixtures/<name>.cu whose comment is "// <mark>".
int marked_line(const std::string& name, const std::string& mark);

class Candidate {
 public:
  explicit Candidate(const std::string& name, Flavour flavour = Flavour::plain);

  template <class Result, class... Arguments>
  Result call(const char* entry, Arguments... arguments) const {
    return reinterpret_cast<Result (*)(Arguments...)>(find(entry))(arguments...);
  }

 private:
  void* find(const char* entry) const;
  void* handle_;
};

}  // namespace mskb::simt::testing
