// Where a thread stands, and the memory of its block.
#pragma once

#include "mskb_simt/abi.h"
#include "vector_types.h"

// Constant for a thread: the run-time changes them only between threads.
extern "C" {
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
}

namespace mskb_simt {

template <class T>
inline T& shared(SharedVariable& variable) {
  if (__builtin_expect(variable.epoch != mskb_simt_epoch, 0)) mskb_simt_shared(&variable, sizeof(T), alignof(T));
  return *static_cast<T*>(variable.memory);
}

template <class T>
inline T& dynamic_shared() {
  return *static_cast<T*>(mskb_simt_dynamic_shared());
}

// `extern __shared__ T x[];` outside functions.
template <class T>
struct DynamicShared;
template <class T>
struct DynamicShared<T[]> {
  operator T*() const { return static_cast<T*>(mskb_simt_dynamic_shared()); }
};

}  // namespace mskb_simt
