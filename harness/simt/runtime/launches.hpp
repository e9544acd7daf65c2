// Launches: limits, the kernels' attributes, the inventory, and stream capture.
#pragma once

#include <cstddef>

namespace mskb::simt {

// The kernel that runs, as its launch spells it; null outside kernels.
const char* current_kernel();
void forget_launches();

// cudaFuncSetAttribute's most dynamic shared memory of a kernel, by its host address.
void set_dynamic_shared_limit(const void* kernel, std::size_t bytes);
// Of a kernel whose address is not known (null): the most that any kernel was given.
std::size_t dynamic_shared_limit(const void* kernel);

}  // namespace mskb::simt
