#include "evaluate/rounds.hpp"

#include <algorithm>
#include <iterator>
#include <random>

#include "evaluate/statistics.hpp"

namespace mskb {

namespace {

constexpr std::uint64_t first_timed_contents = 1000, contents_per_turn = 32;
constexpr int uncounted_steps = 1;
constexpr std::uint64_t steps_per_whole_check = 16;

// Steps that count in a turn: more of the short ones, whose host part varies most. A turn's steps share what varies from turn to turn, so
// that more turns tell more than longer ones.
int timed_steps(double call_us, bool recording) {
  if (call_us > 5000) {
    return 1;
  }
  return call_us > 500 || !recording ? 3 : 5;
}

std::vector<double> medians(const std::vector<Turn>& turns, double wire::Called::*figure) {
  std::vector<double> rounds;
  for (const Turn& turn : turns) {
    std::vector<double> values;
    for (const wire::Called& called : turn) {
      values.push_back(called.*figure);
    }
    rounds.push_back(median(std::move(values)));
  }
  return rounds;
}

std::vector<double> spans(const std::vector<Turn>& turns, const NullKernels& null_kernels) {
  std::vector<double> rounds;
  for (const Turn& turn : turns) {
    std::vector<double> values;
    for (const wire::Called& called : turn) {
      values.push_back(null_kernels.span_us(called));
    }
    rounds.push_back(median(std::move(values)));
  }
  return rounds;
}

}  // namespace

Rounds::Rounds(Bench& bench, std::vector<CaseState>& states, const RunKey& key)
    : bench_(bench), states_(states), key_(key), recorded_(bench.seats().size()), unrecorded_(bench.seats().size()), testimonies_(bench.seats().size()),
      clock_([&bench] { return static_cast<double>(bench.keeper().ask(wire::AskClockRate{}).value) / 1000; }) {
  for (std::size_t i = 0; i < bench.seats().size(); ++i) {
    const Seat& seat = bench.seats()[i];
    if (seat.worker && states[i].judge.passed() && !seat.check_failed) {
      active_.push_back(i);
      if (seat.spare) {
        bench_.make_ready(*seat.spare);  // what is wrong with it shows in its first turn
      }
    }
  }
  bench_.freeze_all();
  clock_.settle();
}

void Rounds::fall_out(std::size_t seat, Observation observation) {
  states_[seat].judge.add(first_timed_contents, observation);
  active_.erase(std::find(active_.begin(), active_.end(), seat));
}

void Rounds::check_testimony() {
  const std::vector<std::size_t> before = active_;
  for (const std::size_t index : before) {
    const Seat& seat = bench_.seats()[index];
    for (WorkerClient* worker : {seat.worker.get(), seat.spare.get()}) {
      const Observation around = worker != nullptr ? worker->look_around() : Observation{};
      if (around.end != Observation::End::answered && active(index)) {
        fall_out(index, around);
      }
    }
    if (seat.candidate->is_reference() || seat.candidate->is_baseline() || !active(index)) {
      continue;
    }
    if (const std::string reason = contradiction(testimonies_[index], testimonies_[0]); !reason.empty()) {
      fall_out(index, {Observation::End::violation, reason, std::nullopt});
    }
  }
}

bool Rounds::active(std::size_t seat) const { return std::find(active_.begin(), active_.end(), seat) != active_.end(); }

SeatRounds Rounds::of(std::size_t seat) const {
  const std::vector<Turn>& recorded = recorded_[seat];
  return {spans(recorded, null_kernels_), medians(recorded, &wire::Called::busy_us), medians(recorded, &wire::Called::lead_us),
          medians(recorded, &wire::Called::tail_us), medians(unrecorded_[seat], &wire::Called::call_us)};
}

bool Rounds::run() {
  if (counted_ / rounds_per_generation != generation_) {
    ++generation_;
    bench_.change_generation();
  }
  const int number = begun_++;
  std::vector<std::size_t> order;
  std::copy_if(active_.begin(), active_.end(), std::back_inserter(order), [this](std::size_t seat) { return !resting(seat); });
  std::mt19937_64 random(step_key(key_, bench_.current(), static_cast<std::uint64_t>(number), "order"));
  std::shuffle(order.begin(), order.end(), random);
  const bool recording_first = number % 2 == 0;
  half(number, 0, order, recording_first);
  std::reverse(order.begin(), order.end());
  half(number, 1, order, !recording_first);
  if (!clock_.round_counts()) {
    for (auto* turns : {&recorded_, &unrecorded_}) {
      for (std::vector<Turn>& of_seat : *turns) {
        of_seat.resize(std::min<std::size_t>(of_seat.size(), static_cast<std::size_t>(counted_)));
      }
    }
    return false;
  }
  ++counted_;
  return true;
}

void Rounds::half(int number, int which, const std::vector<std::size_t>& order, bool recording) {
  for (const std::size_t seat : order) {
    if (active(seat)) {
      turn(seat, first_timed_contents + static_cast<std::uint64_t>(number * 2 + which) * contents_per_turn, recording);
      bench_.seats()[seat].worker->freeze(true);
    }
  }
}

void Rounds::turn(std::size_t seat, std::uint64_t contents, bool recording) {
  const int timed = timed_steps(states_[seat].call_us, recording);
  Turn turn;
  for (int i = 0; i < uncounted_steps + timed; ++i) {
    StepRequest request;
    request.contents = contents + static_cast<std::uint64_t>(i);
    request.salt = request.contents;
    request.clock = recording ? wire::Clock::span : wire::Clock::call;
    request.flush = true;
    request.check = i >= uncounted_steps;
    // Which steps are wholly checked nobody knows; after the last one it waits stopped anyway.
    request.whole = step_key(key_, bench_.current(), request.contents, "whole", seat) % steps_per_whole_check == 0;
    request.stop = request.whole || i + 1 == uncounted_steps + timed;
    if (!step(seat, request, turn)) {
      return;
    }
  }
  (recording ? recorded_ : unrecorded_)[seat].push_back(std::move(turn));
}

bool Rounds::step(std::size_t seat, StepRequest request, Turn& turn) {
  const StepResult result = bench_.step(seat, request);
  const bool answered = result.observation.end == Observation::End::answered;
  if ((request.check || !answered) && states_[seat].judge.add(request.contents, result.observation).verdict != Verdict::passed) {
    active_.erase(std::find(active_.begin(), active_.end(), seat));
    return false;
  }
  if (request.check) {
    measuring_us_ += result.called.call_us;
    turn.push_back(result.called);
    testimonies_[seat].add(request.clock, result.called, result.go_to_done_us);
    if (request.clock == wire::Clock::span) {
      null_kernels_.add(result.called);
    }
  }
  return true;
}

}  // namespace mskb
