#pragma once
#include <cstdint>

#include "truth/compare.hpp"
#include "truth/module_body.hpp"
#include "truth/sums.cuh"

// The loops of a task module as kernels. Elements that are not sums take a thread each. Of sums, few elements (up to
// few_elements) are cut into parts, a block for each part of each element; many take a warp each, and the whole block
// helps where one has over long_sum terms.
namespace mskb::truth {

inline constexpr std::int64_t few_elements = 2048;
inline constexpr std::int64_t wanted_parts = 2048;  // part sums for few elements, at least
inline constexpr std::int64_t long_sum = 4096;
inline constexpr int largest_grid = 1024;

// What is done with element k of a request, whose index in the output or stage is i. finish() is called once by every
// thread of the block.
struct StoreSink {
  double* want;
  double* magnitude;  // may be null
  bool round;
  Arithmetic arithmetic;

  __device__ void take(std::int64_t k, std::int64_t, Value value) {
    want[k] = round ? stored(value.want, arithmetic) : value.want;
    if (magnitude != nullptr) {
      magnitude[k] = value.magnitude;
    }
  }
  __device__ void finish() {}
};

// Merges the summaries of the block's threads by a fixed tree.
__device__ inline void block_merge(const OutputTally& mine, OutputTally* to) {
  __shared__ OutputTally tallies[block_threads];
  tallies[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned width = block_threads / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      merge(tallies[threadIdx.x], tallies[threadIdx.x + width]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    *to = tallies[0];
  }
}

struct CheckSink {
  OutputRequest request;
  ElementType type;
  OutputTally* partial;  // one per block
  OutputTally tally;

  __device__ void take(std::int64_t, std::int64_t i, Value value) {
    tally_element(tally, request, type, static_cast<std::uint64_t>(i), value);
  }
  __device__ void finish() { block_merge(tally, partial + blockIdx.x); }
};

__device__ inline std::int64_t element_index(const std::uint64_t* index, std::int64_t k) {
  return index == nullptr ? k : static_cast<std::int64_t>(index[k]);
}

template <class Item, class Case, class Stages, class Sink>
__global__ void __launch_bounds__(block_threads)
    direct_kernel(const Case x, const Stages s, std::int64_t count, const std::uint64_t* index, Sink sink) {
  for (std::int64_t k = blockIdx.x * std::int64_t{block_threads} + threadIdx.x; k < count;
       k += std::int64_t{block_threads} * gridDim.x) {
    const std::int64_t i = element_index(index, k);
    sink.take(k, i, direct<Item>(x, s, i));
  }
  sink.finish();
}

template <class Item, class Case, class Stages>
__device__ std::int64_t exact_terms(const Case& x, const Stages& s, std::int64_t i, Arithmetic arithmetic) {
  const std::int64_t terms = term_count<Item>(x, s, i);
  return arithmetic == Arithmetic::dropped_term && terms > 0 ? terms - 1 : terms;
}

__device__ inline bool is_tree(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::exact || arithmetic == Arithmetic::dropped_term;
}

template <class Item, class Case, class Stages, class Sink>
__global__ void __launch_bounds__(block_threads)
    sum_kernel(const Case x, const Stages s, std::int64_t count, const std::uint64_t* index, Arithmetic arithmetic,
               Sink sink) {
  __shared__ TermSum parts[block_warps];
  __shared__ std::int64_t lengths[block_warps];
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  for (std::int64_t base = blockIdx.x * std::int64_t{block_warps}; base < count;
       base += std::int64_t{block_warps} * gridDim.x) {
    const std::int64_t k = base + warp;
    const std::int64_t i = k < count ? element_index(index, k) : 0;
    const std::int64_t terms = k < count ? exact_terms<Item>(x, s, i, arithmetic) : 0;
    if (lane == 0) {
      lengths[warp] = is_tree(arithmetic) ? terms : 0;
    }
    __syncthreads();
    TermSum total{0, 0};
    if (!is_tree(arithmetic)) {
      total = warp_rounded<Item>(x, s, i, terms, arithmetic);
    } else if (terms <= long_sum) {
      total = warp_exact<Item>(x, s, i, terms);
    }
    for (int other = 0; other < block_warps; ++other) {
      if (lengths[other] > long_sum) {
        const TermSum joint = block_exact<Item>(x, s, element_index(index, base + other), 0, lengths[other], parts);
        total = other == warp ? joint : total;
      }
    }
    if (lane == 0 && k < count) {
      sink.take(k, i, finished<Item>(x, s, i, total));
    }
    __syncthreads();
  }
  sink.finish();
}

// Block (p, k) adds part p of element k.
template <class Item, class Case, class Stages>
__global__ void __launch_bounds__(block_threads)
    part_kernel(const Case x, const Stages s, const std::uint64_t* index, Arithmetic arithmetic, TermSum* to) {
  __shared__ TermSum parts[block_warps];
  const std::int64_t i = element_index(index, blockIdx.y);
  const std::int64_t terms = exact_terms<Item>(x, s, i, arithmetic);
  const std::int64_t length = (terms + gridDim.x - 1) / gridDim.x;
  const std::int64_t begin = length * blockIdx.x;
  const std::int64_t end = begin + length < terms ? begin + length : terms;
  const TermSum total = block_exact<Item>(x, s, i, begin, end, parts);
  if (threadIdx.x == 0) {
    to[blockIdx.y * std::int64_t{gridDim.x} + blockIdx.x] = total;
  }
}

template <class Item, class Case, class Stages, class Sink>
__global__ void __launch_bounds__(block_threads)
    join_kernel(const Case x, const Stages s, std::int64_t count, const std::uint64_t* index, const TermSum* parts,
                int parts_each, Sink sink) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t warps = std::int64_t{block_warps} * gridDim.x;
  for (std::int64_t k = blockIdx.x * std::int64_t{block_warps} + threadIdx.x / 32; k < count; k += warps) {
    TermSum total{0, 0};
    for (int p = lane; p < parts_each; p += 32) {
      total.sum += parts[k * parts_each + p].sum;
      total.magnitude += parts[k * parts_each + p].magnitude;
    }
    total = warp_tree(total);
    if (lane == 0) {
      const std::int64_t i = element_index(index, k);
      sink.take(k, i, finished<Item>(x, s, i, total));
    }
  }
  sink.finish();
}

// One block: merges the blocks' summaries (at most largest_grid of them; the sum is left in partial[0]) and ends the
// check.
static __global__ void __launch_bounds__(block_threads)
    conclude_kernel(OutputTally* partial, int count, Acceptance accept, wire::OutputFindings* findings) {
  OutputTally mine = empty_tally();
  for (int k = static_cast<int>(threadIdx.x); k < count; k += block_threads) {
    merge(mine, partial[k]);
  }
  block_merge(mine, partial);
  if (threadIdx.x == 0) {
    *findings = conclude(partial[0], accept);
  }
}

// One step of a bitonic merge in which every comparison puts the smaller value in front, so that what is missing behind
// the end acts as infinity. Pair p is (a, a + width), or mirrored in its group of 2 * width values.
static __global__ void __launch_bounds__(block_threads)
    ascending_step_kernel(double* values, std::int64_t count, std::int64_t width, bool mirrored) {
  const std::int64_t p = blockIdx.x * std::int64_t{block_threads} + threadIdx.x;
  const std::int64_t group = p / width * 2 * width, place = p % width;
  const std::int64_t a = group + place, b = mirrored ? group + 2 * width - 1 - place : a + width;
  if (b < count && values[a] > values[b]) {
    const double larger = values[a];
    values[a] = values[b];
    values[b] = larger;
  }
}

struct DeviceSide {
  static constexpr std::uint64_t part_doubles = 2 * (wanted_parts + few_elements);
  static constexpr std::uint64_t scratch_doubles = part_doubles + largest_grid * (sizeof(OutputTally) / sizeof(double));
  static_assert(sizeof(TermSum) == 2 * sizeof(double) && sizeof(OutputTally) % sizeof(double) == 0);

