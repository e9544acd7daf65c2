#pragma once
#include <cstdint>

#include "truth/sums.hpp"

// Sums of terms by a warp (all 32 lanes call, all get the result) or by a whole block.
namespace mskb::truth {

inline constexpr unsigned all_lanes = 0xffffffffu;
inline constexpr int block_threads = 256;
inline constexpr int block_warps = block_threads / 32;

// Fixed tree over the lanes.
__device__ inline TermSum warp_tree(TermSum value) {
  for (int width = 16; width > 0; width /= 2) {
    value.sum += __shfl_xor_sync(all_lanes, value.sum, width);
    value.magnitude += __shfl_xor_sync(all_lanes, value.magnitude, width);
  }
  return value;
}

// Terms [begin, end), every `step`-th from begin + offset.
template <class Item, class Case, class Stages>
__device__ TermSum strided_terms(const Case& x, const Stages& s, std::int64_t i, std::int64_t begin, std::int64_t end,
                                 int offset, int step) {
  TermSum total{0, 0};
#pragma unroll 4
  for (std::int64_t j = begin + offset; j < end; j += step) {
    const double term = Item::term(x, s, i, j);
    total.sum += term;
    total.magnitude += fabs(term);
  }
  return total;
}

template <class Item, class Case, class Stages>
__device__ TermSum warp_exact(const Case& x, const Stages& s, std::int64_t i, std::int64_t terms) {
  return warp_tree(strided_terms<Item>(x, s, i, 0, terms, static_cast<int>(threadIdx.x % 32), 32));
}

// Terms [begin, end) by the block. `shared` has room for a TermSum per warp; every thread gets the result.
template <class Item, class Case, class Stages>
__device__ TermSum block_exact(const Case& x, const Stages& s, std::int64_t i, std::int64_t begin, std::int64_t end,
                               TermSum* shared) {
  const TermSum mine =
      warp_tree(strided_terms<Item>(x, s, i, begin, end, static_cast<int>(threadIdx.x), block_threads));
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = mine;
  }
  __syncthreads();
  TermSum total{0, 0};
  for (int warp = 0; warp < block_warps; ++warp) {
    total.sum += shared[warp].sum;
    total.magnitude += shared[warp].magnitude;
  }
  __syncthreads();
  return total;
}

// One addition after the other, 32 terms made at a time.
template <class Item, class Case, class Stages>
__device__ float warp_forward(const Case& x, const Stages& s, std::int64_t i, std::int64_t terms, bool in_bf16) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  float sum = 0;
  for (std::int64_t begin = 0; begin < terms; begin += 32) {
    const float term = begin + lane < terms ? static_cast<float>(Item::term(x, s, i, begin + lane)) : 0.0f;
    const int here = static_cast<int>(terms - begin < 32 ? terms - begin : 32);
    for (int k = 0; k < here; ++k) {
      sum += __shfl_sync(all_lanes, term, k);
      sum = in_bf16 ? bf16_rounded(sum) : sum;
    }
  }
  return sum;
}

template <class Item, class Case, class Stages>
__device__ float warp_blocked(const Case& x, const Stages& s, std::int64_t i, std::int64_t terms) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  float sum = 0;
  for (std::int64_t begin = 0; begin < terms; begin += 32 * block_terms) {
    float partial = 0;
    const std::int64_t mine = begin + lane * block_terms;
    for (std::int64_t j = mine; j < terms && j < mine + block_terms; ++j) {
      partial += static_cast<float>(Item::term(x, s, i, j));
    }
    for (int k = 0; k < 32 && begin + k * block_terms < terms; ++k) {
      sum += __shfl_sync(all_lanes, partial, k);
    }
  }
  return sum;
}

template <class Item, class Case, class Stages>
__device__ float warp_strided(const Case& x, const Stages& s, std::int64_t i, std::int64_t terms) {
  float partial = 0;
  for (std::int64_t j = static_cast<std::int64_t>(threadIdx.x % 32); j < terms; j += strided_sums) {
    partial += static_cast<float>(Item::term(x, s, i, j));
  }
  for (int width = strided_sums / 2; width > 0; width /= 2) {
    partial += __shfl_down_sync(all_lanes, partial, width);
  }
  return __shfl_sync(all_lanes, partial, 0);
}

// In any arithmetic but exact and dropped_term, which the caller may spread over a block. The magnitude is always
// exact.
template <class Item, class Case, class Stages>
__device__ TermSum warp_rounded(const Case& x, const Stages& s, std::int64_t i, std::int64_t terms,
                                Arithmetic arithmetic) {
  TermSum total = warp_exact<Item>(x, s, i, terms);
  switch (arithmetic) {
    case Arithmetic::forward_fp32: total.sum = static_cast<double>(warp_forward<Item>(x, s, i, terms, false)); break;
    case Arithmetic::bf16_accumulate: total.sum = static_cast<double>(warp_forward<Item>(x, s, i, terms, true)); break;
    case Arithmetic::blocked_fp32: total.sum = static_cast<double>(warp_blocked<Item>(x, s, i, terms)); break;
    case Arithmetic::strided_fp32: total.sum = static_cast<double>(warp_strided<Item>(x, s, i, terms)); break;
    default: break;
  }
  return total;
}

}  // namespace mskb::truth
