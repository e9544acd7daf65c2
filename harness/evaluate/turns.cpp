#include "evaluate/turns.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>

#include "evaluate/null_kernel.hpp"
#include "evaluate/self_test.hpp"
#include "evaluate/statistics.hpp"

namespace mskb {

namespace {

using Seconds = std::chrono::duration<double>;
using SteadyClock = std::chrono::steady_clock;

constexpr int looks[] = {8, 16, 32};
constexpr int look_count = static_cast<int>(std::size(looks));
constexpr int least_rounds = looks[0], most_rounds = looks[2];
constexpr std::uint64_t first_timed_contents = 1000;

// A turn: `discards` steps that bring the worker back to a steady state after the change, then `timed` steps whose median counts.
struct TurnShape {
  int discards, timed;
};

TurnShape shape_for(double call_us) {
  if (call_us > 5000) {
    return {1, 1};
  }
  return call_us > 500 ? TurnShape{1, 2} : TurnShape{2, 3};
}

struct SeatRounds {
  std::vector<double> span, busy, call;  // one figure a round
};

class Rounds {
 public:
  Rounds(Bench& bench, std::vector<CaseState>& states, const RunKey& key) : bench_(bench), states_(states), key_(key) {
    rounds_.resize(bench.seats().size());
    for (std::size_t i = 0; i < bench.seats().size(); ++i) {
      const Seat& seat = bench.seats()[i];
      if (seat.worker && states[i].judge.passed() && !seat.check_failed) {
        active_.push_back(i);
      }
    }
  }

  bool reference_active() const { return !active_.empty() && active_.front() == 0; }
  double measuring_s() const { return measuring_us_ * 1e-6; }
  const SeatRounds& of(std::size_t seat) const { return rounds_[seat]; }
  bool active(std::size_t seat) const { return std::find(active_.begin(), active_.end(), seat) != active_.end(); }

  // Both halves of a round: the workers in random order, then in the reverse order. Activity recording is on in one half and off in the other.
  void round(int number) {
    std::vector<std::size_t> order = active_;
    std::mt19937_64 random(step_key(key_, bench_.current(), static_cast<std::uint64_t>(number), "order"));
    std::shuffle(order.begin(), order.end(), random);
    const bool recording_first = number % 2 == 0;
    half(number, 0, order, recording_first);
    std::reverse(order.begin(), order.end());
    half(number, 1, order, !recording_first);
  }

 private:
  void half(int number, int which, const std::vector<std::size_t>& order, bool recording) {
    for (const std::size_t seat : order) {
      if (active(seat)) {
        turn(seat, first_timed_contents + static_cast<std::uint64_t>(number * 2 + which) * 16, recording);
      }
    }
  }

  void turn(std::size_t seat, std::uint64_t contents, bool recording) {
    const TurnShape shape = shape_for(states_[seat].call_us);
    std::vector<double> span, busy, call;
    for (int i = 0; i < shape.discards + shape.timed; ++i) {
      StepRequest request;
      request.contents = contents + static_cast<std::uint64_t>(i);
      request.salt = request.contents;
      request.clock = recording ? wire::Clock::span : wire::Clock::call;
      request.flush = true;
      request.check = i >= shape.discards;
      const StepResult result = bench_.step(seat, request);
      if (request.check || result.observation.end != Observation::End::answered) {
        if (states_[seat].judge.add(request.contents, result.observation).verdict != Verdict::passed) {
          active_.erase(std::find(active_.begin(), active_.end(), seat));
          return;
        }
        measuring_us_ += result.called.call_us;
        if (recording) {
          span.push_back(span_us(bench_.seats()[seat], result.called));
          busy.push_back(result.called.busy_us);
        } else {
          call.push_back(result.called.call_us);
        }
      }
    }
    bench_.seats()[seat].worker->freeze(true);
    SeatRounds& rounds = rounds_[seat];
    if (recording) {
      rounds.span.push_back(median(span));
      rounds.busy.push_back(median(busy));
    } else {
      rounds.call.push_back(median(call));
    }
  }

