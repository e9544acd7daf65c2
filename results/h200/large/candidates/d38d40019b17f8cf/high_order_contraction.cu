// for a in 0..a_dim-1, for b in 0..b_dim-1, for c in 0..c_dim-1:
//   C[a][b][c] = sum over x in 0..x_dim-1, y in 0..y_dim-1 of A[a][x][b][y] * B[x][c][y]
#include <cuda_runtime.h>

// One thread per element of C, c fastest.
__global__ void high_order_contraction_kernel(const float* A, const float* B, float* C, int a_dim, int b_dim, int c_dim,
                                              int x_dim, int y_dim) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a_dim * b_dim * c_dim) {
    return;
  }
  const int c = i % c_dim;
  const int b = i / c_dim % b_dim;
  const int a = i / (c_dim * b_dim);
  float sum = 0.0f;
  for (int x = 0; x < x_dim; ++x) {
    for (int y = 0; y < y_dim; ++y) {
      sum += A[((a * x_dim + x) * b_dim + b) * y_dim + y] * B[(x * c_dim + c) * y_dim + y];
    }
  }
  C[i] = sum;
}

extern "C" void high_order_contraction(const float* A, const float* B, float* C, int a_dim, int b_dim, int c_dim, int x_dim,
                       int y_dim) {
  const int threads = 256;
  const int blocks = (a_dim * b_dim * c_dim + threads - 1) / threads;
  high_order_contraction_kernel<<<blocks, threads>>>(A, B, C, a_dim, b_dim, c_dim, x_dim, y_dim);
}
