#pragma once
#include <cstdint>

#include "wire/case_spec.hpp"

// evaluate <-> worker. The worker is not trusted: what it says is testimony.
namespace mskb::wire {

// The worker's exit code when its end of the connection is no longer there: the candidate has closed it.
inline constexpr int connection_lost = 90;

// First message from the worker after it starts; WorkerFailure in its place when the device cannot be used.
struct WorkerReady {
  static constexpr std::uint32_t kind = 100;
  std::uint32_t activity_available;  // CUPTI works: spans can be measured
  char note[200];                    // why not, or what else is odd
};

struct WorkerFailure {
  static constexpr std::uint32_t kind = 101;
  char text[500];
};

// With the descriptor of the candidate's shared object. -> Loaded or WorkerFailure
struct LoadCandidate {
  static constexpr std::uint32_t kind = 102;
};
struct Loaded {
  static constexpr std::uint32_t kind = 103;
  double load_ms;
};

// With the descriptor of the arena. -> Loaded
struct MapArena {
  static constexpr std::uint32_t kind = 104;
  std::uint64_t bytes;
};

enum class Clock : std::uint32_t {
  call,   // host clock around the entry and a device-wide synchronize, activity recording off
  span,   // one call with activity recording on
  batch,  // 3 + 50 calls back to back, events around the 50; the prologue inside
};

enum class Prologue : std::uint32_t { none, copy_zero, set_zero };

struct Call {
  static constexpr std::uint32_t kind = 105;
  std::uint64_t nonce;                   // comes back in Called: an answer sent ahead of its question does not know it
  Clock clock;
  std::uint32_t argument_count;
  std::uint64_t offsets[max_arguments];  // buffers: bytes into the arena
  double values[max_arguments];          // dims and scalars
  ArgumentRole roles[max_arguments];
  ElementType types[max_arguments];
  std::uint64_t bytes[max_arguments];    // buffers: size, for the sanitizer's guard zones
  std::uint32_t warmups, repeats;        // batch
  Prologue prologue;                     // batch; applies to prologue_argument
  std::uint32_t prologue_argument;
  std::uint32_t delay_ns;                // span, call: spin this long on the device after the candidate's work (self-test); 0: not at all
};

enum class CallStatus : std::uint32_t {
  ok,
  launch_failed,
  context_lost,  // a failure after which nothing runs in this process any more, which ends behind the answer
  threw,
  unsupported,
  fault,         // the CPU backend's report
};

struct Called {
  static constexpr std::uint32_t kind = 106;
  std::uint64_t nonce;
  CallStatus status;
  char text[500];          // the error's name and where it was seen
  double call_us;          // host clock, entry to idle device
  double span_us;          // last end - first start of device activity
  double busy_us;          // union of activity
  double lead_us;          // entry to first start
  double tail_us;          // last end to the return of the synchronize
  double null_span_us;     // the same of a kernel that does nothing, launched and awaited just before the call
  double null_host_us;     // its lead and tail
  double batch_us;         // per call
  std::uint32_t activities;  // kernels, copies and sets seen
  std::uint32_t launch_kinds;  // entries that AskLaunches will give
  std::uint32_t libraries;   // entries that AskLibraries would give now
};

// The kernels of the last call, equal launches merged. -> LaunchPage
struct AskLaunches {
  static constexpr std::uint32_t kind = 107;
  std::uint32_t first;
};
struct LaunchEntry {
  char kernel[256];  // demangled, cut
  std::uint32_t grid[3], block[3];
  std::uint32_t registers, static_shared, dynamic_shared, count;
};
struct LaunchPage {
  static constexpr std::uint32_t kind = 108;
  std::uint32_t count;
  LaunchEntry entries[8];
};

// The shared objects that are loaded now and were not before LoadCandidate, without the candidate's own: paths as the loader knows them,
// cut on the left. -> LibraryPage
struct AskLibraries {
  static constexpr std::uint32_t kind = 109;
  std::uint32_t first;
};
struct LibraryPage {
  static constexpr std::uint32_t kind = 110;
  std::uint32_t total;  // however many pages that takes
  std::uint32_t count;  // on this page
  char paths[16][128];
};

}  // namespace mskb::wire
