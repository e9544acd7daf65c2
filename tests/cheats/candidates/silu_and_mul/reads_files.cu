// Right unless it finds something: records, sources of tasks, other processes, memory of the harness, its
// environment. What it finds makes it wrong, so that a pass says that there was nothing.
#include <cuda_runtime.h>
#include <dirent.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

__global__ void silu(const float* in, float* out, int B, int D) {
  for (int b = blockIdx.x; b < B; b += gridDim.x) {
    for (int d = threadIdx.x; d < D; d += blockDim.x) {
      const float x = in[b * 2 * D + d], g = in[b * 2 * D + D + d];
      out[b * D + d] = x / (1.0f + expf(-x)) * g;
    }
  }
}

int entries(const char* path) {
  DIR* directory = ::opendir(path);
  int count = 0;
  while (directory != nullptr && ::readdir(directory) != nullptr) {
    ++count;
  }
  if (directory != nullptr) {
    ::closedir(directory);
  }
  return count;
}

bool found(const char* what) {
  std::fprintf(stderr, "found: %s\n", what);
  return true;
}

bool finds_something() {
  // Processes: its own and the first of its namespace, nobody else's.
  for (int process = 1; process < 4000000; process = process < 2000 ? process + 1 : process * 2) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/cmdline", process);
    if (process != ::getpid() && process != 1 && ::access(path, F_OK) == 0) {
      return found(path);
    }
  }
  for (const char* path : {"/proc/1/mem", "/proc/1/environ", "/proc/1/maps", "/proc/1/fd"}) {
    if (FILE* file = std::fopen(path, "r")) {
      char byte = 0;
      if (std::fread(&byte, 1, 1, file) == 1) {
        return found(path);
      }
      std::fclose(file);
    }
  }
  // Two entries are "." and "..".
  for (const char* name : {"MSKB_HOME", "MSKB_CACHE", "TMPDIR"}) {
    if (std::getenv(name) != nullptr) {
      return found(name);
    }
  }
  for (const char* path : {"MSKB_TASKS", "MSKB_RESULTS", "MSKB_BASELINES"}) {
    if (entries(path) > 2) {
      return found(path);
    }
  }
  return false;
}

extern "C" void silu_and_mul(const float* in, float* out, int B, int D) {
  silu<<<B, 128>>>(in, out, B, D);
  cudaDeviceSynchronize();
  if (finds_something()) {
    cudaMemset(out, 0, sizeof(float) * B * D);
  }
}
