// cudaMalloc's allocations: exact heap blocks under AddressSanitizer, else with guard bytes round them; filled with
// 0xCB.
#pragma once

#include <cstddef>

namespace mskb::simt {

// Reports allocations whose guards were written to, once each.
void check_allocation_guards();
// How many bytes from `address` on belong to its allocation; `known` tells whether it lies in one.
std::size_t bytes_behind(const void* address, bool& known);

}  // namespace mskb::simt
