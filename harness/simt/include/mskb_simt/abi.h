// What translated source calls in the run-time. Both sides include this file.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace mskb_simt {

// One `__shared__` variable; `memory` is valid in the block whose number is `epoch`.
struct SharedVariable {
  const char* name;
  const char* file;
  int line;
  void* memory;
  unsigned long long epoch;
};

struct LaunchRequest {
  const char* name;  // as the source spells it
  const char* file;
  int line;
  const void* kernel;  // null when only a call expression is known
  unsigned grid[3], block[3];
  size_t dynamic_shared;
  void* stream;
};

enum class BarrierKind { plain, count, all, any };

enum class WarpOperation {
  sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  any,
  all,
  match_any,
  match_all,
  add,
  min_signed,
  max_signed,
  min_unsigned,
  max_unsigned,
  bit_and,
  bit_or,
  bit_xor
};

struct WarpRequest {
  WarpOperation operation;
  unsigned mask;
  uint64_t value;
  int argument;  // source lane, distance or lane mask of a shuffle
  int width;     // of a shuffle
};

}  // namespace mskb_simt

extern "C" {
// Number of the block that runs now; 0 outside kernels.
extern unsigned long long mskb_simt_epoch;
// Atomics of the running thread in a row that changed nothing.
extern int mskb_simt_idle_atomics;

// Runs body(state) once for each thread of the grid. `copy` and `destroy` serve stream capture.
void mskb_simt_launch(const mskb_simt::LaunchRequest* request, void (*body)(void*), void* state, void* (*copy)(void*),
                      void (*destroy)(void*));
int mskb_simt_barrier(mskb_simt::BarrierKind kind, int predicate, const char* file, int line);
uint64_t mskb_simt_warp(const mskb_simt::WarpRequest* request, const char* file, int line);
unsigned mskb_simt_active_mask(const char* file, int line);
void mskb_simt_yield();
// Of the flavour `races` alone: the running thread is about to change `size` bytes in one go; `pc` is its caller's.
void mskb_simt_atomic(const void* address, size_t size, const void* pc);
void mskb_simt_trap(const char* file, int line);
void* mskb_simt_shared(mskb_simt::SharedVariable* variable, size_t size, size_t alignment);
void* mskb_simt_dynamic_shared();
size_t mskb_simt_dynamic_shared_size();
long long mskb_simt_clock();
// cudaErrorInvalidValue and a report unless [offset, offset + count) lies inside the variable of `size` bytes.
int mskb_simt_copy_symbol(void* to, const void* from, size_t count, size_t offset, size_t size, bool to_symbol);
}
