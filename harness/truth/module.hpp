#pragma once
#include <cstdint>

#include "wire/case_spec.hpp"
#include "wire/keeper_messages.hpp"

// A task module: the shared object made from one task's oracle.hpp for one precision. Only the keeper loads it. The
// same interface on host and device; pointers are the keeper's (host memory on the CPU, device memory on a GPU), and
// `stream` is a cudaStream_t there.
namespace mskb::truth {

inline constexpr std::uint32_t module_abi = 1;

// How sums are carried out. Truth is `exact`; the others exist for `mskb check`.
enum class Arithmetic : std::uint32_t {
  exact,  // double, terms in ascending order or by a fixed tree
  forward_fp32,
  blocked_fp32,
  strided_fp32,
  dropped_term,
  bf16_accumulate,
};

enum class InputRounding : std::uint32_t { none, bf16, tf32 };

struct View {
  wire::CaseSpec spec;
  const void* contents[wire::max_arguments];  // pristine contents of in and inout arguments; null otherwise
  double* stages;                             // stage_count(view) doubles
  Arithmetic arithmetic;
  InputRounding rounding;
};

struct OutputRequest {
  std::uint32_t argument;
  const void* got;             // the candidate's output
  std::uint64_t count;         // elements to check
  const std::uint64_t* index;  // which; null: 0 .. count - 1
  Acceptance accept;           // with `relax` already applied
  std::uint64_t poison_key;
  wire::Poison poison;
};

struct Module {
  std::uint32_t abi;
  std::uint64_t case_spec_bytes;  // sizeof(CaseSpec), against a module of another build
  // Doubles that the stages of this case need.
  std::uint64_t (*stage_count)(const View& view);
  // Fills the stages, in order. 0 or a cudaError_t.
  int (*fill_stages)(const View& view, void* stream);
  // Compares elements with truth and adds to *findings (memory of the same side as the outputs, zeroed by the keeper,
  // first_refused = -1).
  int (*check)(const View& view, const OutputRequest& request, wire::OutputFindings* findings, void* stream);
  // Writes want[0 .. count) of one output as doubles (before rounding to the output's type) and, if not null,
  // magnitude[0 .. count).
  int (*want)(const View& view, std::uint32_t argument, std::uint64_t count, const std::uint64_t* index, double* want,
              double* magnitude, void* stream);
  // Whether the output, or a stage, is a sum of terms: dropped_term and the accumulation orders apply.
  int (*has_sums)();
};

// The module's only exported symbol.
inline constexpr const char* module_symbol = "mskb_task_module";
using ModuleFunction = const Module* (*)();

}  // namespace mskb::truth
