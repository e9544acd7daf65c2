#pragma once
#include <cstdint>

#include "base/bf16.hpp"
#include "truth/module_body.hpp"

// A sum of terms on the host, in each arithmetic. The device's versions (module_cuda.cuh) carry out the same additions
// in the same order, but for `exact`, where the order is a fixed tree.
namespace mskb::truth {

inline constexpr std::int64_t block_terms = 256;  // blocked_fp32
inline constexpr int strided_sums = 32;           // strided_fp32

MSKB_FN float bf16_rounded(float value) { return float_from_bf16(bf16_from_float(value)); }

template <class Item, class Case, class Stages>
TermSum exact_sum(const Case& x, const Stages& s, std::int64_t i, std::int64_t terms) {
  TermSum total{0, 0};
  for (std::int64_t j = 0; j < terms; ++j) {
    const double term = Item::term(x, s, i, j);
    total.sum += term;
    total.magnitude += std::fabs(term);
  }
  return total;
}

template <class Item, class Case, class Stages>
float blocked_sum(const Case& x, const Stages& s, std::int64_t i, std::int64_t terms) {
  float sum = 0;
  for (std::int64_t begin = 0; begin < terms; begin += block_terms) {
    float partial = 0;
    for (std::int64_t j = begin; j < terms && j < begin + block_terms; ++j) {
      partial += static_cast<float>(Item::term(x, s, i, j));
    }
    sum += partial;
  }
  return sum;
}

template <class Item, class Case, class Stages>
float strided_sum(const Case& x, const Stages& s, std::int64_t i, std::int64_t terms) {
  float partial[strided_sums] = {};
  for (std::int64_t j = 0; j < terms; ++j) {
    partial[j % strided_sums] += static_cast<float>(Item::term(x, s, i, j));
  }
  for (int width = strided_sums / 2; width > 0; width /= 2) {
    for (int lane = 0; lane < width; ++lane) {
      partial[lane] += partial[lane + width];
    }
  }
  return partial[0];
}

template <class Item, class Case, class Stages>
Value host_sum(const Case& x, const Stages& s, std::int64_t i, Arithmetic arithmetic) {
  const std::int64_t terms = term_count<Item>(x, s, i);
  TermSum total = exact_sum<Item>(x, s, i, arithmetic == Arithmetic::dropped_term && terms > 0 ? terms - 1 : terms);
  switch (arithmetic) {
    case Arithmetic::forward_fp32: {
      float sum = 0;
      for (std::int64_t j = 0; j < terms; ++j) {
        sum += static_cast<float>(Item::term(x, s, i, j));
      }
      total.sum = static_cast<double>(sum);
      break;
    }
    case Arithmetic::bf16_accumulate: {
      float sum = 0;
      for (std::int64_t j = 0; j < terms; ++j) {
        sum = bf16_rounded(sum + static_cast<float>(Item::term(x, s, i, j)));
      }
      total.sum = static_cast<double>(sum);
      break;
    }
    case Arithmetic::blocked_fp32: total.sum = static_cast<double>(blocked_sum<Item>(x, s, i, terms)); break;
    case Arithmetic::strided_fp32: total.sum = static_cast<double>(strided_sum<Item>(x, s, i, terms)); break;
    default: break;
  }
  return finished<Item>(x, s, i, total);
}

}  // namespace mskb::truth
