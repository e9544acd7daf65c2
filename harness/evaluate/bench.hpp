#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "build/builder.hpp"
#include "evaluate/contents.hpp"
#include "evaluate/keeper_client.hpp"
#include "evaluate/worker_client.hpp"
#include "judge/case_judge.hpp"

namespace mskb {

// A candidate at the bench: its build, its workers and what is known of it so far.
struct Seat {
  const Candidate* candidate = nullptr;
  BuildResult build;
  std::unique_ptr<WorkerClient> worker;  // none when the build did not pass
  std::unique_ptr<WorkerClient> spare;   // another process of the same candidate, which takes turns in timing; none where nothing is timed
  bool check_failed = false;             // some `check` case failed: later cases are checked, not timed
  int lost_workers = 0;                  // cases that ended without the worker: crash, lost context, hang, violation
  Verdict lost_as = Verdict::passed;     // the last of these
  bool never_loads = false;              // loading it took longer than it may

  // After three such cases, or one that did not load, the rest is not run and fails like the last: each would cost the hang limit or a new process.
  static constexpr int most_lost_workers = 3;
  bool given_up() const { return never_loads || lost_workers >= most_lost_workers; }
};

// Starts workers side by side, and with them the spare ones, which would otherwise start at their first step, one after the other. Of many
// only the first: each holds memory of the device.
void launch_workers(const std::vector<Seat>& seats);

// One step: keeper prepares, worker calls once, keeper checks.
struct StepRequest {
  std::uint64_t contents = 0;   // the step whose contents are used
  std::uint64_t salt = 0;       // addresses and poison differ between steps of equal contents
  wire::Clock clock = wire::Clock::call;
  bool flush = false;
  bool check = true;
  bool whole = false;           // every output element, where the oracle affords it
  bool stop = false;            // the worker is stopped before the check: nothing of it can go on working meanwhile
  bool keep_as_reference = false, compare = false;
  std::uint32_t warmups = 0, repeats = 1;  // Clock::batch
};

struct StepResult {
  Observation observation;
  wire::Called called{};
  double go_to_done_us = 0;
};

// One problem on one device: the keeper's current case, and a worker with its own arena for each candidate.
class Bench {
 public:
  Bench(KeeperClient& keeper, const RunKey& key, Backend backend, std::vector<Seat> seats);

  std::vector<Seat>& seats() { return seats_; }
  const Case& current() const { return *case_; }
  KeeperClient& keeper() { return keeper_; }

  // Throws DoesNotFit, as step() does where the keeper runs out of memory.
  void open(const Case& test_case);
  // The worker's process, started where there is none. Where there is no room for it, room is made, and where that does not help all others end.
  Observation make_ready(WorkerClient& worker);
  // Ends processes of others until memory is not scarce, which start again when it is their turn; whether there was any. Whose end gave much free before
  // comes first: who hoards memory pays for that, and calls that others count in their processes go on.
  bool make_room(const WorkerClient* but = nullptr);
  // Ends the workers' processes and with them what memory of the device they hold; whether there was any.
  bool release_all(const WorkerClient* but = nullptr);
  // Where it fails while memory is scarce, it is repeated once after room was made: a candidate that allocates is not to pay for a rival's greed.
  StepResult step(std::size_t seat, const StepRequest& request);
  // How many bytes are free: memory is scarce below a quarter of what was free when the keeper started, that of the arenas left out. Without it the
  // keeper is asked on cuda; on the CPU, where every worker has a limit, it is never scarce.
  void set_free_memory(std::function<std::uint64_t()> bytes) { free_memory_ = std::move(bytes); }
  // The hang limit of candidates from now on: a fixed part plus 20 of the reference's calls.
  void set_reference_call(double microseconds) { reference_call_us_ = microseconds; }
  // The fixed part of that limit; without it 2 s on cuda, 20 s on cpu. Loading a candidate may take longer by 20 s on cuda, 5 s on cpu.
  void set_hang_limit(std::chrono::duration<double> limit);
  // What the slower self-test's worker adds to each call of the case.
  void set_self_test_delay(double microseconds) { self_test_delay_us_ = microseconds; }
  // Bounds of a seat's acceptance: 1, or twice the original's own measured error for its own source where it has one.
  double relax(std::size_t seat) const;
  void freeze_all();
  // The spare process of every seat that has one takes its worker's place: what a process has by chance, such as where its memory lies, does not
  // pass for the candidate's.
  void change_generation();

 private:
  StepResult step_once(std::size_t seat, const StepRequest& request);
  bool is_scarce(std::uint64_t free_bytes) const;
  bool memory_is_scarce() const { return free_memory_ && is_scarce(free_memory_()); }
  std::chrono::milliseconds call_limit(std::size_t seat, const StepRequest& request) const;

  KeeperClient& keeper_;
  const RunKey& key_;
  Backend backend_;
  std::vector<Seat> seats_;
  const Case* case_ = nullptr;
  double reference_call_us_ = 0, self_test_delay_us_ = 0;
  std::chrono::duration<double> hang_limit_{};
  std::uint64_t serial_ = 0;
  std::map<std::size_t, std::uint64_t> arena_bytes_;  // by seat
  std::map<std::size_t, std::uint64_t> freed_bytes_;  // by seat: when its processes were last ended to make room
  std::function<std::uint64_t()> free_memory_;
};

}  // namespace mskb
