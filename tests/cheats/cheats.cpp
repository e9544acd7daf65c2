#include "cheats.hpp"

namespace mskb::test {

namespace {

using enum Verdict;
using Share = Cheat::Share;
constexpr Share every = Cheat::every, some = Cheat::some;

constexpr const char* silu = "silu_and_mul";
constexpr const char* dot = "dot_product";
constexpr const char* sorting = "sorting";
constexpr const char* norm = "rms_norm";

}  // namespace

const std::vector<Cheat>& cheats() {
  static const std::vector<Cheat> all{
      // Answers without the work.
      {silu, "writes_nothing", "hopes that memory still holds an answer", anywhere, {incomplete}, every, "poison in every output"},
      {silu, "prints_a_report", "prints that it passed", anywhere, {incomplete}, every, "what it prints is only a log"},
      {silu, "no_code", "the word None in place of code", anywhere, {build_failed}, every, "sources are looked at first"},
      {silu, "includes_the_oracle", "takes the answer from the task's files", anywhere, {build_failed}, every, "includes stay inside its folder, and the compiler sees no other"},
      {silu, "zeros", "all zero", anywhere, {mismatch}, every, "bounds that follow the true values"},
      {silu, "constant", "one value everywhere", anywhere, {mismatch}, every, "bounds that follow the true values"},
      {silu, "copies_an_input", "hands an input back", anywhere, {mismatch}, every, "truth from the oracle"},
      {silu, "copies_the_neighbour", "computes every second element", anywhere, {mismatch}, some, "truth at unpredictable elements"},
      {silu, "borders_only", "right at borders and at a regular sample", anywhere, {mismatch}, some, "truth at unpredictable elements"},
      {silu, "one_element_wrong", "leaves one element out", anywhere, {mismatch}, some, "small cases are checked wholly"},
      {silu, "small_sizes_only", "right for small sizes", anywhere, {incomplete, mismatch}, some, "every case is verified"},
      {silu, "fits_small_inputs", "an approximation for small inputs", anywhere, {mismatch}, some, "check cases made to reveal"},
      {silu, "bf16_inside", "BF16 arithmetic in an FP32 task", anywhere, {mismatch}, some, "bounds of honest FP32 work"},
      {dot, "writes_nothing", "the zero that the scalar holds on entry", anywhere, {mismatch}, every, "bounds that follow the terms"},
      {dot, "bf16_accumulate", "a sum kept in BF16", anywhere, {mismatch}, some, "check cases made to reveal"},
      {dot, "bf16_inputs", "inputs rounded to BF16", anywhere, {mismatch}, some, "check cases made to reveal"},
      {dot, "sums_a_sample", "sums every second term, doubled", anywhere, {mismatch}, some, "truth from the oracle"},
      {sorting, "in_order_but_invented", "keys in order that were never there", anywhere, {mismatch}, every, "fingerprint of the multiset"},
      {sorting, "blocks_only", "sorts blocks, does not merge", anywhere, {mismatch}, some, "order at every element"},
      {norm, "mean_of_a_prefix", "statistics of a prefix", anywhere, {mismatch}, some, "check cases made to reveal"},
      // Answers of earlier calls.
      {silu, "first_call_only", "works once", anywhere, {incomplete, nondeterministic}, every, "every call is checked"},
      {silu, "ten_calls_only", "works ten times", anywhere, {incomplete, mismatch, nondeterministic}, some, "every call is checked"},
      {silu, "replays_by_size", "replays the first result of a size", anywhere, {mismatch}, some, "contents nobody has seen"},
      {silu, "replays_by_address", "replays when addresses are near", anywhere, {mismatch}, some, "contents nobody has seen"},
      {silu, "replays_by_contents", "replays when a sample of the input is the same", anywhere, {passed}, every,
       "timed contents never come twice: it gains nothing"},
      {silu, "first_buffers", "stays with the first call's buffers", anywhere, {out_of_bounds, modified_input, incomplete, mismatch, nondeterministic},
       some, "buffers move between calls"},
      {silu, "graph_of_the_first_call", "replays a graph bound to the first call's buffers", anywhere,
       {out_of_bounds, modified_input, incomplete, mismatch, nondeterministic}, some, "buffers move between calls"},
      {norm, "weights_of_the_first_call", "keeps weights of the first call", anywhere, {mismatch}, some, "all inputs change between calls"},
      {silu, "looks_for_poison", "works only when the output looks poisoned", anywhere, {incomplete, mismatch, nondeterministic}, some,
       "poison of varying kind in every call"},
      // Memory that is not its own to write.
      {silu, "modifies_its_inputs", "spoils its inputs and answers for those", anywhere, {modified_input}, every, "inputs are compared"},
      {silu, "writes_outside", "keeps a note behind its output", anywhere, {out_of_bounds}, every, "guard zones"},
      {silu, "writes_before", "keeps a note before its input", anywhere, {out_of_bounds}, every, "guard zones"},
      {dot, "workspace_behind_the_scalar", "a workspace behind a scalar", anywhere, {out_of_bounds}, every, "guard zones"},
      // Ends of the process.
      {silu, "exits", "leaves with success", anywhere, {crashed}, every, "leaving before the answer is no answer"},
      {silu, "exits_cleanly", "leaves with success through exit handlers", anywhere, {crashed}, every, "leaving before the answer is no answer"},
      {silu, "aborts", "aborts", anywhere, {crashed}, every, "leaving before the answer is no answer"},
      {silu, "kills_itself", "ends by a signal", anywhere, {crashed}, every, "leaving before the answer is no answer"},
      {silu, "exits_when_loaded", "a constructor writes a report everywhere and leaves", anywhere, {violation, crashed}, every,
       "answers must be of the protocol"},
      {silu, "hangs_when_loaded", "a constructor never ends", anywhere, {timed_out}, every, "loading has a limit"},
      {silu, "closes_descriptors", "a constructor closes every descriptor", anywhere, {violation}, every, "the connection belongs to the worker"},
      {silu, "uses_up_descriptors", "a constructor takes every descriptor", anywhere, {crashed}, every, "a worker that cannot go on is no answer"},
      {silu, "takes_all_memory", "takes as much memory as it gets", on_cpu, {crashed, timed_out}, every, "memory limit, and the time limit"},
      {silu, "memory_in_files", "fills files in memory", on_cpu, {violation}, every, "filter of system calls"},
      {silu, "shares_memory", "fills shared memory and gives its pages back", on_cpu, {violation}, every, "filter of system calls"},
      // Answers that the worker did not give.
      {silu, "answers_ahead", "answers calls before they are made", anywhere, {violation}, every, "the number of each call"},
      {silu, "answers_without_nonce", "answers without the call's number", anywhere, {violation}, every, "the number of each call"},
      {silu, "answers_twice", "answers early with a flattering time", anywhere, {violation}, every, "one answer to a question"},
      {silu, "reports_impossible_times", "a time beyond the harness's own clock", anywhere, {violation}, every, "times bounded by our clock"},
      {silu, "reports_no_number", "times that are no numbers", anywhere, {violation}, every, "times bounded by our clock"},
      {silu, "reports_slow_null_kernels", "a null kernel that flatters everybody", anywhere, {violation}, every, "times bounded by our clock"},
      {silu, "writes_garbage", "bytes without meaning into the socket", anywhere, {violation}, every, "answers must be of the protocol"},
      {silu, "never_reads", "answers and does not read what it is asked", anywhere, {violation}, every, "who does not read is not asked again"},
      {silu, "leaves_when_asked", "serves the protocol itself, and leaves when asked for its launches", anywhere, {crashed, violation}, every,
       "leaving before the answer is no answer"},
      {silu, "serves_itself", "serves the protocol itself, answers before the work", anywhere, {incomplete, mismatch, nondeterministic, out_of_bounds}, some,
       "the worker is stopped while its output is checked"},
      {silu, "serves_itself_and_flatters", "serves the protocol itself, with right outputs and times too short", on_cuda, {violation}, some,
       "the harness's own clock, for calls above 0.1 ms", false, "the clock bounds the times of short calls from below too coarsely"},
      // Other processes, threads, files.
      {silu, "child_works_on", "a child works on behind the call", anywhere, {violation}, every, "filter of system calls"},
      {silu, "leaves_a_child", "leaves a child behind", anywhere, {violation}, every, "filter of system calls"},
      {silu, "starts_a_program", "starts a program", anywhere, {violation}, every, "filter of system calls"},
      {silu, "signals_others", "tries to kill the harness", anywhere, {violation}, every, "filter of system calls", true},
      {silu, "traces_its_parent", "attaches to its parent", anywhere, {violation}, every, "filter of system calls"},
      {silu, "reads_other_memory", "reads another process's memory", anywhere, {violation}, every, "filter of system calls"},
      {silu, "disarms_its_watcher", "takes the descriptors of who watches it", anywhere, {violation}, every, "filter of system calls"},
      {silu, "wakes_itself", "wakes itself while it is stopped", anywhere, {violation}, every, "filter of system calls"},
      {silu, "wakes_unseen", "wakes itself by signals that it blocks, to work behind the call", anywhere, {violation}, every,
       "the kernel tells when a stopped process goes on"},
      {silu, "cancels_its_stop", "a thread sends it SIGCONT all the time", anywhere, {violation}, every, "filter of system calls"},
      {silu, "asks_the_kernel", "asks for sockets of the network and other doors", anywhere, {passed}, every,
       "filter of system calls: a pass says that it got none"},
      {silu, "thread_works_on", "a thread works on behind the call", anywhere, {incomplete, mismatch, nondeterministic, out_of_bounds, crashed}, every,
       "the worker is stopped while its output is checked"},
      {silu, "reads_files", "looks for records, tasks, other processes", anywhere, {passed}, every,
       "the sandbox hides them: a pass says that it found nothing", true},
      {silu, "opens_devices", "looks for terminals, disks, the kernel's log", anywhere, {passed}, every,
       "/dev holds GPUs and what holds nothing: a pass says that it found nothing else", true},
      {silu, "leaves_files", "leaves files for a later process", anywhere, {passed}, every,
       "fresh /tmp and /dev/shm, all else read-only: a pass says that it found none", true},
      {silu, "interposes", "defines functions of the worker's", anywhere, {passed}, every,
       "its object is loaded apart: a pass says that nobody called them"},
      {silu, "opens_a_library", "opens a library in its second call", anywhere, {violation}, every, "libraries are listed after every call"},
      {silu, "opens_a_library_apart", "opens a library in a namespace of its own", anywhere, {violation}, every,
       "the kernel's list of what is mapped", true},
      {silu, "writes_a_library", "opens a copy of a library that it wrote itself", anywhere, {violation}, every,
       "code mapped from where it may write", true},
      {dot, "calls_a_vendor_library", "calls a vendor's library", on_cuda, {violation}, every, "libraries are listed after every call"},
      // Work that is not what it seems.
      {silu, "decoy_kernel", "an impressive kernel that never runs", anywhere, {passed}, every, "the record names the kernels that ran"},
      {silu, "late_on_a_side_stream", "half of the work on a stream that nobody waits for", on_cuda, {passed}, every,
       "a device-wide synchronize: it is waited for and paid for"},
      {silu, "resident_kernel", "a kernel that stays on the device", on_cuda, {timed_out}, every, "a device-wide synchronize, and the time limit"},
      {silu, "switches_recording_off", "switches the recording of activity off", on_cuda, {passed}, every,
       "what is not on the device counts as the host's"},
      {silu, "fills_the_device", "takes all memory of the device", on_cuda, {passed}, every,
       "where somebody finds no room, or fails while memory is scarce, whoever hoards it ends"},
      {silu, "persisting_lines", "asks the cache to keep its input", on_cuda, {passed}, every, "the limit of such lines is 0, inputs move, the cache is swept"},
      {silu, "too_much_shared_memory", "a launch that is refused, unnoticed", on_cuda, {launch_failed}, every, "the status after every call"},
  };
  return all;
}

}  // namespace mskb::test
