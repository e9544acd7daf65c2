#include "inputs/element.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/hashing.hpp"

namespace mskb {

namespace {

constexpr std::uint64_t key = 0x0123456789abcdef;

std::vector<double> values(const Fill& f, std::uint64_t n, std::uint64_t stream = key,
                           ElementType type = ElementType::f32) {
  std::vector<double> result;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint32_t bits = fill_element(f, i, n, stream, type);
    result.push_back(type == ElementType::i32 ? static_cast<double>(static_cast<std::int32_t>(bits))
                     : type == ElementType::bf16
                         ? static_cast<double>(float_from_bf16(static_cast<std::uint16_t>(bits)))
                         : static_cast<double>(float_from_bits(bits)));
  }
  return result;
}

struct Moments {
  double mean = 0, deviation = 0, smallest = 1e300, largest = -1e300;
};

Moments moments(const std::vector<double>& all) {
  Moments result;
  double squares = 0;
  for (const double value : all) {
    result.mean += value / static_cast<double>(all.size());
    squares += value * value / static_cast<double>(all.size());
    result.smallest = std::fmin(result.smallest, value);
    result.largest = std::fmax(result.largest, value);
  }
  result.deviation = std::sqrt(squares - result.mean * result.mean);
  return result;
}

std::string hash(const Fill& f, std::uint64_t n, ElementType type) {
  Hasher hasher;
  for (std::uint64_t i = 0; i < n; ++i) {
    hasher.add(std::uint64_t{fill_element(f, i, n, key, type)});
  }
  return hasher.hex(16);
}

struct Golden {
  const char* name;
  Fill fill;
  ElementType type;
  std::uint64_t n;
  const char* hash;
};

// The bits of every fill, so that a change of any of them, a compiler that contracts or another machine shows.
const Golden golden[] = {
#include "golden.inc"
};

TEST(Fill, GoldenBits) {
  for (const Golden& g : golden) {
    EXPECT_EQ(hash(g.fill, g.n, g.type), g.hash) << g.name;
  }
}

TEST(Fill, EveryKindHasGoldenBits) {
  std::set<FillKind> seen;
  for (const Golden& g : golden) {
    seen.insert(g.fill.kind);
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(FillKind::padded_uniform));
}

TEST(Fill, QuadsAndElementsAgree) {
  for (const Golden& g : golden) {
    for (std::uint64_t quad = 0; 4 * quad < g.n; ++quad) {
      const FillQuad made = fill_quad(g.fill, quad, g.n, key, g.type);
      for (std::uint64_t k = 0; k < 4; ++k) {
        const std::uint64_t i = 4 * quad + k;
        EXPECT_EQ(made.bits[k], i < g.n ? fill_element(g.fill, i, g.n, key, g.type) : 0u) << g.name;
      }
    }
  }
}

TEST(Fill, KeyedKindsChangeWithTheKeyAndTheOthersDoNot) {
  const std::set<FillKind> keyed = {FillKind::uniform,       FillKind::integers,        FillKind::signs,
                                    FillKind::mantissa,      FillKind::biased_mantissa, FillKind::octaves,
                                    FillKind::pareto,        FillKind::indices,
                                    FillKind::skewed_indices, FillKind::padded_indices,  FillKind::padded_uniform};
  for (const Golden& g : golden) {
    EXPECT_EQ(values(g.fill, 257, 1, g.type) != values(g.fill, 257, 2, g.type), keyed.contains(g.fill.kind)) << g.name;
  }
}

TEST(Fill, Uniform) {
  const Moments m = moments(values({FillKind::uniform, 0, -2, 6, 0}, 1 << 16));
  EXPECT_NEAR(m.mean, 2, 0.05);
  EXPECT_NEAR(m.deviation, 8 / std::sqrt(12.0), 0.05);
  EXPECT_GE(m.smallest, -2);
  EXPECT_LT(m.smallest, -1.99);
  EXPECT_LT(m.largest, 6);
  EXPECT_GT(m.largest, 5.99);
}

TEST(Fill, Integers) {
  std::map<double, int> counts;
  for (const double value : values({FillKind::integers, 0, -3, 4, 0}, 1 << 16)) {
    ++counts[value];
  }
  EXPECT_EQ(counts.size(), 8u);
  for (const auto& [value, count] : counts) {
    EXPECT_EQ(value, std::floor(value));
    EXPECT_NEAR(count, 8192, 500);
  }
  EXPECT_EQ(counts.begin()->first, -3);
  EXPECT_EQ(counts.rbegin()->first, 4);
}

TEST(Fill, Signs) {
  const Moments m = moments(values({FillKind::signs, 0, 0.5, 0, 0}, 1 << 16));
  EXPECT_NEAR(m.mean, 0, 0.01);
  EXPECT_NEAR(m.deviation, 0.5, 0.001);
}

TEST(Fill, MantissasDoNotFitAShorterFormat) {
  int held_by_bf16 = 0, held_by_tf32 = 0, negative = 0;
  const std::vector<double> all = values({FillKind::mantissa, 0, 4, 12, 0}, 4096);
  for (const double value : all) {
    const double scaled = std::fabs(value) / 4 * 4096;
    EXPECT_EQ(scaled, std::floor(scaled));
    EXPECT_GE(scaled, 4096);
    EXPECT_LT(scaled, 8192);
    held_by_bf16 += float_from_bf16(bf16_from_float(static_cast<float>(value))) == static_cast<float>(value);
    held_by_tf32 += tf32_from_float(static_cast<float>(value)) == static_cast<float>(value);
    negative += value < 0;
  }
  EXPECT_LT(held_by_bf16, 4096 / 16);
  EXPECT_LT(held_by_tf32, 4096 / 3);
  EXPECT_NEAR(negative, 2048, 200);
}

TEST(Fill, BiasedMantissasRoundDownInEveryShorterFormat) {
  for (const double scale : {1.0, 8.0, 0.25}) {
    for (const double value : values({FillKind::biased_mantissa, 0, scale, 0, 0}, 2000)) {
      const auto single = static_cast<float>(value);
      EXPECT_EQ(static_cast<double>(single), value);
      EXPECT_DOUBLE_EQ(value - static_cast<double>(float_from_bf16(bf16_from_float(single))), scale * 27 / 8192);
      EXPECT_DOUBLE_EQ(value - static_cast<double>(tf32_from_float(single)), scale * 3 / 8192);
      EXPECT_GE(value, scale);
      EXPECT_LT(value, 2 * scale);
    }
  }
}

TEST(Fill, OctavesAreEquallyOften) {
  std::map<int, int> counts;
  for (const double value : values({FillKind::octaves, 0, 0.5, 8, 0}, 1 << 14)) {
    ++counts[std::ilogb(value)];
  }
  EXPECT_EQ(counts.size(), 8u);
  EXPECT_EQ(counts.begin()->first, -1);
  for (const auto& [octave, count] : counts) {
    EXPECT_NEAR(count, 2048, 200) << octave;
  }
}

// Half as many elements above twice the size, and one element far above the others: what no sample tells.
TEST(Fill, Pareto) {
  for (const double power : {1.0, 2.0}) {
    double largest = 0, sum = 0;
    int above_two = 0, above_eight = 0;
    for (const double value : values({FillKind::pareto, 0, 3, power, 32768}, 1 << 16)) {
      const double term = std::pow(value / 3, power);
      EXPECT_GE(term, 1 - 1e-6);
      EXPECT_LE(term, 32768 * (1 + 1e-6));
      above_two += term > 2;
      above_eight += term > 8;
      largest = std::fmax(largest, term);
      sum += term;
    }
    EXPECT_NEAR(above_two, 1 << 15, 1000) << power;
    EXPECT_NEAR(above_eight, 1 << 13, 500) << power;
    EXPECT_GT(largest, sum / 1000) << power;
  }
}

TEST(Fill, SpikeRampAndAlternating) {
  EXPECT_EQ(values({FillKind::spike, 0, 1, 3, 9}, 7), (std::vector<double>{9, 1, 1, 9, 1, 1, 9}));
  EXPECT_EQ(values({FillKind::spike, 0, 1, 0, 9}, 3), (std::vector<double>{9, 1, 1}));
  EXPECT_EQ(values({FillKind::ramp, 0, 1, 0.5, 0}, 4), (std::vector<double>{1, 1.5, 2, 2.5}));
  EXPECT_EQ(values({FillKind::reversed_ramp, 0, 1, 0.5, 0}, 4), (std::vector<double>{2.5, 2, 1.5, 1}));
  EXPECT_EQ(values({FillKind::alternating, 0, 7, -7, 0}, 3), (std::vector<double>{7, -7, 7}));
  EXPECT_EQ(values({FillKind::constant, 0, 7, 0, 0}, 2), (std::vector<double>{7, 7}));
}

TEST(Fill, UpperTriangle) {
  EXPECT_EQ(values({FillKind::upper_triangle, 0, 3, 1, 0}, 18),
            (std::vector<double>{0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(values({FillKind::upper_triangle, 0, 1, 7, -2}, 3), (std::vector<double>{-2, -2, -2}));
}

TEST(Fill, Indices) {
  const Moments m = moments(values({FillKind::indices, 0, 1000, 0, 0}, 1 << 16, key, ElementType::i32));
  EXPECT_EQ(m.smallest, 0);
  EXPECT_EQ(m.largest, 999);
  EXPECT_NEAR(m.mean, 499.5, 5);
  for (const double value : values({FillKind::indices, 0, 1, 0, 0}, 100, key, ElementType::i32)) {
    EXPECT_EQ(value, 0);
  }
}

TEST(Fill, SkewedIndices) {
  int below_tenth = 0;
  for (const double value : values({FillKind::skewed_indices, 0, 1000, 0, 0}, 1 << 14, key, ElementType::i32)) {
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1000);
    below_tenth += value < 100;
  }
  EXPECT_NEAR(below_tenth / 16384.0, std::cbrt(0.1), 0.02);
}

std::vector<double> row_lengths(const Fill& f, std::uint64_t rows) {
  const std::vector<double> offsets = values(f, rows + 1, key, ElementType::i32);
  std::vector<double> lengths;
  for (std::uint64_t row = 0; row < rows; ++row) {
    lengths.push_back(offsets[row + 1] - offsets[row]);
    EXPECT_GE(lengths.back(), 0);
  }
  EXPECT_EQ(offsets.front(), 0);
  EXPECT_EQ(offsets.back(), f.a);
  return lengths;
}

TEST(Fill, Offsets) {
  EXPECT_EQ(row_lengths({FillKind::offsets_even, 0, 11, 0, 0}, 4), (std::vector<double>{3, 3, 3, 2}));
  EXPECT_EQ(row_lengths({FillKind::offsets_even, 0, 2, 0, 0}, 4), (std::vector<double>{1, 1, 0, 0}));
  EXPECT_EQ(row_lengths({FillKind::offsets_dense_row, 0, 11, 2, 0}, 4), (std::vector<double>{0, 0, 11, 0}));
  EXPECT_EQ(row_lengths({FillKind::offsets_gaps, 0, 7, 3, 0}, 7), (std::vector<double>{0, 4, 0, 0, 3, 0, 0}));
  EXPECT_EQ(row_lengths({FillKind::offsets_gaps, 0, 7, 2, 0}, 4), (std::vector<double>{0, 4, 0, 3}));
  EXPECT_EQ(row_lengths({FillKind::offsets_gaps, 0, 7, 9, 0}, 3), (std::vector<double>{0, 0, 7}));
  EXPECT_EQ(row_lengths({FillKind::offsets_power, 0, 16, 0, 0}, 4), (std::vector<double>{1, 3, 5, 7}));
  row_lengths({FillKind::offsets_power, 0, 2147483647, 0, 0}, 1000);
  row_lengths({FillKind::offsets_even, 0, 2147483647, 0, 0}, 999);
  row_lengths({FillKind::offsets_even, 0, 5, 0, 0}, 1);
}

// Entries of each row; what follows them is padding.
std::vector<int> padded_lengths(std::uint64_t rows, std::uint64_t width, double total) {
  const std::vector<double> columns = values({FillKind::padded_indices, 0, 50, static_cast<double>(width), total},
                                             rows * width, key, ElementType::i32);
  const std::vector<double> entries =
      values({FillKind::padded_uniform, 0, 2, static_cast<double>(width), total}, rows * width);
  std::vector<int> lengths(rows);
  for (std::uint64_t i = 0; i < rows * width; ++i) {
    int& length = lengths[i / width];
    if (columns[i] >= 0) {
      EXPECT_EQ(static_cast<std::uint64_t>(length), i % width) << "padding stands behind the entries";
      EXPECT_LT(columns[i], 50);
      EXPECT_LE(std::fabs(entries[i]), 2);
      ++length;
    } else {
      EXPECT_EQ(columns[i], -1);
      EXPECT_EQ(entries[i], 0);
    }
  }
  return lengths;
}

TEST(Fill, PaddedRows) {
  EXPECT_EQ(padded_lengths(1, 4, 3), (std::vector<int>{3}));
  EXPECT_EQ(padded_lengths(2, 4, 4), (std::vector<int>{4, 0}));
  EXPECT_EQ(padded_lengths(2, 4, 6), (std::vector<int>{4, 2}));
  EXPECT_EQ(padded_lengths(3, 5, 15), (std::vector<int>{5, 5, 5}));
  for (const auto& [rows, width, total] : {std::array{301, 38, 6000}, {300, 23, 3011}, {64, 5, 17}, {50, 7, 350}}) {
    const std::vector<int> lengths =
        padded_lengths(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(width), total);
    EXPECT_EQ(std::accumulate(lengths.begin(), lengths.end(), 0), total);
    EXPECT_GE(*std::min_element(lengths.begin(), lengths.end()), 0);
    EXPECT_LE(*std::max_element(lengths.begin(), lengths.end()), width);
  }
  const std::vector<int> lengths = padded_lengths(300, 38, 6000);
  EXPECT_EQ(lengths[0], 38);
  EXPECT_EQ(lengths[1], 2);
  EXPECT_GT(std::set<int>(lengths.begin(), lengths.end()).size(), 15u);
}

TEST(Fill, Bf16IsTheFloatRoundedOnceMore) {
  const Fill f{FillKind::uniform, 0, -1, 1, 0};
  for (std::uint64_t i = 0; i < 500; ++i) {
    const float single = float_from_bits(fill_element(f, i, 500, key, ElementType::f32));
    EXPECT_EQ(fill_element(f, i, 500, key, ElementType::bf16), bf16_from_float(single));
  }
}

}  // namespace

}  // namespace mskb