  template <class Item, class Case, class Stages>
  static int fill(const Case& x, const Stages& s, double* to, std::int64_t count, Arithmetic arithmetic,
                  double* scratch, void* stream) {
    return over_elements<Item>(x, s, count, nullptr, arithmetic, StoreSink{to, nullptr, true, arithmetic}, scratch,
                               stream)
        .status;
  }

  static int sort(double* values, std::int64_t count, void* stream) {
    for (std::int64_t sorted = 1; sorted < count; sorted *= 2) {
      for (std::int64_t width = sorted; width > 0; width /= 2) {
        const std::int64_t pairs = (count + 2 * width - 1) / (2 * width) * width;
        const auto blocks = static_cast<unsigned>((pairs + block_threads - 1) / block_threads);
        ascending_step_kernel<<<blocks, block_threads, 0, static_cast<cudaStream_t>(stream)>>>(values, count, width,
                                                                                               width == sorted);
      }
    }
    return static_cast<int>(cudaGetLastError());
  }

  template <class Item, class Case, class Stages>
  static int check(const Case& x, const Stages& s, ElementType type, const OutputRequest& request,
                   Arithmetic arithmetic, wire::OutputFindings* findings, double* scratch, void* stream) {
    auto* partial = reinterpret_cast<OutputTally*>(scratch + part_doubles);
    const Launched done = over_elements<Item>(x, s, static_cast<std::int64_t>(request.count), request.index, arithmetic,
                                              CheckSink{request, type, partial, empty_tally()}, scratch, stream);
    if (done.status != 0) {
      return done.status;
    }
    conclude_kernel<<<1, block_threads, 0, static_cast<cudaStream_t>(stream)>>>(partial, done.grid, request.accept,
                                                                                findings);
    return static_cast<int>(cudaGetLastError());
  }

