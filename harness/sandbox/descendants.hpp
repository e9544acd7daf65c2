#pragma once
#include <sys/types.h>

#include <cstdint>

namespace mskb {

// For a forked process, which may not allocate. Both need CONFIG_PROC_CHILDREN.

// The caller's children, at most `most` of them. Returns how many were found.
int list_children(pid_t* children, int most);

// Bytes of memory that the caller's descendants hold: private and shared memory that they have touched and still map, what of it was swapped out,
// and their page tables; not the files that they map. What several map together counts for each.
std::uint64_t memory_of_descendants();

}  // namespace mskb
