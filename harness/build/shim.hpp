#pragma once
#include <string>

#include "model/candidate.hpp"
#include "model/case.hpp"

namespace mskb {

// The translation unit that is compiled for a candidate: it includes the candidate's main source, static_asserts the
// type of the entry point and defines mskb_invoke (wire/invoke.hpp, whose text is given). Every word that our part uses
// is #undef'd after the candidate's source, so that a macro such as `#define float double` cannot reach it. Types:
// those of the declaration, except that an input may be taken as a pointer to non-const, as some published solutions
// do.
std::string make_shim(const Problem& problem, const Candidate& candidate, const std::string& entry,
                      const std::string& invoke_header);

// What the static_assert says when the type is another one.
std::string wrong_type_message(const Problem& problem, const std::string& entry);

// "void silu_and_mul_optimized(const float* in, ...)": the declaration with the entry's own name.
std::string declaration_of(const Problem& problem, const std::string& entry);

// What messages call our part of the translation unit.
inline constexpr const char* shim_name = "entry point";

}  // namespace mskb