  template <class Item, class Case, class Stages>
  static int want(const Case& x, const Stages& s, std::uint64_t count, const std::uint64_t* index, double* wanted,
                  double* magnitude, Arithmetic arithmetic, double* scratch, void* stream) {
    return over_elements<Item>(x, s, static_cast<std::int64_t>(count), index, arithmetic,
                               StoreSink{wanted, magnitude, false, arithmetic}, scratch, stream)
        .status;
  }

 private:
  struct Launched {
    int status, grid;
  };

  static int grid_for(std::int64_t count, int per_block) {
    const std::int64_t blocks = (count + per_block - 1) / per_block;
    return static_cast<int>(blocks < 1 ? 1 : blocks > largest_grid ? largest_grid : blocks);
  }

  template <class Item, class Case, class Stages, class Sink>
  static Launched over_elements(const Case& x, const Stages& s, std::int64_t count, const std::uint64_t* index,
                                Arithmetic arithmetic, const Sink& sink, double* scratch, void* stream_pointer) {
    const auto stream = static_cast<cudaStream_t>(stream_pointer);
    int grid = 0;
    if constexpr (SumOfTerms<Item, Case, Stages>) {
      grid = grid_for(count, block_warps);
      if (count > 0 && count <= few_elements &&
          (arithmetic == Arithmetic::exact || arithmetic == Arithmetic::dropped_term)) {
        const int parts_each = static_cast<int>((wanted_parts + count - 1) / count);
        auto* parts = reinterpret_cast<TermSum*>(scratch);
        part_kernel<Item>
            <<<dim3(static_cast<unsigned>(parts_each), static_cast<unsigned>(count)), block_threads, 0, stream>>>(
                x, s, index, arithmetic, parts);
        join_kernel<Item><<<grid, block_threads, 0, stream>>>(x, s, count, index, parts, parts_each, sink);
      } else {
        sum_kernel<Item><<<grid, block_threads, 0, stream>>>(x, s, count, index, arithmetic, sink);
      }
    } else {
      grid = grid_for(count, block_threads);
      direct_kernel<Item><<<grid, block_threads, 0, stream>>>(x, s, count, index, sink);
    }
    return {static_cast<int>(cudaGetLastError()), grid};
  }
};

using ModuleSide = DeviceSide;

}  // namespace mskb::truth
