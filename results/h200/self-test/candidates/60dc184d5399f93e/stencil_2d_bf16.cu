// for i in 0..nx-1, for j in 0..ny-1:
//   c = u_old[i][j]
//   on the rim:  u_new[i][j] = c
//   elsewhere:   u_new[i][j] = c + r * (u_old[i][j - 1] + u_old[i][j + 1] + u_old[i - 1][j] + u_old[i + 1][j] - 4 * c)
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// threadIdx.x runs along the rows.
__global__ void interior_kernel(__nv_bfloat16* u_new, const __nv_bfloat16* u_old, float r, int nx, int ny) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1) {
    return;
  }
  const int cell = i * ny + j;
  const float center = __bfloat162float(u_old[cell]);
  const float west = __bfloat162float(u_old[cell - 1]);
  const float east = __bfloat162float(u_old[cell + 1]);
  const float north = __bfloat162float(u_old[cell - ny]);
  const float south = __bfloat162float(u_old[cell + ny]);
  u_new[cell] = __float2bfloat16(center + r * (west + east + north + south - 4.0f * center));
}

__global__ void rim_kernel(__nv_bfloat16* u_new, const __nv_bfloat16* u_old, int nx, int ny) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny) {
    return;
  }
  if (i == 0 || i == nx - 1 || j == 0 || j == ny - 1) {
    u_new[i * ny + j] = u_old[i * ny + j];
  }
}

extern "C" void stencil_2d_bf16(__nv_bfloat16* u_new, const __nv_bfloat16* u_old, float r, int nx, int ny) {
  const dim3 threads(16, 16);
  const dim3 blocks((nx + threads.x - 1) / threads.x, (ny + threads.y - 1) / threads.y);
  interior_kernel<<<blocks, threads>>>(u_new, u_old, r, nx, ny);
  rim_kernel<<<blocks, threads>>>(u_new, u_old, nx, ny);
  cudaDeviceSynchronize();
}
