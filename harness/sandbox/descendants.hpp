#pragma once
#include <sys/types.h>

#include <cstdint>

namespace mskb {

// For a forked process, which may not allocate. Both need CONFIG_PROC_CHILDREN.

// The caller's children, at most `most` of them. Returns how many were found.
int list_children(pid_t* children, int most);

// What the caller's descendants hold together. Memory: private and shared memory that they have touched and still map, what of it was swapped out,
// and their page tables; not the files that they map. What several map together counts for each.
struct Held {
  std::uint64_t bytes = 0, threads = 0;
};
Held held_by_descendants();

}  // namespace mskb
