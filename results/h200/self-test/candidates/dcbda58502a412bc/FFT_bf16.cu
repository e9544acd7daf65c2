// X = x in bit-reversed order
// for half in 1, 2, 4, .. N/2, for every pair (a, b = a + half) with position p of a in its group of 2*half:
//   t = exp(-2 pi i p / (2 half)) * X[b];  X[b] = X[a] - t;  X[a] = X[a] + t
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

// work[i] = input[bit reversal of i]; one thread per element.
__global__ void reorder_kernel(const __nv_bfloat16* input_real, const __nv_bfloat16* input_img, __nv_bfloat16* work_real, __nv_bfloat16* work_img,
                               const int* bit_reversed, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    work_real[i] = input_real[bit_reversed[i]];
    work_img[i] = input_img[bit_reversed[i]];
  }
}

// One level, in place; one thread per butterfly.
__global__ void butterfly_kernel(__nv_bfloat16* work_real, __nv_bfloat16* work_img, const __nv_bfloat16* twiddle_real, const __nv_bfloat16* twiddle_img,
                                 int half, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N / 2) {
    return;
  }
  const int position = i % half;
  const int a = i / half * 2 * half + position;
  const int b = a + half;
  const int turn = position * (N / (2 * half));
  const float wr = __bfloat162float(twiddle_real[turn]);
  const float wi = __bfloat162float(twiddle_img[turn]);
  const float ar = __bfloat162float(work_real[a]);
  const float ai = __bfloat162float(work_img[a]);
  const float br = __bfloat162float(work_real[b]);
  const float bi = __bfloat162float(work_img[b]);
  const float tr = wr * br - wi * bi;
  const float ti = wr * bi + wi * br;
  work_real[a] = __float2bfloat16(ar + tr);
  work_img[a] = __float2bfloat16(ai + ti);
  work_real[b] = __float2bfloat16(ar - tr);
  work_img[b] = __float2bfloat16(ai - ti);
}

static std::vector<int> bit_reversal_table(int N) {
  std::vector<int> table(N);
  for (int i = 0; i < N; ++i) {
    int reversed = 0;
    for (int low = 1, high = N / 2; low < N; low *= 2, high /= 2) {
      if (i & low) {
        reversed |= high;
      }
    }
    table[i] = reversed;
  }
  return table;
}

extern "C" void FFT_bf16(const __nv_bfloat16* input_real, const __nv_bfloat16* input_img, __nv_bfloat16* output_real, __nv_bfloat16* output_img, int N) {
  const std::vector<int> bit_reversed = bit_reversal_table(N);
  std::vector<__nv_bfloat16> twiddle_real(N / 2), twiddle_img(N / 2);
  for (int k = 0; k < N / 2; ++k) {
    const float angle = static_cast<float>(-2.0 * 3.14159265358979323846 * k / N);
    twiddle_real[k] = __float2bfloat16(static_cast<float>(std::cos(static_cast<double>(angle))));
    twiddle_img[k] = __float2bfloat16(static_cast<float>(std::sin(static_cast<double>(angle))));
  }

  const size_t bytes = N * sizeof(__nv_bfloat16);
  __nv_bfloat16 *copy_real, *copy_img, *work_real, *work_img, *device_twiddle_real, *device_twiddle_img;
  int* device_bit_reversed;
  cudaMalloc(&copy_real, bytes);
  cudaMalloc(&copy_img, bytes);
  cudaMalloc(&work_real, bytes);
  cudaMalloc(&work_img, bytes);
  cudaMalloc(&device_twiddle_real, bytes / 2);
  cudaMalloc(&device_twiddle_img, bytes / 2);
  cudaMalloc(&device_bit_reversed, N * sizeof(int));
  cudaMemcpy(copy_real, input_real, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(copy_img, input_img, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_bit_reversed, bit_reversed.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(device_twiddle_real, twiddle_real.data(), bytes / 2, cudaMemcpyHostToDevice);
  cudaMemcpy(device_twiddle_img, twiddle_img.data(), bytes / 2, cudaMemcpyHostToDevice);

  const int threads = 256;
  reorder_kernel<<<(N + threads - 1) / threads, threads>>>(copy_real, copy_img, work_real, work_img,
                                                           device_bit_reversed, N);
  cudaDeviceSynchronize();
  for (int half = 1; half < N; half *= 2) {
    butterfly_kernel<<<(N / 2 + threads - 1) / threads, threads>>>(work_real, work_img, device_twiddle_real,
                                                                   device_twiddle_img, half, N);
    cudaDeviceSynchronize();
  }

  cudaMemcpy(output_real, work_real, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(output_img, work_img, bytes, cudaMemcpyDeviceToHost);
  cudaFree(copy_real);
  cudaFree(copy_img);
  cudaFree(work_real);
  cudaFree(work_img);
  cudaFree(device_twiddle_real);
  cudaFree(device_twiddle_img);
  cudaFree(device_bit_reversed);
}
