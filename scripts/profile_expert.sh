#!/usr/bin/env bash
# Nsight Compute's view of two of the expert's kernels at the largest paper size, outside the harness (its arenas are closed to the profiler):
# a small program includes the kernel, fills its buffers, reads 256 MiB to empty the L2 cache, and calls it. Prints the report.
#   bash scripts/profile_expert.sh
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)

profile() {
  local task=$1 arguments=$2 buffers=$3
  cat >"$work/$task.cu" <<EOF
#include "optimizers/expert/$task.cu"
__global__ void fill(float* data, size_t n, unsigned seed) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(blockDim.x) * gridDim.x) {
    seed = (seed ^ unsigned(i)) * 2654435761u;
    data[i] = float(seed >> 8) / 8388608.0f - 1.0f;
  }
}
int main() {
  constexpr size_t n = size_t(1) << 26;
  float* all = nullptr;
  if (cudaMalloc(&all, n * sizeof(float)) != cudaSuccess) return 1;
  $buffers
  for (int i = 0; i < 3; ++i) {
    fill<<<1024, 256>>>(all, n, unsigned(i) + 1);
    cudaDeviceSynchronize();
    ${task}_optimized($arguments);
    cudaDeviceSynchronize();
  }
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
EOF
  nvcc -std=c++17 -O3 -lineinfo -I. "-gencode=arch=compute_${arch},code=sm_${arch}" -o "$work/$task" "$work/$task.cu"
  echo "== $task"
  ncu --clock-control none --kernel-name-base function --kernel-name 'regex:^(?!fill)' --launch-skip 1 --launch-count 2 \
    --section SpeedOfLight --section LaunchStats --section Occupancy --section WarpStateStats --section MemoryWorkloadAnalysis \
    "$work/$task"
}

profile silu_and_mul "in, out, 64, 12288" "float *in = all, *out = all + (size_t(1) << 24);"
profile rms_norm "out, in, weight, bias, 1e-5f, 1024" \
  "float *in = all, *weight = all + 4096, *bias = all + 8192, *out = all + 12288;"
