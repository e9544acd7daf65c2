#include "evaluate/bench.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/errors.hpp"
#include "evaluate/case_spec.hpp"
#include "evaluate/self_test.hpp"
#include "wire/layout.hpp"

namespace mskb {

namespace {

// Oracle terms that a check may cost: about 50 ms on either side.
double affordable_terms(Backend backend) { return backend == Backend::cuda ? 2e9 : 1e7; }

constexpr std::uint64_t sampled_elements = 65536;

wire::Prologue prologue_of(PrologueKind kind) {
  switch (kind) {
    case PrologueKind::copy_zero:
      return wire::Prologue::copy_zero;
    case PrologueKind::set_zero:
      return wire::Prologue::set_zero;
    case PrologueKind::none:
      break;
  }
  return wire::Prologue::none;
}

// Ours and the vendors' are not suspected of hanging, and a library may try its algorithms in the first call.
bool is_ours(const Candidate& candidate) { return candidate.is_reference() || candidate.is_baseline(); }

double output_elements(const Case& test_case) {
  double total = 0;
  for (const CaseArgument& argument : test_case.arguments) {
    if (argument.role == Role::out || argument.role == Role::inout) {
      total += static_cast<double>(argument.elements);
    }
  }
  return total;
}

// Every seat's own, then every spare one.
std::vector<WorkerClient*> workers_of(const std::vector<Seat>& seats) {
  std::vector<WorkerClient*> all;
  for (const auto which : {&Seat::worker, &Seat::spare}) {
    for (const Seat& seat : seats) {
      if (seat.*which) {
        all.push_back((seat.*which).get());
      }
    }
  }
  return all;
}

}  // namespace

void launch_workers(const std::vector<Seat>& seats) {
  constexpr std::size_t most_ahead = 32;
  const std::vector<WorkerClient*> all = workers_of(seats);
  for (std::size_t i = 0; i < std::min(all.size(), most_ahead); ++i) {
    all[i]->launch();
  }
}

Bench::Bench(KeeperClient& keeper, const RunKey& key, Backend backend, std::vector<Seat> seats)
    : keeper_(keeper), key_(key), backend_(backend), seats_(std::move(seats)) {
  set_hang_limit(std::chrono::seconds(backend == Backend::cuda ? 2 : 20));
  if (backend == Backend::cuda) {
    free_memory_ = [&keeper] { return keeper.ask(wire::AskFreeMemory{}).value; };
  }
}

void Bench::set_hang_limit(std::chrono::duration<double> limit) {
  const std::chrono::seconds loading_itself(backend_ == Backend::cuda ? 20 : 5);
  hang_limit_ = limit;
  for (const Seat& seat : seats_) {
    for (WorkerClient* worker : {seat.worker.get(), seat.spare.get()}) {
      if (worker != nullptr && !is_ours(*seat.candidate)) {
        worker->set_load_limit(std::chrono::ceil<std::chrono::milliseconds>(limit + loading_itself));
      }
    }
  }
}

bool Bench::release_all(const WorkerClient* but) {
  bool any = false;
  for (WorkerClient* worker : workers_of(seats_)) {
    any |= worker != but && worker->release();
  }
  return any;
}

Observation Bench::make_ready(WorkerClient& worker) {
  try {
    return worker.ensure_ready();
  } catch (const HarnessError&) {
    if (!make_room(&worker)) {
      throw;
    }
  }
  try {
    return worker.ensure_ready();
  } catch (const HarnessError&) {
    if (!release_all(&worker)) {
      throw;
    }
    return worker.ensure_ready();
  }
}

bool Bench::make_room(const WorkerClient* but) {
  if (!free_memory_) {
    return release_all(but);
  }
  std::vector<std::size_t> order(seats_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return freed_bytes_[a] > freed_bytes_[b]; });
  bool any = false;
  std::uint64_t free_before = free_memory_();
  for (const std::size_t seat : order) {
    bool ended = false;
    for (const auto which : {&Seat::worker, &Seat::spare}) {
      WorkerClient* const worker = (seats_[seat].*which).get();
      ended |= worker != nullptr && worker != but && worker->release();
    }
    if (!ended) {
      continue;
    }
    any = true;
    const std::uint64_t free_now = free_memory_();
    freed_bytes_[seat] = free_now - std::min(free_before, free_now);
    free_before = free_now;
    if (!is_scarce(free_now)) {
      break;
    }
  }
  return any;
}

void Bench::open(const Case& test_case) {
  case_ = &test_case;
  reference_call_us_ = self_test_delay_us_ = 0;
  const wire::CaseSpec spec = case_spec(test_case);
  keeper_.open(test_case);
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    if (!seats_[i].worker) {
      continue;
    }
    UniqueFd fd;
    const auto opened = keeper_.ask<wire::ArenaOpened>(wire::OpenArena{static_cast<std::uint32_t>(i), wire::arena_bytes(spec)}, -1, &fd);
    arena_bytes_[i] = opened.bytes;
    if (opened.fresh != 0) {
      if (seats_[i].spare) {
        UniqueFd same(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0));
        if (!same) {
          throw_errno("share an arena");
        }
        seats_[i].spare->set_arena(std::move(same), opened.bytes);
      }
      seats_[i].worker->set_arena(std::move(fd), opened.bytes);
    }
  }
}

