// for n in 0..N-1, for c in 0..C-1, for i in 0..out_H-1, for j in 0..out_W-1:
//   output[n][c][i][j] = max over u, v in 0..kernel_size-1 of
//     input[n][c][i * stride - padding + u][j * stride - padding + v], where those lie inside the image
#include <cuda_runtime.h>

#include <cfloat>

// One thread per output pixel, one layer of the grid per image and channel.
__global__ void max_pooling_2d_kernel(const float* input, float* output, int H, int W, int out_H, int out_W,
                                      int kernel_size, int stride, int padding) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const int image = blockIdx.z;
  if (i >= out_H || j >= out_W) {
    return;
  }
  const int top = i * stride - padding;
  const int left = j * stride - padding;
  const int first_row = top > 0 ? top : 0;
  const int first_col = left > 0 ? left : 0;
  const int last_row = top + kernel_size < H ? top + kernel_size : H;
  const int last_col = left + kernel_size < W ? left + kernel_size : W;
  float largest = -FLT_MAX;
  for (int row = first_row; row < last_row; ++row) {
    for (int col = first_col; col < last_col; ++col) {
      const float x = input[(image * H + row) * W + col];
      if (x > largest) {
        largest = x;
      }
    }
  }
  output[(image * out_H + i) * out_W + j] = largest;
}

extern "C" void max_pooling_2d(const float* input, float* output, int N, int C, int H, int W, int kernel_size, int stride,
                       int padding) {
  const int out_H = (H + 2 * padding - kernel_size) / stride + 1;
  const int out_W = (W + 2 * padding - kernel_size) / stride + 1;
  if (out_H <= 0 || out_W <= 0) {
    return;
  }
  const dim3 threads(16, 16);
  const dim3 blocks((out_W + threads.x - 1) / threads.x, (out_H + threads.y - 1) / threads.y, N * C);
  max_pooling_2d_kernel<<<blocks, threads>>>(input, output, H, W, out_H, out_W, kernel_size, stride, padding);
  cudaDeviceSynchronize();
}
