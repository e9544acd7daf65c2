#pragma once
#include <cstdint>

namespace mskb {

// The fill vocabulary: what the contents of one argument look like. Element i of n depends only on (parameters, i, n, one keyed 32-bit
// word of i); integers and + - x / sqrt only, so every machine and device makes the same bits (inputs/element.hpp defines each kind).
// task.yaml writes a kind as `{name: [parameters]}`; the table is in docs/task-format.md.
enum class FillKind : std::uint32_t {
  none,             // outputs
  constant,         // a
  uniform,          // a + (b - a) * u, u a multiple of 2^-24 in [0, 1); rounding to the element type may reach b
  integers,         // uniform integers of [a, b], as values; b - a < 2^32
  signs,            // +a or -a
  mantissa,         // +-(1 + k * 2^-b) * a with k uniform in [0, 2^b), b in [1, 23]: mantissas that a shorter format cannot hold
  biased_mantissa,  // (1 + (64 k + 27) * 2^-13) * a, k uniform in [0, 128): always above the nearest BF16 by 27 / 8192 * a and above
                    // the nearest TF32 by 3 / 8192 * a, so sums of n terms err by n times that
  octaves,          // (1 + f) * 2^k * a, k uniform in [0, b), f a multiple of 2^-23 in [0, 1): every order of magnitude as often
  pareto,           // a / max(u, 1 / c)^(1 / b), u a multiple of 2^-32 in (0, 1], b 1 or 2: in a sum of b-th powers each octave of sizes has
                    // the same share, so that the sum hangs on a few elements and no sample tells it
  spike,            // c where i mod b = 0, a elsewhere
  ramp,             // a + b * i
  reversed_ramp,    // a + b * (n - 1 - i)
  alternating,      // a for even i, b for odd i: sums that cancel
  upper_triangle,   // a x a matrices one after the other, row-major: b above the diagonal, c on and below it
  indices,          // uniform integers of [0, a)
  skewed_indices,   // floor(a * u^3), u in [0, 1): a few indices take most of the draws
  offsets_even,     // i = 0..n-1 (n = rows + 1): CSR row offsets that share a entries evenly, the first a mod rows rows get one more
  offsets_dense_row,   // row b (counted from 0) holds all a entries
  offsets_gaps,        // only the rows with i mod b = b / 2 hold entries, a in all, shared evenly; the others are empty
  offsets_power,       // floor(floor(a * i / rows) * i / rows): row lengths grow linearly
  padded_indices,      // rows of b slots that hold c entries in all (n = rows * b): uniform integers of [0, a), then -1
  padded_uniform,      // the same rows: a * (2 u - 1), then 0
};

struct Fill {
  FillKind kind = FillKind::none;
  std::uint32_t reserved = 0;
  double a = 0, b = 0, c = 0;
};

}  // namespace mskb
