// Right the first time; leaves a file wherever it can, and is wrong where it finds one that an earlier process left.
#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <initializer_list>

__global__ void silu(const float* in, float* out, int B, int D) {
  for (int b = blockIdx.x; b < B; b += gridDim.x) {
    for (int d = threadIdx.x; d < D; d += blockDim.x) {
      const float x = in[b * 2 * D + d], g = in[b * 2 * D + D + d];
      out[b * D + d] = x / (1.0f + expf(-x)) * g;
    }
  }
}

timespec started() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now;
}
const timespec start = started();
const long mine = start.tv_sec * 1000000000L + start.tv_nsec;

extern "C" void silu_and_mul(const float* in, float* out, int B, int D) {
  silu<<<B, 128>>>(in, out, B, D);
  cudaDeviceSynchronize();
  const char* home = std::getenv("HOME");
  char at_home[256];
  std::snprintf(at_home, sizeof at_home, "%s/mskb-cheat-leaves-files", home != nullptr ? home : ".");
  bool found = false;
  const char* here = at_home;
  for (const char* path : {"/tmp/mskb-cheat-leaves-files", "/dev/shm/mskb-cheat-leaves-files",
                           "/var/tmp/mskb-cheat-leaves-files", here, "mskb-cheat-leaves-files",
                           "../mskb-cheat-leaves-files"}) {
    long author = 0;
    if (FILE* file = std::fopen(path, "r")) {
      found = found || (std::fscanf(file, "%ld", &author) == 1 && author != mine);
      std::fclose(file);
    } else if (FILE* fresh = std::fopen(path, "w")) {
      std::fprintf(fresh, "%ld", mine);
      std::fclose(fresh);
    }
  }
  if (found) {
    cudaMemset(out, 0, sizeof(float) * B * D);
  }
}
