#pragma once
#include "mskb/oracle.hpp"

// All sums go by pieces of 1024 elements, so that long vectors are summed in parallel.
MSKB_FN int64_t pieces(const auto& x) { return (x.N + 1023) / 1024; }
MSKB_FN int64_t piece_length(const auto& x, int64_t i) { return x.N - 1024 * i < 1024 ? x.N - 1024 * i : 1024; }

struct part_sum {
  MSKB_FN static int64_t size(const auto& x) { return pieces(x); }
  MSKB_FN static int64_t terms(const auto& x, int64_t i) { return piece_length(x, i); }
  MSKB_FN static double term(const auto& x, const auto&, int64_t i, int64_t j) { return x.input[1024 * i + j]; }
};

struct mean {
  MSKB_FN static int64_t size(const auto&) { return 1; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return pieces(x); }
  MSKB_FN static double term(const auto&, const auto& s, int64_t, int64_t j) { return s(part_sum{}, j); }
  MSKB_FN static double finish(const auto& x, const auto&, int64_t, double sum) { return sum / static_cast<double>(x.N); }
};

struct part_magnitude {
  MSKB_FN static int64_t size(const auto& x) { return pieces(x); }
  MSKB_FN static int64_t terms(const auto& x, int64_t i) { return piece_length(x, i); }
  MSKB_FN static double term(const auto& x, const auto&, int64_t i, int64_t j) { return fabs(x.input[1024 * i + j]); }
};

// A mean that cancels errs in proportion to this.
struct mean_magnitude {
  MSKB_FN static int64_t size(const auto&) { return 1; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return pieces(x); }
  MSKB_FN static double term(const auto&, const auto& s, int64_t, int64_t j) { return s(part_magnitude{}, j); }
  MSKB_FN static double finish(const auto& x, const auto&, int64_t, double sum) { return sum / static_cast<double>(x.N); }
};

struct part_square_sum {
  MSKB_FN static int64_t size(const auto& x) { return pieces(x); }
  MSKB_FN static int64_t terms(const auto& x, int64_t i) { return piece_length(x, i); }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t i, int64_t j) {
    const double deviation = x.input[1024 * i + j] - s(mean{}, 0);
    return deviation * deviation;
  }
};

struct variance {
  MSKB_FN static int64_t size(const auto&) { return 1; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return pieces(x); }
  MSKB_FN static double term(const auto&, const auto& s, int64_t, int64_t j) { return s(part_square_sum{}, j); }
  MSKB_FN static double finish(const auto& x, const auto&, int64_t, double sum) { return sum / static_cast<double>(x.N); }
};

// output[i] = weight[i] * (input[i] - mean) / sqrt(variance + epsilon) + bias[i]
struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto& s, int64_t i) {
    const double slope = x.weight[i] / sqrt(s(variance{}, 0) + x.epsilon);
    return {slope * (x.input[i] - s(mean{}, 0)) + x.bias[i],
            fabs(slope) * (fabs(x.input[i]) + s(mean_magnitude{}, 0)) + fabs(x.bias[i])};
  }
};

using stages = mskb::List<part_sum, mean, part_magnitude, mean_magnitude, part_square_sum, variance>;
using outputs = mskb::List<output>;
