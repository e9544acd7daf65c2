// Data races between CUDA threads. Candidates of this flavour are compiled with ThreadSanitizer's instrumentation, whose calls end here instead
// of in its run-time: that one knows operating-system threads, while here one thread runs all blocks one after another, and what orders two
// accesses is CUDA's: barriers, warp operations, atomics. Nothing happens in run-times without MSKB_SIMT_RACES.
#pragma once

#include <cstddef>

namespace mskb::simt::races {

#if defined(MSKB_SIMT_RACES)
// The scheduler's events, in the order in which they happen.
void begin_launch();
void begin_block(int threads);
void arrive(int thread);  // at a barrier, or at the end of the kernel
void barrier_passed();
void lanes_met(int warp, unsigned lanes);
void pause();  // another thread may run now
#else
inline void begin_launch() {}
inline void begin_block(int) {}
inline void arrive(int) {}
inline void barrier_passed() {}
inline void lanes_met(int, unsigned) {}
inline void pause() {}
#endif

}  // namespace mskb::simt::races
