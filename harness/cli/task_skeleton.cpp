#include "cli/task_skeleton.hpp"

#include <fmt/format.h>

namespace mskb::cli {

namespace {

// Of name, scenario and family.
constexpr const char* task_yaml = R"(# yaml-language-server: $schema=../../docs/task.schema.json
task: {0}
# FILL: the operation and its formula in one line
summary: "{0}: output[i] = input[i]"
scenario: {1}
family: {2}

# FILL: the numbers that a size states, and which sizes are allowed
dims:
  N: number of elements
valid:
  - N >= 1

# FILL: the entry point's parameters in C order, with what the inputs hold
signature:
  - {{name: output, role: out, type: real, shape: [N]}}
  - {{name: input, role: in, type: real, shape: [N], fill: {{uniform: [-1, 1]}}}}
  - {{name: N, role: dim}}

cases:
  # FILL: the sizes to time, ascending
  paper:
    - [65536]
    - [1048576]
  # FILL: the sizes and contents at which a wrong kernel shows, each with what it reveals
  check:
    - {{size: [1], why: "one element: a vector load reads past the end"}}
    - {{size: [1021], why: "a prime: no vector width and no block divides it"}}
    - size: [1000]
      fills: {{input: {{biased_mantissa: 1}}}}
      why: "elements that BF16 and TF32 both round towards zero"
    - size: [1000]
      fills: {{input: {{mantissa: [1, 23]}}}}
      why: "both signs and full mantissas"
    - size: [2050]
      fills: {{input: {{ramp: [-1024, 1]}}}}
      why: "each element differs from its neighbour, so that misplaced elements show"
  smoke:
    - [1000]
    - [4096]
  large:
    - [67108864]

# FILL: the complexity, the fewest bytes and flops, and whether every algorithm needs those flops
weight: N
cost: {{bytes: 2*N*s, flops: N, fixed: true}}
oracle_work: 1

# FILL: the bound that an honest kernel meets and that inputs rounded to TF32 break
accept:
  output:
    fp32: {{elementwise: {{rel: 0, mag: 1e-6}}}}
    bf16: {{elementwise: {{rel: 0.004, mag: 1e-6}}}}
# FILL: the rule by which the operation's source compares results
paper_accept: {{absolute: 1e-2}}
reset: nothing; every call overwrites the whole output
# FILL: the libraries that offer the operation and where theirs differs, or none and why
baselines:
  none: no library offers it

# FILL: a line for each trap and what was decided
decisions:
  - The output comes first in the signature.
)";

constexpr const char* reference_cu = R"(// FILL: the loop that is computed, here and in the kernel
// for i in 0..N-1:
//   output[i] = input[i]
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

__global__ void elements_kernel($real* output, const $real* input, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    const float x = $load(input[i]);
    output[i] = $store(x);
  }
}

extern "C" void $entry($real* output, const $real* input, int N) {
  elements_kernel<<<(N + 255) / 256, 256>>>(output, input, N);
  cudaDeviceSynchronize();
}
)";

constexpr const char* oracle_hpp = R"(#pragma once
#include "mskb/oracle.hpp"

// FILL: the formula in double arithmetic, and the sum of the absolute values of the terms that make the value
// output[i] = input[i]
struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const double in = x.input[i];
    return {in, fabs(in)};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<output>;
)";

}  // namespace

std::map<std::string, std::string> task_skeleton(const std::string& name, const std::string& scenario, const std::string& family) {
  return {{"task.yaml", fmt::format(fmt::runtime(task_yaml), name, scenario, family)},
          {"reference.cu", reference_cu},
          {"oracle.hpp", oracle_hpp}};
}

}  // namespace mskb::cli
