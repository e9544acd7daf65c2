// The error state that cudaGetLastError and the synchronizing calls give out.
#pragma once

#include "simt/include/mskb_simt/driver_types.h"

namespace mskb::simt {

// Remembers `error` as the last one (success is not remembered) and returns it.
cudaError_t remember(cudaError_t error);
// A launch was given up: every later call fails with `error` until reset(), as on a device whose context is lost.
void lose_context(cudaError_t error);
// cudaSuccess while the context is good.
cudaError_t context_error();

cudaError_t take_last_error();
cudaError_t peek_last_error();
void reset_errors();

}  // namespace mskb::simt
