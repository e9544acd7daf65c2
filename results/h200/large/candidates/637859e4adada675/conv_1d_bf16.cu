// for i in 0..input_size-kernel_size:
//   output[i] = sum over j in 0..kernel_size-1 of input[i + j] * kernel[j]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread per output element.
__global__ void conv_1d_kernel(const __nv_bfloat16* input, const __nv_bfloat16* kernel, __nv_bfloat16* output, int kernel_size,
                               int output_size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= output_size) {
    return;
  }
  float sum = 0.0f;
  for (int j = 0; j < kernel_size; ++j) {
    sum += __bfloat162float(input[i + j]) * __bfloat162float(kernel[j]);
  }
  output[i] = __float2bfloat16(sum);
}

extern "C" void conv_1d_bf16(const __nv_bfloat16* input, const __nv_bfloat16* kernel, __nv_bfloat16* output, int input_size, int kernel_size) {
  const int output_size = input_size - kernel_size + 1;
  const int threads = 256;
  const int blocks = (output_size + threads - 1) / threads;
  conv_1d_kernel<<<blocks, threads>>>(input, kernel, output, kernel_size, output_size);
  cudaDeviceSynchronize();
}
