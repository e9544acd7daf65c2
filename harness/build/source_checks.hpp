#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "model/candidate.hpp"

namespace mskb {

// What can be said of a candidate before any compiler runs. Each gives the one-line reason, or nothing.

// All files together are larger than 512 KiB; what looks at sources may take time with the square of their size.
std::optional<std::string> find_too_large(const Candidate& candidate);

// No code at all: empty, white space, comments, the word None.
std::optional<std::string> find_empty_source(const Candidate& candidate);

// A file name that cannot be (model/source_names.hpp); an #include that reaches outside the candidate's own folder, other than to an installed
// header; one whose target is a macro; .incbin. A first fence: the compiler is not confined by it.
std::optional<std::string> find_outside_include(const Candidate& candidate);

// How a candidate's entry point is named, from its text.
struct EntryPoint {
  std::string name;              // <entry>_optimized or <entry>
  bool missing = false;          // neither name occurs
  bool device_function = false;  // the only definition is a __global__ or __device__ function
};
EntryPoint find_entry_point(const Candidate& candidate, const std::string& entry);

}  // namespace mskb
