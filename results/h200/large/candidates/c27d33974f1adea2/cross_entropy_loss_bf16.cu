// for i in 0..C-1, where Y[i] is not 0:
//   loss = loss - Y[i] * log(max(X[i], 1e-8))
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// Every thread adds its own partial sum to the scalar. The minus sign is a double: so is the arithmetic around it.
__global__ void cross_entropy_loss_kernel(float* loss, const __nv_bfloat16* X, const __nv_bfloat16* Y, int C) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < C; i += gridDim.x * blockDim.x) {
    const float target = __bfloat162float(Y[i]);
    if (target == 0.0f) {
      continue;
    }
    const float prediction = fmaxf(__bfloat162float(X[i]), 1e-8f);
    sum += -1.0 * target * logf(prediction);
  }
  if (sum != 0.0f) {
    atomicAdd(loss, sum);
  }
}

extern "C" void cross_entropy_loss_bf16(float* loss, const __nv_bfloat16* X, const __nv_bfloat16* Y, const int C) {
  const int threads = 256;
  int blocks = (C + threads - 1) / threads;
  if (blocks > 1024) {
    blocks = 1024;
  }
  cross_entropy_loss_kernel<<<blocks, threads>>>(loss, X, Y, C);
  cudaDeviceSynchronize();
}