  Bench& bench_;
  std::vector<CaseState>& states_;
  const RunKey& key_;
  std::vector<std::size_t> active_;
  std::vector<SeatRounds> rounds_;
  double measuring_us_ = 0;
};

// The slower self-test is to be slower by a known share of the reference's own cold time.
void set_self_test_delay(Bench& bench) {
  const auto& seats = bench.seats();
  if (std::none_of(seats.begin(), seats.end(), [](const Seat& seat) { return is_slower_self_test(*seat.candidate); })) {
    return;
  }
  std::vector<double> spans;
  for (int i = 0; i < 3; ++i) {
    StepRequest request;
    request.contents = 2;
    request.salt = static_cast<std::uint64_t>(i);
    request.clock = wire::Clock::span;
    request.flush = true;
    request.check = false;
    spans.push_back(span_us(seats[0], bench.step(0, request).called));
  }
  bench.set_self_test_delay(self_test_delay * median(spans));
}

ClockSamples samples_of(const std::vector<double>& rounds) { return {rounds, median(rounds)}; }

Timing timing_of(const Seat& seat, const CaseState& state, const SeatRounds& own, const SeatRounds* reference) {
  Timing timing;
  timing.protocol = "strict";
  timing.clocks["call"] = samples_of(own.call);
  timing.null_kernel_us = seat.null_span_us;
  timing.first_call_us = state.first_call_us;
  // Without activity recording (no CUPTI) there is no span; the row has its host clock only.
  const bool recorded = seat.worker->activity_available();
  if (recorded) {
    timing.clocks["span"] = samples_of(own.span);
    timing.clocks["busy"] = samples_of(own.busy);
    timing.launch_bound = timing.clocks["span"].median < 3 * seat.null_span_us;
  }
  if (reference != nullptr) {
    timing.speedups["call"] = estimate_speedup(reference->call, own.call, look_count);
    if (recorded) {
      timing.speedups["span"] = estimate_speedup(reference->span, own.span, look_count);
      timing.stories_differ =
          std::fabs(std::log(timing.speedups["span"].value / timing.speedups["call"].value)) > std::log(1.1);
    }
  }
  return timing;
}

bool all_decided(const Rounds& rounds, const std::vector<Seat>& seats) {
  for (std::size_t i = 1; i < seats.size(); ++i) {
    const auto clock = [&](std::size_t seat) {
      return seats[i].worker && seats[i].worker->activity_available() ? rounds.of(seat).span : rounds.of(seat).call;
    };
    if (rounds.active(i) && !estimate_speedup(clock(0), clock(i), look_count).decided) {
      return false;
    }
  }
  return true;
}

}  // namespace

StrictResult time_in_turns(Bench& bench, std::vector<CaseState>& states, const RunKey& key, Seconds case_budget) {
  StrictResult result;
  result.timings.resize(bench.seats().size());
  measure_null_kernels(bench);
  Rounds rounds(bench, states, key);
  if (rounds.reference_active()) {
    set_self_test_delay(bench);
  }
  bench.freeze_all();
  const auto start = SteadyClock::now();
  for (int done = 0; rounds.reference_active() && done < most_rounds;) {
    rounds.round(done);
    ++done;
    if (done < least_rounds) {
      continue;
    }
    const bool look = std::find(std::begin(looks), std::end(looks), done) != std::end(looks);
    if ((look && all_decided(rounds, bench.seats())) || Seconds(SteadyClock::now() - start) >= case_budget) {
      break;
    }
  }
  const bool has_reference = rounds.reference_active();
  for (std::size_t i = 0; i < bench.seats().size(); ++i) {
    if (rounds.active(i)) {
      result.timings[i] = timing_of(bench.seats()[i], states[i], rounds.of(i), i > 0 && has_reference ? &rounds.of(0) : nullptr);
    }
  }
  result.measuring_s = rounds.measuring_s();
  return result;
}

}  // namespace mskb
