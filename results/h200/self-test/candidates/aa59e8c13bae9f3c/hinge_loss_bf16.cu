// for i in 0..N-1:
//   loss[i] = max(0, 1 - y * predictions[i]) with y = 1 if targets[i] == 1 else -1
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread per sample.
__global__ void hinge_loss_kernel(__nv_bfloat16* loss, const __nv_bfloat16* predictions, const int* targets, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    const float y = targets[i] == 1 ? 1.0f : -1.0f;
    loss[i] = __float2bfloat16(fmaxf(0.0f, 1.0f - y * __bfloat162float(predictions[i])));
  }
}

extern "C" void hinge_loss_bf16(__nv_bfloat16* loss, const __nv_bfloat16* predictions, const int* targets, int N) {
  const int threads = 1024;
  hinge_loss_kernel<<<(N + threads - 1) / threads, threads>>>(loss, predictions, targets, N);
  cudaDeviceSynchronize();
}
