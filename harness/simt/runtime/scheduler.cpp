#include "simt/runtime/scheduler.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "base/counted.hpp"
#include "simt/runtime/faults.hpp"
#include "simt/runtime/races.hpp"
#include "simt/runtime/shared_memory.hpp"

extern "C" {
mskb::simt::Index3 threadIdx{}, blockIdx{}, blockDim{}, gridDim{};
int warpSize = mskb::simt::warp_size;
int mskb_simt_idle_atomics = 0;
}

namespace mskb::simt {

Scheduler the_scheduler;

void Scheduler::set_order(ScheduleOrder order, std::uint64_t seed) {
  order_ = order;
  seed_ = seed;
  block_shape_ = {};
}

bool Scheduler::run(const mskb_simt::LaunchRequest& request, void (*body)(void*), void* state) {
  body_ = body;
  state_ = state;
  gave_up_ = false;
  gridDim = {request.grid[0], request.grid[1], request.grid[2]};
  blockDim = {request.block[0], request.block[1], request.block[2]};
  blockIdx = {0, 0, 0};
  count_ = static_cast<int>(request.block[0] * request.block[1] * request.block[2]);
  const std::array shape{request.block[0], request.block[1], request.block[2]};
  if (shape != block_shape_) {
    block_shape_ = shape;
    std::size_t i = 0;
    for (unsigned z = 0; z < shape[2]; ++z) {
      for (unsigned y = 0; y < shape[1]; ++y) {
        for (unsigned x = 0; x < shape[0]; ++x) indices_[i++] = {x, y, z};
      }
    }
    const auto end = start_order_.begin() + count_;
    std::iota(start_order_.begin(), end, std::uint16_t{0});
    if (order_ == ScheduleOrder::reverse) std::reverse(start_order_.begin(), end);
    if (order_ == ScheduleOrder::shuffled) {
      std::mt19937_64 random(seed_);
      for (std::size_t last = static_cast<std::size_t>(count_); last > 1; --last) {
        std::swap(start_order_[last - 1], start_order_[random() % last]);
      }
    }
  }
  races::begin_launch();
  begin_block();
  fibers_.switch_to(fibers_.take());
  if (gave_up_) fibers_.abandon_all();
  return !gave_up_;
}

void Scheduler::give_up() {
  gave_up_ = true;
  fibers_.switch_to(fibers_.home());
  __builtin_unreachable();
}

void Scheduler::begin_block() {
  live_ = count_;
  next_ = 0;
  ready_head_ = ready_tail_ = 0;
  barrier_ = {};
  steps_ = 0;
  for (int first = 0; first < count_; first += warp_size) {
    Warp& warp = warps_[static_cast<std::size_t>(first / warp_size)];
    warp.live = count_ - first >= warp_size ? ~0U : (1U << (count_ - first)) - 1;
    warp.in_active_mask = 0;
    warp.open = 0;
  }
  begin_block_memory();
  races::begin_block(count_);
}

bool Scheduler::next_block() {
  if (++blockIdx.x == gridDim.x) {
    blockIdx.x = 0;
    if (++blockIdx.y == gridDim.y) {
      blockIdx.y = 0;
      if (++blockIdx.z == gridDim.z) return false;
    }
  }
  begin_block();
  return true;
}

void Scheduler::run_threads() { scheduler().work(); }

// What every fiber does: start threads one after another until somebody else has to run.
void Scheduler::work() {
  for (;;) {
    Fiber* self = fibers_.running();
    const int thread = start_order_[static_cast<std::size_t>(next_++)];
    Thread& record = threads_[static_cast<std::size_t>(thread)];
    record.fiber = self;
    record.waiting = Waiting::nothing;
    self->thread = thread;
    restore(thread);
    mskb_simt_idle_atomics = 0;
    body_(state_);
    end_thread(thread);
    while (ready_head_ != ready_tail_ || next_ == count_) {
      if (ready_head_ != ready_tail_) {
        fibers_.park(self);
        resume_next();
        break;  // taken again, to start a thread
      }
      if (live_ > 0) {
        if (!release_active_masks()) report_deadlock();
        continue;
      }
      end_block_memory();
      if (next_block()) break;
      fibers_.park(self);
      fibers_.switch_to(fibers_.home());
      break;
    }
  }
}

void Scheduler::restore(int thread) { threadIdx = indices_[static_cast<std::size_t>(thread)]; }

void Scheduler::end_thread(int thread) {
  races::arrive(thread);
  --live_;
  steps_ = 0;
  const int warp_index = thread / warp_size;
  Warp& warp = warps_[static_cast<std::size_t>(warp_index)];
  warp.live &= ~(1U << (thread % warp_size));
  if (warp.open > 0) check_warp(warp_index);
  if (barrier_complete()) release_barrier();
}

void Scheduler::make_ready(int thread) {
  threads_[static_cast<std::size_t>(thread)].waiting = Waiting::nothing;
  ready_[ready_tail_++ % max_block_threads] = static_cast<std::uint16_t>(thread);
}

// Switches to the thread that has been ready longest.
void Scheduler::resume_next() {
  const int thread = ready_[ready_head_++ % max_block_threads];
  fibers_.switch_to(threads_[static_cast<std::size_t>(thread)].fiber);
}

// The running thread waits; returns once somebody has made it ready and its turn has come.
void Scheduler::suspend() {
  races::pause();
  const int thread = fibers_.running()->thread;
  if (ready_head_ == ready_tail_ && next_ == count_ && !release_active_masks()) report_deadlock();
  if (ready_head_ != ready_tail_) {
    if (ready_[ready_head_ % max_block_threads] == thread) {
      ++ready_head_;
      return;
    }
    resume_next();
  } else {
    fibers_.switch_to(fibers_.take());
  }
  restore(thread);
  mskb_simt_idle_atomics = 0;
}

void Scheduler::yield() {
  if (!in_kernel()) return;
  races::pause();
  const int thread = fibers_.running()->thread;
  if (step_limit_ != 0 && ++steps_ > step_limit_) {
    abandon_launch(FaultKind::step_limit, {},
                   "threads spin and none of them gets on (" + std::to_string(steps_) + " yields)");
  }
  if (next_ < count_) {
    make_ready(thread);
    fibers_.switch_to(fibers_.take());
    restore(thread);
    mskb_simt_idle_atomics = 0;
  } else if (ready_head_ != ready_tail_) {
    make_ready(thread);
    resume_next();
    restore(thread);
    mskb_simt_idle_atomics = 0;
  }
}

int Scheduler::barrier(mskb_simt::BarrierKind kind, int predicate, const char* file, int line) {
  races::arrive(thread());
  if (barrier_.waiting == 0) {
    barrier_.kind = kind;
    barrier_.file = file;
    barrier_.line = line;
    barrier_.count = 0;
  } else if (barrier_.line != line || barrier_.kind != kind) {
    abandon_launch(FaultKind::barrier_divergence, {file, line},
                   "thread " + std::to_string(thread()) + " waits at the barrier of line " + std::to_string(line) +
                       " while " + counted(barrier_.waiting, "thread of its block waits", "threads of its block wait") +
                       " at the barrier of line " + std::to_string(barrier_.line));
  }
  barrier_.count += predicate != 0;
  ++barrier_.waiting;
  if (barrier_complete()) {
    release_barrier();
    return barrier_.result;
  }
  Thread& self = threads_[static_cast<std::size_t>(thread())];
  self.waiting = Waiting::barrier;
  self.file = file;
  self.line = line;
  suspend();
  return barrier_.result;
}

void Scheduler::release_barrier() {
  switch (barrier_.kind) {
    case mskb_simt::BarrierKind::plain: barrier_.result = 0; break;
    case mskb_simt::BarrierKind::count: barrier_.result = barrier_.count; break;
    case mskb_simt::BarrierKind::all: barrier_.result = barrier_.count == barrier_.waiting; break;
    case mskb_simt::BarrierKind::any: barrier_.result = barrier_.count > 0; break;
  }
  barrier_.waiting = 0;
  races::barrier_passed();
  steps_ = 0;
  for (int i = 0; i < next_; ++i) {
    const int thread = start_order_[static_cast<std::size_t>(i)];
    if (threads_[static_cast<std::size_t>(thread)].waiting == Waiting::barrier) make_ready(thread);
  }
}

}  // namespace mskb::simt

using namespace mskb::simt;

extern "C" int mskb_simt_barrier(mskb_simt::BarrierKind kind, int predicate, const char* file, int line) {
  return scheduler().in_kernel() ? scheduler().barrier(kind, predicate, file, line) : 0;
}
