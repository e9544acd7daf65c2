#pragma once

// MSKB_FN: a function that runs on the host and, when nvcc compiles it, on the device.
#ifdef __CUDACC__
#define MSKB_FN __host__ __device__ inline
#else
#define MSKB_FN inline
#endif
