// for i in 0..N-1:
//   loss[i] = max(0, 1 - y * predictions[i]) with y = 1 if targets[i] == 1 else -1
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

// One thread per sample.
__global__ void hinge_loss_kernel($real* loss, const $real* predictions, const int* targets, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    const float y = targets[i] == 1 ? 1.0f : -1.0f;
    loss[i] = $store(fmaxf(0.0f, 1.0f - y * $load(predictions[i])));
  }
}

extern "C" void $entry($real* loss, const $real* predictions, const int* targets, int N) {
  const int threads = 1024;
  hinge_loss_kernel<<<(N + threads - 1) / threads, threads>>>(loss, predictions, targets, N);
  cudaDeviceSynchronize();
}
