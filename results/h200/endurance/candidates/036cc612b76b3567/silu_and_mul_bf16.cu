// version 32
// for b in 0..B-1, for d in 0..D-1:
//   x = in[b][d], g = in[b][D + d]
//   out[b][d] = x / (1 + exp(-x)) * g
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// Blocks walk over whole rows, threads over the columns of a row.
__global__ void silu_and_mul_kernel(const __nv_bfloat16* in, __nv_bfloat16* out, int B, int D) {
  for (int b = blockIdx.x; b < B; b += gridDim.x) {
    const __nv_bfloat16* row = in + b * 2 * D;
    for (int d = threadIdx.x; d < D; d += blockDim.x) {
      const float x = __bfloat162float(row[d]);
      const float g = __bfloat162float(row[D + d]);
      const float silu = x / (1.0f + expf(-x));
      out[b * D + d] = __float2bfloat16(silu * g);
    }
  }
}

extern "C" void silu_and_mul_bf16(const __nv_bfloat16* in, __nv_bfloat16* out, int B, int D) {
  const int threads = 128;
  const int blocks = B < 256 ? B : 256;
  silu_and_mul_kernel<<<blocks, threads>>>(in, out, B, D);
  cudaDeviceSynchronize();
}
