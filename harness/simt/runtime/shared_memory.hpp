// `__shared__` memory of the running block: one piece for each variable, filled with 0xCB before each block, with guard
// bytes round it that are checked when the block ends. Under AddressSanitizer each piece is an exact heap block
// instead.
#pragma once

#include <cstddef>

namespace mskb::simt {

void begin_launch_memory(std::size_t dynamic_bytes);
void begin_block_memory();
// Reports pieces whose guards were written to.
void end_block_memory();
// Frees everything; returns the bytes of static variables, laid out as CUDA does.
std::size_t end_launch_memory();

// The name of the __shared__ variable that lies at `address`; empty for dynamic memory, null where no shared memory of this launch lies.
const char* shared_variable(const void* address);

}  // namespace mskb::simt
