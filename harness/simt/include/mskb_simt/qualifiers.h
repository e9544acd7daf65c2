// CUDA's qualifiers and predefined macros. `__shared__` and `__noinline__` are rewritten by the translator.
#pragma once

#define __CUDACC__ 1
#define __CUDA_ARCH__ 800
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_assume(condition) ((void)0)
#define __nv_is_extended_device_lambda_closure_type(type) false

#define MSKB_SIMT_HERE const char *mskb_file = __builtin_FILE(), int mskb_line = __builtin_LINE()
