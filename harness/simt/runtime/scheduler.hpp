// The threads of the one block that runs, and what they wait for. A thread gets its own fiber only when another one
// blocks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simt/include/mskb_simt/abi.h"
#include "simt/runtime.hpp"
#include "simt/runtime/fiber.hpp"

namespace mskb::simt {

constexpr int warp_size = 32;
constexpr int max_block_threads = 1024;

struct Index3 {
  unsigned x, y, z;
};

enum class Waiting : std::uint8_t { nothing, barrier, warp, active_mask };

struct Thread {
  Fiber* fiber = nullptr;
  std::uint64_t result = 0;  // of the warp operation it waited for
  const char* file = nullptr;
  int line = 0;
  Waiting waiting = Waiting::nothing;
};

// A warp operation that has not yet met all lanes of its mask.
struct Rendezvous {
  unsigned mask = 0, arrived = 0;
  mskb_simt::WarpOperation operation{};
  const char* file = nullptr;
  int line = 0;
  std::array<std::uint64_t, warp_size> value;
  std::array<int, warp_size> argument, width;
};

struct Warp {
  unsigned live = 0;            // lanes that have not left the kernel
  unsigned in_active_mask = 0;  // lanes that wait in __activemask()
  int open = 0;                 // rendezvous in use
  std::vector<Rendezvous> rendezvous;
};

class Scheduler {
 public:
  // Runs body(state) for every thread of every block. False when a fault gave the launch up.
  bool run(const mskb_simt::LaunchRequest& request, void (*body)(void*), void* state);

  bool in_kernel() const { return fibers_.running() != fibers_.home(); }
  bool on_stack(const void* address) const { return fibers_.on_stack(address); }
  bool in_stack_guard(const void* address) const { return fibers_.in_guard(address); }
  int thread() const { return fibers_.running()->thread; }
  [[noreturn]] void give_up();

  int barrier(mskb_simt::BarrierKind kind, int predicate, const char* file, int line);
  std::uint64_t warp(const mskb_simt::WarpRequest& request, const char* file, int line);
  unsigned active_mask(const char* file, int line);
  // Lets the other threads run first.
  void yield();

  void set_order(ScheduleOrder order, std::uint64_t seed);
  void set_step_limit(std::uint64_t yields) { step_limit_ = yields; }

 private:
  static void run_threads();
  [[noreturn]] void work();
  void begin_block();
  void end_thread(int thread);
  bool next_block();

  void suspend();
  void resume_next();
  void make_ready(int thread);
  void restore(int thread);
  [[noreturn]] void report_deadlock();

  bool barrier_complete() const { return barrier_.waiting > 0 && barrier_.waiting == live_; }
  void release_barrier();

  Rendezvous& meet(Warp& warp, const mskb_simt::WarpRequest& request, const char* file, int line);
  bool complete(const Warp& warp, const Rendezvous& r) const { return (r.mask & warp.live & ~r.arrived) == 0; }
  void finish(int warp_index, Rendezvous& r, int running_lane);
  void close(Warp& warp, Rendezvous& r);
  void check_warp(int warp_index);
  bool release_active_masks();

  FiberPool fibers_{&Scheduler::run_threads};
  void (*body_)(void*) = nullptr;
  void* state_ = nullptr;
  bool gave_up_ = false;

  int count_ = 0;  // threads in the block
  int live_ = 0;   // threads that have not left the kernel
  int next_ = 0;   // how many threads have started
  std::array<Thread, max_block_threads> threads_;
  std::array<Warp, max_block_threads / warp_size> warps_;
  std::array<Index3, max_block_threads> indices_;
  std::array<std::uint16_t, max_block_threads> start_order_;

  std::array<std::uint16_t, max_block_threads> ready_;  // ring
  unsigned ready_head_ = 0, ready_tail_ = 0;

  struct {
    int waiting = 0;
    mskb_simt::BarrierKind kind{};
    const char* file = nullptr;
    int line = 0, count = 0, result = 0;
  } barrier_;

  ScheduleOrder order_ = ScheduleOrder::forward;
  std::uint64_t seed_ = 0;
  std::uint64_t step_limit_ = 4'000'000, steps_ = 0;
  std::array<unsigned, 3> block_shape_{};
};

extern Scheduler the_scheduler;
inline Scheduler& scheduler() { return the_scheduler; }

}  // namespace mskb::simt

extern "C" {
extern mskb::simt::Index3 threadIdx, blockIdx, blockDim, gridDim;
extern int warpSize;
}
