#pragma once
#include <cmath>
#include <cstdint>

#include "base/bf16.hpp"
#include "base/host_device.hpp"
#include "base/philox.hpp"
#include "model/element_type.hpp"
#include "model/fill.hpp"

// The one definition of every fill, for host and device. All steps are integer arithmetic or single operations in
// double that no compiler may contract (mul_rn and its like), so that the bits are the same everywhere.
namespace mskb {

namespace fill {

MSKB_FN double mul_rn(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

MSKB_FN double add_rn(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dadd_rn(a, b);
#else
  return a + b;
#endif
}

MSKB_FN double div_rn(double a, double b) {
#ifdef __CUDA_ARCH__
  return __ddiv_rn(a, b);
#else
  return a / b;
#endif
}

MSKB_FN double sqrt_rn(double a) {
#ifdef __CUDA_ARCH__
  return __dsqrt_rn(a);
#else
  return sqrt(a);
#endif
}

// floor(word / 2^32 * range) for range up to 2^32.
MSKB_FN std::uint64_t scaled(std::uint32_t word, std::uint64_t range) {
  const std::uint64_t high = range >> 32, low = range & 0xffffffffu;
  return high * word + ((low * word) >> 32);
}

// Entries of `total` that the first `rows` of `all` rows hold when they share evenly and the first total mod all rows
// get one more.
MSKB_FN std::uint64_t even_share(std::uint64_t total, std::uint64_t all, std::uint64_t rows) {
  const std::uint64_t more = total % all;
  return rows * (total / all) + (rows < more ? rows : more);
}

// CSR row offset i of `rows` rows.
MSKB_FN std::uint64_t row_offset(FillKind kind, std::uint64_t total, std::uint64_t b, std::uint64_t rows,
                                 std::uint64_t i) {
  if (rows == 0 || i == 0) {
    return 0;
  }
  switch (kind) {
    case FillKind::offsets_even: return even_share(total, rows, i);
    case FillKind::offsets_dense_row: return i > b ? total : 0;
    case FillKind::offsets_gaps: {
      const std::uint64_t stride = b > 0 ? b : 1, first = stride / 2;
      const std::uint64_t all = rows > first ? (rows - first + stride - 1) / stride : 0;
      const std::uint64_t before = i > first ? (i - first + stride - 1) / stride : 0;
      if (all == 0) {
        return i == rows ? total : 0;
      }
      return even_share(total, all, before);
    }
    default: return total * i / rows * i / rows;  // offsets_power
  }
}

// Entries of row `row` of `rows` rows of `width` slots that hold `total` entries. Rows 2 p and 2 p + 1 share their even
// shares unevenly, most pairs slightly; the first pair by as much as fits: a full row, an empty row or both.
MSKB_FN std::uint64_t padded_row(std::uint64_t total, std::uint64_t width, std::uint64_t rows, std::uint64_t row) {
  const std::uint64_t share = even_share(total, rows, row + 1) - even_share(total, rows, row);
  const std::uint64_t pair = row / 2, first = 2 * pair;
  if (first + 1 >= rows) {
    return share;
  }
  const std::uint64_t larger = even_share(total, rows, first + 1) - even_share(total, rows, first);
  const std::uint64_t smaller = even_share(total, rows, first + 2) - even_share(total, rows, first + 1);
  const std::uint64_t most = width - larger < smaller ? width - larger : smaller;
  std::uint32_t mixed = static_cast<std::uint32_t>(pair) * 0x9e3779b1u;
  mixed = (mixed ^ (mixed >> 15)) * 0x85ebca6bu;
  mixed ^= mixed >> 13;
  const std::uint32_t squared = static_cast<std::uint32_t>(scaled(mixed, mixed));
  const std::uint64_t moved =
      pair == 0 ? most : scaled(static_cast<std::uint32_t>(scaled(squared, squared)), most + 1);
  const std::uint64_t longer = pair == 0 ? 0 : mixed & 1u;
  return row % 2 == longer ? share + moved : share - moved;
}

// Whether element i of n, of rows of `width` slots, is padding.
MSKB_FN bool is_padding(double width, double total, std::uint64_t i, std::uint64_t n) {
  const std::uint64_t slots = width >= 1 ? static_cast<std::uint64_t>(width) : 1;
  return i % slots >= padded_row(static_cast<std::uint64_t>(total), slots, n / slots, i / slots);
}

}  // namespace fill

// Element i of n as a double, before it is rounded to the element type; `word` is the keyed word of i.
MSKB_FN double fill_value(const Fill& f, std::uint64_t i, std::uint64_t n, std::uint32_t word) {
  switch (f.kind) {
    case FillKind::none: return 0;
    case FillKind::constant: return f.a;
    case FillKind::uniform:
      return fill::add_rn(f.a, fill::mul_rn(fill::add_rn(f.b, -f.a), static_cast<double>(word >> 8) * 0x1p-24));
    case FillKind::integers: {
      const double range = fill::add_rn(fill::add_rn(f.b, -f.a), 1.0);
      return fill::add_rn(f.a, static_cast<double>(fill::scaled(word, static_cast<std::uint64_t>(range))));
    }
    case FillKind::signs: return (word >> 31) != 0 ? -f.a : f.a;
    case FillKind::mantissa: {
      const std::uint32_t bits = static_cast<std::uint32_t>(f.b);
      const std::uint32_t k = word & ((1u << bits) - 1u);
      const double value =
          fill::mul_rn(static_cast<double>((1u << bits) + k), fill::mul_rn(f.a, 1.0 / static_cast<double>(1u << bits)));
      return (word >> 31) != 0 ? -value : value;
    }
    case FillKind::biased_mantissa:
      return fill::mul_rn(static_cast<double>(8192u + 64u * (word & 127u) + 27u), fill::mul_rn(f.a, 0x1p-13));
    case FillKind::octaves: {
      const std::uint64_t product = word * static_cast<std::uint64_t>(f.b);  // k above, f below
      const std::uint32_t fraction = static_cast<std::uint32_t>(product) >> 9;
      const double scale = static_cast<double>(std::uint64_t{1} << (product >> 32));
      return fill::mul_rn(f.a, scale * static_cast<double>((1u << 23) + fraction) * 0x1p-23);
    }
    case FillKind::pareto: {
      const double drawn = static_cast<double>(std::uint64_t{word} + 1) * 0x1p-32, least = fill::div_rn(1, f.c);
      const double u = drawn < least ? least : drawn;
      return fill::div_rn(f.a, f.b == 2 ? fill::sqrt_rn(u) : u);
    }
    case FillKind::spike: return i % (f.b >= 1 ? static_cast<std::uint64_t>(f.b) : n) == 0 ? f.c : f.a;
    case FillKind::ramp: return fill::add_rn(f.a, fill::mul_rn(f.b, static_cast<double>(i)));
    case FillKind::reversed_ramp: return fill::add_rn(f.a, fill::mul_rn(f.b, static_cast<double>(n - 1 - i)));
    case FillKind::alternating: return i % 2 == 0 ? f.a : f.b;
    case FillKind::upper_triangle: {
      const std::uint64_t columns = f.a >= 1 ? static_cast<std::uint64_t>(f.a) : 1;
      return i % columns > i / columns % columns ? f.b : f.c;
    }
    case FillKind::indices: return static_cast<double>(fill::scaled(word, static_cast<std::uint64_t>(f.a)));
    case FillKind::skewed_indices: {
      const std::uint32_t squared = static_cast<std::uint32_t>(fill::scaled(word, word));
      return static_cast<double>(
          fill::scaled(static_cast<std::uint32_t>(fill::scaled(squared, word)), static_cast<std::uint64_t>(f.a)));
    }
    case FillKind::padded_indices:
      return fill::is_padding(f.b, f.c, i, n) ? -1.0
                                              : static_cast<double>(fill::scaled(word, static_cast<std::uint64_t>(f.a)));
    case FillKind::padded_uniform:
      return fill::is_padding(f.b, f.c, i, n)
                 ? 0.0
                 : fill::mul_rn(f.a, fill::add_rn(static_cast<double>(word >> 8) * 0x1p-23, -1.0));
    case FillKind::offsets_even:
    case FillKind::offsets_dense_row:
    case FillKind::offsets_gaps:
    case FillKind::offsets_power:
      return static_cast<double>(
          fill::row_offset(f.kind, static_cast<std::uint64_t>(f.a), static_cast<std::uint64_t>(f.b), n - 1, i));
  }
  return 0;
}

// The element's bits (16 for BF16): rounded to float, for BF16 once more to BF16, both to nearest even; integers
// rounded down.
MSKB_FN std::uint32_t fill_bits(double value, ElementType type) {
  switch (type) {
    case ElementType::bf16: return bf16_from_float(static_cast<float>(value));
    case ElementType::i32: return static_cast<std::uint32_t>(static_cast<std::int32_t>(floor(value)));
    default: return float_bits(static_cast<float>(value));
  }
}

// Elements 4 * quad .. 4 * quad + 3, which share one set of keyed words. Those from n on are 0.
struct FillQuad {
  std::uint32_t bits[4];
};

MSKB_FN FillQuad fill_quad(const Fill& f, std::uint64_t quad, std::uint64_t n, std::uint64_t key, ElementType type) {
  const PhiloxWords words = philox(key, quad);
  FillQuad result{};
  for (int k = 0; k < 4; ++k) {
    const std::uint64_t i = 4 * quad + static_cast<std::uint64_t>(k);
    result.bits[k] = i < n ? fill_bits(fill_value(f, i, n, words.word[k]), type) : 0;
  }
  return result;
}

// Element i alone.
MSKB_FN std::uint32_t fill_element(const Fill& f, std::uint64_t i, std::uint64_t n, std::uint64_t key,
                                   ElementType type) {
  return fill_bits(fill_value(f, i, n, philox_word(key, i)), type);
}

}  // namespace mskb
