#pragma once
#include "mskb/oracle.hpp"

// The input in chunks of about sqrt(N) elements: the sum of each chunk, the sum of all chunks before each, and the same
// of absolute values.

MSKB_FN int64_t chunk_of(int64_t N) {
  int64_t chunk = 1;
  while (chunk * chunk < N) chunk *= 2;
  return chunk;
}

MSKB_FN int64_t chunks_of(int64_t N) { return (N + chunk_of(N) - 1) / chunk_of(N); }

struct chunk_sum {
  MSKB_FN static int64_t size(const auto& x) { return chunks_of(x.N); }
  MSKB_FN static int64_t terms(const auto& x, int64_t i) {
    const int64_t chunk = chunk_of(x.N), left = x.N - i * chunk;
    return left < chunk ? left : chunk;
  }
  MSKB_FN static double term(const auto& x, const auto&, int64_t i, int64_t j) {
    return x.input[i * chunk_of(x.N) + j];
  }
};

struct chunk_magnitude {
  MSKB_FN static int64_t size(const auto& x) { return chunks_of(x.N); }
  MSKB_FN static double value(const auto& x, const auto&, int64_t i) {
    const int64_t chunk = chunk_of(x.N);
    double sum = 0;
    for (int64_t j = i * chunk; j < (i + 1) * chunk && j < x.N; ++j) sum += fabs(x.input[j]);
    return sum;
  }
};

struct sum_before {
  MSKB_FN static int64_t size(const auto& x) { return chunks_of(x.N); }
  MSKB_FN static int64_t terms(const auto&, int64_t i) { return i; }
  MSKB_FN static double term(const auto&, const auto& s, int64_t, int64_t j) { return s(chunk_sum{}, j); }
};

struct magnitude_before {
  MSKB_FN static int64_t size(const auto& x) { return chunks_of(x.N); }
  MSKB_FN static double value(const auto&, const auto& s, int64_t i) {
    double sum = 0;
    for (int64_t j = 0; j < i; ++j) sum += s(chunk_magnitude{}, j);
    return sum;
  }
};

struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto& s, int64_t i) {
    const int64_t chunk = chunk_of(x.N), own = i / chunk;
    double sum = 0, magnitude = s(magnitude_before{}, own);
    for (int64_t j = own * chunk; j <= i; ++j) {
      sum += x.input[j];
      magnitude += fabs(x.input[j]);
    }
    return {s(sum_before{}, own) + sum, magnitude};
  }
};

using stages = mskb::List<chunk_sum, chunk_magnitude, sum_before, magnitude_before>;
using outputs = mskb::List<output>;
