#pragma once
#include <mutex>

namespace mskb::simt {

// Held by whichever of a candidate's host threads is in the run-time: a launch runs to its end before another thread's call begins. Recursive, as a
// kernel may call what its launch holds it for; who leaves a kernel for good from there has to let go first.
inline std::recursive_mutex host_threads;
using OneHostThread = std::unique_lock<std::recursive_mutex>;

}  // namespace mskb::simt
