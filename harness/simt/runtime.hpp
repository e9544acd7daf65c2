// The run-time of the CPU backend, as the worker sees it. Link mskb_simt_runtime (or mskb_simt_runtime_asan) whole into
// an executable that exports its symbols; shared objects made from translated source find their CUDA functions there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mskb::simt {

enum class FaultKind {
  barrier_divergence,  // threads of a block wait at barriers on different lines
  deadlock,            // no thread of the block can go on
  step_limit,          // threads spin, or a launch overstays the time limit
  inactive_lane,       // a warp operation reads a lane that takes no part
  lane_not_in_mask,    // the caller of a warp operation is not in its mask
  shared_overflow,     // a write behind (or before) a __shared__ variable
  shared_limit,        // more shared memory than the device has
  global_overflow,     // a write behind (or before) a cudaMalloc allocation
  invalid_free,        // cudaFree of something that is not an allocation
  copy_out_of_bounds,  // cudaMemcpy or cudaMemset beyond an allocation or symbol
  launch_limit,        // grid, block or shared memory outside the device's limits; the kernel did not run
  trap,                // __trap() or a failed assert() in a kernel
  race,                // two threads access a place, and nothing orders them (flavour `races` only)
  unsupported,         // something the CPU backend does not have
};
std::string_view name(FaultKind kind);

struct Fault {
  FaultKind kind;
  bool abandoned;    // the launch (if any) was given up here
  std::string file;  // of the CUDA source; empty when not known
  int line = 0;
  std::string kernel;  // as the launch spells it; empty outside kernels
  std::array<unsigned, 3> block{}, thread{};
  std::string message;      // one line
  std::uint64_t times = 1;  // the same fault at the same place again
};

struct Report {
  std::vector<Fault> faults;
};

struct Launch {
  std::string name;
  std::array<unsigned, 3> grid, block;
  std::size_t dynamic_shared_bytes;
  std::size_t static_shared_bytes;  // what the kernel's first blocks asked for
};

struct Allocation {
  const void* address;
  std::size_t bytes;
};

// The order in which the threads of a block start.
enum class ScheduleOrder { forward, reverse, shuffled };

// Faults since the last call or reset, in order.
Report take_report();
// Launches since the last call or reset, in order.
std::vector<Launch> take_launches();
// cudaMalloc allocations that are alive.
std::vector<Allocation> live_allocations();
// Forgets faults, launches and the error state. Allocations stay.
void reset();

void set_order(ScheduleOrder order, std::uint64_t seed = 0);
// Yields of spinning threads in a row without progress of any thread; 0: no limit.
void set_step_limit(std::uint64_t yields);

}  // namespace mskb::simt
