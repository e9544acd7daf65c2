// for i in 0..nx-1, for j in 0..ny-1, for k in 0..nz-1:
//   c = u_old[i][j][k]
//   on the rim:  u_new[i][j][k] = c
//   elsewhere:   u_new[i][j][k] = c + r * (u_old[i - 1][j][k] + u_old[i + 1][j][k] + u_old[i][j - 1][k]
//                                          + u_old[i][j + 1][k] + u_old[i][j][k - 1] + u_old[i][j][k + 1] - 6 * c)
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// threadIdx.x runs along the slowest axis.
__global__ void interior_kernel(__nv_bfloat16* u_new, const __nv_bfloat16* u_old, float r, int nx, int ny, int nz) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1 || k < 1 || k >= nz - 1) {
    return;
  }
  const int plane = ny * nz;
  const int cell = i * plane + j * nz + k;
  const float center = __bfloat162float(u_old[cell]);
  const float below = __bfloat162float(u_old[cell - plane]);
  const float above = __bfloat162float(u_old[cell + plane]);
  const float north = __bfloat162float(u_old[cell - nz]);
  const float south = __bfloat162float(u_old[cell + nz]);
  const float west = __bfloat162float(u_old[cell - 1]);
  const float east = __bfloat162float(u_old[cell + 1]);
  u_new[cell] = __float2bfloat16(center + r * (below + above + north + south + west + east - 6.0f * center));
}

__global__ void rim_kernel(__nv_bfloat16* u_new, const __nv_bfloat16* u_old, int nx, int ny, int nz) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= nx || j >= ny || k >= nz) {
    return;
  }
  if (i == 0 || i == nx - 1 || j == 0 || j == ny - 1 || k == 0 || k == nz - 1) {
    const int cell = (i * ny + j) * nz + k;
    u_new[cell] = u_old[cell];
  }
}

extern "C" void stencil_3d_bf16(__nv_bfloat16* u_new, const __nv_bfloat16* u_old, float r, int nx, int ny, int nz) {
  const dim3 threads(4, 4, 4);
  const dim3 blocks((nx + threads.x - 1) / threads.x, (ny + threads.y - 1) / threads.y,
                    (nz + threads.z - 1) / threads.z);
  interior_kernel<<<blocks, threads>>>(u_new, u_old, r, nx, ny, nz);
  rim_kernel<<<blocks, threads>>>(u_new, u_old, nx, ny, nz);
  cudaDeviceSynchronize();
}