double Bench::relax(std::size_t seat) const {
  const auto& known = case_->problem.task->origin_error;
  const auto found = known.find(case_->problem.precision);
  const Candidate& candidate = *seats_[seat].candidate;
  return (candidate.is_reference() || is_self_test(candidate)) && found != known.end() ? std::fmax(1.0, 2 * found->second) : 1.0;
}

std::chrono::milliseconds Bench::call_limit(std::size_t seat, const StepRequest& request) const {
  const double calls = request.clock == wire::Clock::batch ? request.warmups + request.repeats : 1;
  const double limit = (is_ours(*seats_[seat].candidate) ? 120000 : hang_limit_.count() * 1000) + 20 * calls * reference_call_us_ / 1000;
  return std::chrono::milliseconds(static_cast<std::int64_t>(limit));
}

bool Bench::is_scarce(std::uint64_t free_bytes) const {
  constexpr double scarce_share = 0.25;
  std::uint64_t arenas = 0;
  for (const auto& [seat, bytes] : arena_bytes_) {
    arenas += bytes;
  }
  const std::uint64_t at_first = keeper_.facts().free_bytes;
  return static_cast<double>(free_bytes) < scarce_share * static_cast<double>(at_first - std::min(arenas, at_first));
}

StepResult Bench::step(std::size_t seat, const StepRequest& request) {
  const StepResult result = step_once(seat, request);
  const Observation& seen = result.observation;
  const bool may_lack_memory = seen.end == Observation::End::launch_failed || seen.end == Observation::End::context_lost || seen.end == Observation::End::threw ||
                               seen.end == Observation::End::died || (seen.findings && judge_step(*case_, seen).verdict != Verdict::passed);
  if (!may_lack_memory || !memory_is_scarce()) {
    return result;
  }
  for (const auto which : {&Seat::worker, &Seat::spare}) {  // who took it itself has no second try
    if (WorkerClient* own = (seats_[seat].*which).get()) {
      own->release();
    }
  }
  return memory_is_scarce() && make_room() ? step_once(seat, request) : result;
}

StepResult Bench::step_once(std::size_t seat, const StepRequest& request) {
  const auto arena = static_cast<std::uint32_t>(seat);
  const std::uint64_t serial = ++serial_;
  const std::uint64_t salt = request.salt * 64 + seat + (serial << 32);
  StepResult result;
  result.observation = make_ready(*seats_[seat].worker);
  if (result.observation.end != Observation::End::answered) {
    return result;
  }
  keeper_.ask(generate_request(key_, *case_, request.contents));
  wire::Prepare prepare{};
  prepare.arena = arena;
  prepare.layout_key = step_key(key_, *case_, request.contents, "layout", salt);
  prepare.poison_key = step_key(key_, *case_, request.contents, "poison", salt);
  prepare.poison = static_cast<wire::Poison>(prepare.poison_key % 3);
  prepare.flush = request.flush ? 1 : 0;
  const auto prepared = keeper_.ask<wire::Prepared>(prepare);

  wire::Call call = call_request(*case_, prepared);
  call.clock = request.clock;
  call.warmups = request.warmups;
  call.repeats = request.repeats;
  call.delay_ns = is_slower_self_test(seats_[seat].candidate->origin) ? static_cast<std::uint32_t>(self_test_delay_us_ * 1000) : 0;
  const Task& task = *case_->problem.task;
  call.prologue = prologue_of(task.paper_prologue);
  if (call.prologue != wire::Prologue::none) {
    call.prologue_argument = static_cast<std::uint32_t>(task.argument_index(task.paper_prologue_argument));
  }
  const CallOutcome outcome = seats_[seat].worker->call(call, call_limit(seat, request));
  result.observation = outcome.observation;
  result.called = outcome.called;
  result.go_to_done_us = outcome.go_to_done_us;
  if (outcome.observation.lost_worker()) {
    keeper_.ask(wire::Probe{});
  }
  if (outcome.observation.end == Observation::End::unsupported && backend_ == Backend::cuda && !seats_[seat].candidate->is_baseline()) {
    result.observation = {Observation::End::violation, "it says that it cannot do the case, which only a baseline may", std::nullopt};
  }
  if (!request.check || result.observation.end != Observation::End::answered) {
    return result;
  }
  if (request.stop) {
    seats_[seat].worker->freeze(true);
  }
  wire::Check check{};
  check.arena = arena;
  check.whole = request.whole && output_elements(*case_) * case_->oracle_work <= affordable_terms(backend_) ? 1 : 0;
  check.sample_key = step_key(key_, *case_, request.contents, "sample", salt);
  check.sample_count = sampled_elements;
  check.keep_as_reference = request.keep_as_reference ? 1 : 0;
  check.compare = request.compare ? 1 : 0;
  check.relax = relax(seat);
  result.observation.findings = keeper_.ask<wire::Findings>(check);
  if (request.stop && seats_[seat].worker->woke()) {
    result.observation = {Observation::End::violation, ran_while_stopped, std::nullopt};
  }
  return result;
}

void Bench::freeze_all() {
  for (WorkerClient* worker : workers_of(seats_)) {
    worker->freeze(true);
  }
}

void Bench::change_generation() {
  for (Seat& seat : seats_) {
    if (seat.spare) {
      std::swap(seat.worker, seat.spare);
    }
  }
}

}  // namespace mskb
