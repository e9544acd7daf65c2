#include <bit>
#include <cstring>
#include <string>

#include "simt/runtime/faults.hpp"
#include "simt/runtime/races.hpp"
#include "simt/runtime/scheduler.hpp"

namespace mskb::simt {
namespace {

using mskb_simt::WarpOperation;

// What a lane gets that reads where nobody takes part.
constexpr std::uint64_t poison = 0xCBCBCBCBCBCBCBCB;

std::string hex(unsigned mask) {
  char text[11];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

bool is_shuffle(WarpOperation operation) {
  return operation >= WarpOperation::shuffle && operation <= WarpOperation::shuffle_xor;
}

// The lane that `lane` reads from; its own where CUDA leaves the value unchanged.
int source_lane(const Rendezvous& r, int lane) {
  const int argument = r.argument[static_cast<std::size_t>(lane)];
  const int width = r.width[static_cast<std::size_t>(lane)];
  const int segment = lane & ~(width - 1);
  const int last = segment + width - 1;
  switch (r.operation) {
    case WarpOperation::shuffle: return segment + (argument & (width - 1));
    case WarpOperation::shuffle_up: return lane - argument < segment ? lane : lane - argument;
    case WarpOperation::shuffle_down: return lane + argument > last ? lane : lane + argument;
    default: return (lane ^ argument) > last ? lane : lane ^ argument;
  }
}

std::uint64_t combine(WarpOperation operation, std::uint64_t a, std::uint64_t b) {
  const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
  switch (operation) {
    case WarpOperation::add: return a + b;
    case WarpOperation::min_signed: return sa < sb ? a : b;
    case WarpOperation::max_signed: return sa > sb ? a : b;
    case WarpOperation::min_unsigned: return a < b ? a : b;
    case WarpOperation::max_unsigned: return a > b ? a : b;
    case WarpOperation::bit_and: return a & b;
    case WarpOperation::bit_or: return a | b;
    default: return a ^ b;
  }
}

// The value all lanes of the rendezvous get, for operations where it is one value.
std::uint64_t common_result(const Rendezvous& r) {
  unsigned ballot = 0;
  std::uint64_t reduced = 0;
  bool first = true, all_same = true;
  for (unsigned rest = r.arrived; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    if (r.value[lane] != 0) ballot |= 1U << lane;
    if (!first && r.value[lane] != r.value[static_cast<std::size_t>(std::countr_zero(r.arrived))]) all_same = false;
    reduced = first ? r.value[lane] : combine(r.operation, reduced, r.value[lane]);
    first = false;
  }
  switch (r.operation) {
    case WarpOperation::sync: return 0;
    case WarpOperation::ballot: return ballot;
    case WarpOperation::any: return ballot != 0;
    case WarpOperation::all: return ballot == r.arrived;
    case WarpOperation::match_all: return all_same ? r.arrived : 0;
    default: return reduced;
  }
}

}  // namespace

std::uint64_t Scheduler::warp(const mskb_simt::WarpRequest& request, const char* file, int line) {
  const int thread = this->thread();
  const int lane = thread % warp_size;
  const int warp_index = thread / warp_size;
  Warp& warp = warps_[static_cast<std::size_t>(warp_index)];
  if ((request.mask >> lane & 1) == 0) {
    report_fault(FaultKind::lane_not_in_mask, {file, line},
                 "lane " + std::to_string(lane) + " calls a warp operation with the mask " + hex(request.mask) +
                     ", which it is not in");
    return request.operation == WarpOperation::sync ? 0 : poison;
  }
  Rendezvous& r = meet(warp, request, file, line);
  r.arrived |= 1U << lane;
  r.value[static_cast<std::size_t>(lane)] = request.value;
  r.argument[static_cast<std::size_t>(lane)] = request.argument;
  r.width[static_cast<std::size_t>(lane)] = request.width;
  Thread& self = threads_[static_cast<std::size_t>(thread)];
  if (complete(warp, r)) {
    finish(warp_index, r, lane);
  } else {
    self.waiting = Waiting::warp;
    self.file = file;
    self.line = line;
    suspend();
  }
  return self.result;
}

Rendezvous& Scheduler::meet(Warp& warp, const mskb_simt::WarpRequest& request, const char* file, int line) {
  for (int i = 0; i < warp.open; ++i) {
    Rendezvous& r = warp.rendezvous[static_cast<std::size_t>(i)];
    if (r.mask == request.mask && r.operation == request.operation) return r;
  }
  if (static_cast<std::size_t>(warp.open) == warp.rendezvous.size()) warp.rendezvous.emplace_back();
  Rendezvous& r = warp.rendezvous[static_cast<std::size_t>(warp.open++)];
  r.mask = request.mask;
  r.arrived = 0;
  r.operation = request.operation;
  r.file = file;
  r.line = line;
  return r;
}

// Gives every lane that arrived its result and lets those that wait go on. `running_lane` (-1: none) does not wait.
void Scheduler::finish(int warp_index, Rendezvous& r, int running_lane) {
  races::lanes_met(warp_index, r.arrived);
  const bool shuffle = is_shuffle(r.operation);
  const std::uint64_t common = shuffle || r.operation == WarpOperation::match_any ? 0 : common_result(r);
  for (unsigned rest = r.arrived; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const int thread = warp_index * warp_size + lane;
    Thread& record = threads_[static_cast<std::size_t>(thread)];
    record.result = common;
    if (shuffle) {
      const int source = source_lane(r, lane);
      const bool takes_part = (r.arrived >> source & 1) != 0;
      record.result = takes_part ? r.value[static_cast<std::size_t>(source)] : poison;
      if (!takes_part) {
        report_fault(FaultKind::inactive_lane, {r.file, r.line},
                     "lane " + std::to_string(lane) + " of warp " + std::to_string(warp_index) + " reads lane " +
                         std::to_string(source) + ", which takes no part (mask " + hex(r.mask) + ", taking part " +
                         hex(r.arrived) + ")");
      }
    } else if (r.operation == WarpOperation::match_any) {
      for (unsigned other = r.arrived; other != 0; other &= other - 1) {
        const auto peer = static_cast<std::size_t>(std::countr_zero(other));
        if (r.value[peer] == r.value[static_cast<std::size_t>(lane)]) record.result |= std::uint64_t{1} << peer;
      }
    }
    if (lane != running_lane) make_ready(thread);
  }
  close(warps_[static_cast<std::size_t>(warp_index)], r);
  steps_ = 0;
}

void Scheduler::close(Warp& warp, Rendezvous& r) {
  Rendezvous& last = warp.rendezvous[static_cast<std::size_t>(--warp.open)];
  if (&last != &r) r = last;
}

// A lane has left: operations that waited for it may be complete now.
void Scheduler::check_warp(int warp_index) {
  Warp& warp = warps_[static_cast<std::size_t>(warp_index)];
  for (int i = 0; i < warp.open;) {
    Rendezvous& r = warp.rendezvous[static_cast<std::size_t>(i)];
    if (complete(warp, r)) {
      finish(warp_index, r, -1);
    } else {
      ++i;
    }
  }
}

unsigned Scheduler::active_mask(const char* file, int line) {
  const int thread = this->thread();
  const int lane = thread % warp_size;
  Warp& warp = warps_[static_cast<std::size_t>(thread / warp_size)];
  warp.in_active_mask |= 1U << lane;
  Thread& self = threads_[static_cast<std::size_t>(thread)];
  self.waiting = Waiting::active_mask;
  self.file = file;
  self.line = line;
  suspend();
  return static_cast<unsigned>(self.result);
}

// Lanes of a warp that stand in __activemask() on one line count as converged once nothing else can run.
bool Scheduler::release_active_masks() {
  bool released = false;
  for (int first = 0; first < count_; first += warp_size) {
    Warp& warp = warps_[static_cast<std::size_t>(first / warp_size)];
    if (warp.in_active_mask == 0) continue;
    const Thread& leader = threads_[static_cast<std::size_t>(first + std::countr_zero(warp.in_active_mask))];
    unsigned converged = 0;
    for (unsigned rest = warp.in_active_mask; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (threads_[static_cast<std::size_t>(first + lane)].line == leader.line) converged |= 1U << lane;
    }
    for (unsigned rest = converged; rest != 0; rest &= rest - 1) {
      const int thread = first + std::countr_zero(rest);
      threads_[static_cast<std::size_t>(thread)].result = converged;
      make_ready(thread);
    }
    warp.in_active_mask &= ~converged;
    released = true;
  }
  return released;
}

void Scheduler::report_deadlock() {
  std::string waits;
  int shown = 0;
  for (int first = 0; first < count_ && shown < 6;) {
    const Thread& thread = threads_[static_cast<std::size_t>(first)];
    int last = first;
    const auto same = [&](int other) {
      const Thread& candidate = threads_[static_cast<std::size_t>(other)];
      return candidate.waiting == thread.waiting &&
             (thread.waiting == Waiting::nothing || candidate.line == thread.line);
    };
    while (last + 1 < count_ && same(last + 1)) ++last;
    waits += waits.empty() ? "threads " : "; threads ";
    waits += std::to_string(first) + "-" + std::to_string(last);
    if (thread.waiting == Waiting::nothing) {
      waits += " have left the kernel";
    } else {
      waits +=
          thread.waiting == Waiting::barrier ? " wait at the barrier of line " : " wait in the warp operation of line ";
      waits += std::to_string(thread.line);
      if (thread.waiting == Waiting::warp) {
        const Warp& warp = warps_[static_cast<std::size_t>(first / warp_size)];
        for (int i = 0; i < warp.open; ++i) {
          const Rendezvous& r = warp.rendezvous[static_cast<std::size_t>(i)];
          if ((r.arrived >> (first % warp_size) & 1) == 0) continue;
          waits += " (mask " + hex(r.mask) + ", missing lanes " + hex(r.mask & warp.live & ~r.arrived) + ")";
        }
      }
    }
    first = last + 1;
    if (++shown == 6 && first < count_) waits += "; ...";
  }
  FaultPlace place;
  for (int i = 0; i < count_; ++i) {
    const Thread& thread = threads_[static_cast<std::size_t>(i)];
    if (thread.waiting == Waiting::nothing) continue;
    place = {thread.file, thread.line};
    break;
  }
  abandon_launch(FaultKind::deadlock, place, "no thread of the block can go on: " + waits);
}

}  // namespace mskb::simt

using namespace mskb::simt;

extern "C" std::uint64_t mskb_simt_warp(const mskb_simt::WarpRequest* request, const char* file, int line) {
  if (!scheduler().in_kernel()) return request->value;
  return scheduler().warp(*request, file, line);
}

extern "C" unsigned mskb_simt_active_mask(const char* file, int line) {
  return scheduler().in_kernel() ? scheduler().active_mask(file, line) : 1;
}

extern "C" void mskb_simt_yield() { scheduler().yield(); }
