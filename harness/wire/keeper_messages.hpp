#pragma once
#include <cstdint>

#include "wire/case_spec.hpp"

// evaluate <-> keeper. Every request is answered by one reply: its own, or Failure.
namespace mskb::wire {

// A keeper's exit code is this and a signal's number where the oracle of its task module crashed, or with SIGALRM's where it did not end.
inline constexpr int oracle_exit = 100;

// The keeper could not do what was asked (out of memory, a driver error): a harness failure, except where `skip` says that the case does
// not fit this device, or `oracle` that the task's oracle is to blame.
struct Failure {
  static constexpr std::uint32_t kind = 1;
  std::uint32_t skip, oracle;
  char text[500];
};

struct Done {
  static constexpr std::uint32_t kind = 2;
  std::uint64_t value;
};

// First message from the keeper after it starts.
struct DeviceFacts {
  static constexpr std::uint32_t kind = 3;
  char name[96];
  char uuid[48];
  std::uint32_t capability_major, capability_minor;  // 0, 0 on the CPU
  std::uint32_t multiprocessors;
  std::uint32_t driver_version, runtime_version;     // as CUDA encodes them; 0 on the CPU
  std::uint64_t memory_bytes, free_bytes, l2_bytes;
  double memory_bandwidth;                           // data sheet, bytes per second; 0 unknown
  double fp32_flops;                                 // vector peak from clock and lanes, flop per second; 0 unknown
};

// With the descriptor of a task module (truth/module.hpp). -> Done
struct LoadModule {
  static constexpr std::uint32_t kind = 10;
};

// Sets the current case: allocates pristine contents and the oracle's stages, forgets the reference's outputs. -> Done
struct OpenCase {
  static constexpr std::uint32_t kind = 11;
  CaseSpec spec;
};

// An exportable memory of at least `bytes`, for one worker. An arena of that id that is large enough is kept. -> ArenaOpened, with a
// descriptor when it is new
struct OpenArena {
  static constexpr std::uint32_t kind = 12;
  std::uint32_t arena;
  std::uint64_t bytes;
};
struct ArenaOpened {
  static constexpr std::uint32_t kind = 13;
  std::uint64_t bytes;
  std::uint32_t fresh;  // a descriptor came with it
};

struct CloseArena {
  static constexpr std::uint32_t kind = 14;
  std::uint32_t arena;
};

// Makes the pristine contents of a step; stream_keys[i] keys argument i. Does nothing when `step` is the current one. -> Done
struct Generate {
  static constexpr std::uint32_t kind = 15;
  std::uint64_t step;
  std::uint64_t stream_keys[max_arguments];
};

enum class Poison : std::uint32_t { nan, finite, large };  // quiet NaNs with a keyed payload, ordinary values, huge values; all vary by element

// Writes guards, contents and poison into an arena at offsets that `layout_key` decides (256-byte aligned), then flushes L2 when asked, and
// waits until the device is idle. -> Prepared
struct Prepare {
  static constexpr std::uint32_t kind = 16;
  std::uint32_t arena;
  Poison poison;
  std::uint64_t layout_key, poison_key;
  std::uint32_t flush;
};
struct Prepared {
  static constexpr std::uint32_t kind = 17;
  std::uint64_t offsets[max_arguments];  // bytes into the arena; buffers only
};

// Checks the arena after a call: guards, inputs against the pristine contents, outputs against truth. -> Findings
struct Check {
  static constexpr std::uint32_t kind = 18;
  std::uint32_t arena;
  std::uint32_t whole;              // every output element; else unpredictable ones (and borders) chosen by sample_key
  std::uint64_t sample_key;
  std::uint64_t sample_count;       // at least; ignored when whole
  std::uint32_t keep_as_reference;  // keep the outputs for later comparison by the published rule
  std::uint32_t compare;            // apply the published rule against the kept outputs of the same step
  double relax;                     // acceptance bounds are multiplied by this; 1 for candidates
};

struct OutputFindings {
  std::uint64_t checked, refused, unwritten, not_finite;  // unwritten: still poison, and refused
  double worst_ratio;           // error over bound
  double squared_error, squared_want, worst_absolute;
  std::int64_t first_refused;   // -1: none
  double got, want;             // there
  std::uint64_t fingerprint;    // of the output's bits, to see whether equal contents gave equal bits
};

struct Findings {
  static constexpr std::uint32_t kind = 19;
  std::uint64_t guard_bytes_changed;
  std::int32_t guard_argument;      // the buffer nearest to the first changed guard byte; -1: none
  std::int64_t guard_distance;      // bytes before (negative) or after the end of that buffer
  std::int32_t modified_input;      // argument, -1: none
  std::uint64_t modified_elements;
  std::uint64_t paper_violations;   // elements that the published rule refuses
  std::uint32_t paper_compared;
  OutputFindings outputs[max_arguments];  // by argument
};

// What `mskb check` asks: outputs that the keeper itself writes, from truth and then damaged, as if a worker had.
enum class Damage : std::uint32_t {
  none,             // the oracle's values, rounded to the output type
  forward_fp32,     // honest: terms added in FP32 in ascending order
  blocked_fp32,     // honest: FP32 partial sums of 256 terms, then added
  strided_fp32,     // honest: 32 interleaved FP32 partial sums, then a tree
  zeros,
  constant,         // the mean of the true output everywhere
  unwritten,        // the poison is left
  stale,            // the true output of other contents
  skipped_tail,     // the last 1/16 of the elements (at least one) keep the poison
  swapped,          // the two halves of each output are exchanged
  dropped_term,     // the last term of every sum is left out
  bf16_inputs,      // FP32 problems: inputs rounded to BF16 first
  tf32_inputs,      // FP32 problems: inputs rounded to TF32 first
  bf16_accumulate,  // sums kept in BF16
  first_only,       // the first element of each output is right, the others are zero
};
inline constexpr std::uint32_t damage_count = 15;

// -> Done with the number of elements that differ from truth rounded to the output's type, or Failure with skip = 1 where a damage cannot apply (no
// sums, no such input) or changes no element.
struct Produce {
  static constexpr std::uint32_t kind = 20;
  std::uint32_t arena;
  Damage damage;
};

// Spread of the true output of the current step, per argument. -> Spread
struct AskSpread {
  static constexpr std::uint32_t kind = 21;
};
struct Spread {
  static constexpr std::uint32_t kind = 22;
  double mean[max_arguments], deviation[max_arguments], smallest[max_arguments], largest[max_arguments];
  std::uint64_t contents_hash;  // of the pristine contents' bits: equal on every backend
};

// A small kernel of the keeper's own, checked: is the device healthy? -> Done with nanoseconds
struct Probe {
  static constexpr std::uint32_t kind = 23;
};

// The clock rate of the device's multiprocessors, measured over 200 us. -> Done with kilohertz; 0 on the CPU, where nothing is timed
struct AskClockRate {
  static constexpr std::uint32_t kind = 24;
};

// Memory of the device (of the machine, on the CPU) that nobody holds now. -> Done with bytes
struct AskFreeMemory {
  static constexpr std::uint32_t kind = 25;
};

}  // namespace mskb::wire
