#pragma once
#include <cstdint>

namespace mskb {

// The fill vocabulary: what the contents of one argument look like. Element i of n depends only on (parameters, i, n, one keyed 32-bit
// word of i); integers and + - x / sqrt only, so every machine and device makes the same bits (inputs/element.hpp defines each kind).
// task.yaml writes a kind as `{name: [parameters]}`; the table is in docs/task-format.md.
enum class FillKind : std::uint32_t {
  none,             // outputs
  constant,         // a
  uniform,          // [a, b): a + (b - a) * u, u a multiple of 2^-24
  integers,         // uniform integers of [a, b], as values
  signs,            // +a or -a
  mantissa,         // +-(1 + k * 2^-b) * a with k in [0, 2^b): mantissas that a shorter format cannot hold
  biased_mantissa,  // (1 + (2^b + 1) * 2^-(b+8)) * a-like values whose rounding to a shorter format always errs the same way
  spike,            // a everywhere but every b-th element, which is c
  ramp,             // a + b * i
  reversed_ramp,    // a + b * (n - 1 - i)
  alternating,      // a for even i, b for odd i: sums that cancel
  indices,          // uniform integers of [0, a)
  skewed_indices,   // floor(a * u^3): a few indices take most of the draws
  offsets_even,     // i = 0..n-1 (n = rows + 1): CSR row offsets that share a entries evenly, the first a mod rows rows get one more
  offsets_dense_row,   // row b holds all a entries
  offsets_gaps,        // only every b-th row holds entries (the others are empty), a in all
  offsets_power,       // a * (i / rows)^2: row lengths grow linearly
};

struct Fill {
  FillKind kind = FillKind::none;
  std::uint32_t reserved = 0;
  double a = 0, b = 0, c = 0;
};

}  // namespace mskb
