#pragma once
#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/unique_fd.hpp"
#include "judge/observation.hpp"
#include "model/backend.hpp"
#include "model/candidate.hpp"
#include "model/evaluation.hpp"
#include "sandbox/process.hpp"
#include "wire/socket.hpp"
#include "wire/worker_messages.hpp"

namespace mskb {

// How one call of a candidate ended, as evaluate saw it.
struct CallOutcome {
  Observation observation;      // `findings` still to come from the keeper when answered
  wire::Called called{};        // when answered
  double go_to_done_us = 0;     // evaluate's own clock around the request
};

inline constexpr const char* ran_while_stopped = "it ran while its process was stopped";

// One candidate's worker: started when first needed, started again after it died or was killed.
class WorkerClient {
 public:
  struct Options {
    Backend backend = Backend::cpu;
    int device = 0;
    SandboxLevel sandbox = SandboxLevel::full;
    bool sanitize = false;
    bool races = false;                       // cpu: the worker that finds data races
    std::filesystem::path compute_sanitizer;  // cuda: run the worker under it, on memory of its own; empty: do not
    std::string sanitizer_tool = "memcheck";
    std::vector<std::string> profiler;        // words before the worker's own: run it under them, on memory of its own; empty: do not
  };

  WorkerClient(Options options, std::filesystem::path object, std::vector<std::string> allowed_loads);

  // The arena for the calls to come; mapped when the worker runs.
  void set_arena(UniqueFd fd, std::uint64_t bytes);
  // How long loading the candidate may take, with the constructors of its static objects; without it 60 s.
  void set_load_limit(std::chrono::milliseconds limit) { load_limit_ = limit; }
  // Starts the process, loads the candidate and maps the arena where that is not done. An Observation other than `answered` is its fault.
  Observation ensure_ready();
  // Starts the process where there is none, without waiting for it: workers that are to come start side by side.
  void launch();
  CallOutcome call(wire::Call request, std::chrono::milliseconds limit);
  // Kernels of the last call; none when the worker has gone. An Observation other than `answered` is the candidate's fault.
  Observation list_launches(std::vector<KernelLaunch>& launches);
  void freeze(bool frozen);
  // Whether its process has gone on by itself while it was frozen, a violation that ensure_ready() reports; ends the process.
  bool woke();
  // Ends the process, which starts again when it is needed; whether there was one.
  bool release();
  // Closes the conversation and lets the process leave by itself, in which a profiler writes its report; kills it at the limit. Returns what it
  // printed, cut; empty where none ran.
  std::string finish(std::chrono::milliseconds limit);
  // Whether code is mapped now that the candidate's origin does not allow, as the kernel lists it: not for a timed turn.
  Observation look_around();
  bool running() const { return process_ != nullptr; }
  bool activity_available() const { return activity_available_; }
  const std::string& note() const { return note_; }

 private:
  Observation start();
  void drop();
  void limit_memory();
  Observation ended(const std::string& during);
  // What compute-sanitizer has printed since it was last asked; empty when it found nothing.
  std::string sanitizer_report();
  Observation check_libraries();
  Observation check_mapped_code();
  Observation judge_library(const std::string& name);
  // The process is a tool's, which maps code of its own.
  bool under_a_tool() const { return !options_.compute_sanitizer.empty() || !options_.profiler.empty(); }
  // Several answers may share one.
  struct TimeLimit {
    TimeLimit(std::chrono::milliseconds limit) : total(limit) {}
    std::chrono::milliseconds left() const {
      const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
      return std::max(std::chrono::milliseconds(0), total - passed);
    }
    std::chrono::milliseconds total;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  };
  template <class Reply, class Request>
  Observation exchange(const Request& request, Reply& reply, int fd, const TimeLimit& limit, const std::string& what);

  Options options_;
  std::size_t output_seen_ = 0;
  std::filesystem::path object_;
  std::vector<std::string> allowed_loads_;
  UniqueFd socket_, arena_;
  std::uint64_t arena_bytes_ = 0, memory_limit_ = 0;
  std::chrono::milliseconds load_limit_{60000};
  bool introduced_ = false, mapped_ = false, frozen_ = false, woke_ = false, called_before_ = false, activity_available_ = false;
  std::uint32_t libraries_seen_ = 0;
  std::set<std::string> mapped_before_;  // files of code, just before the candidate was loaded
  std::string note_;
  std::random_device nonces_seed_;
  std::mt19937_64 nonces_{(std::uint64_t{nonces_seed_()} << 32) | nonces_seed_()};
  std::unique_ptr<SandboxedProcess> process_;
};

}  // namespace mskb
