// for r in 0..input_rows-kernel_rows, for c in 0..input_cols-kernel_cols:
//   output[r][c] = sum over m in 0..kernel_rows-1, n in 0..kernel_cols-1 of input[r + m][c + n] * kernel[m][n]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread per output element.
__global__ void conv_2d_kernel(const __nv_bfloat16* input, const __nv_bfloat16* kernel, __nv_bfloat16* output, int input_cols, int kernel_rows,
                               int kernel_cols, int output_rows, int output_cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= output_rows || c >= output_cols) {
    return;
  }
  float sum = 0.0f;
  for (int m = 0; m < kernel_rows; ++m) {
    for (int n = 0; n < kernel_cols; ++n) {
      sum += __bfloat162float(input[(r + m) * input_cols + c + n]) * __bfloat162float(kernel[m * kernel_cols + n]);
    }
  }
  output[r * output_cols + c] = __float2bfloat16(sum);
}

extern "C" void conv_2d_bf16(const __nv_bfloat16* input, const __nv_bfloat16* kernel, __nv_bfloat16* output, int input_rows, int input_cols,
                       int kernel_rows, int kernel_cols) {
  const int output_rows = input_rows - kernel_rows + 1;
  const int output_cols = input_cols - kernel_cols + 1;
  const dim3 threads(16, 16);
  const dim3 blocks((output_cols + threads.x - 1) / threads.x, (output_rows + threads.y - 1) / threads.y);
  conv_2d_kernel<<<blocks, threads>>>(input, kernel, output, input_cols, kernel_rows, kernel_cols, output_rows,
                                      output_cols);
  cudaDeviceSynchronize();
}
