#include "evaluate/turns.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "evaluate/rounds.hpp"
#include "evaluate/self_test.hpp"

namespace mskb {

namespace {

using Seconds = std::chrono::duration<double>;
using SteadyClock = std::chrono::steady_clock;

constexpr int looks[] = {8, 16, 32, 64, 128};
static_assert(std::size(looks) == strict_rule.looks);
static_assert(Rounds::rounds_per_generation == strict_rule.rounds_per_generation);
constexpr int least_rounds = looks[0], most_rounds = looks[std::size(looks) - 1];

bool records_activity(const Seat& seat) { return seat.worker && seat.worker->activity_available(); }

// The slower self-test is to be slower by a known share of the reference's own cold `span`, host work included.
void set_self_test_delay(Bench& bench) {
  const auto& seats = bench.seats();
  if (std::none_of(seats.begin(), seats.end(), [](const Seat& seat) { return is_slower_self_test(seat.candidate->origin); })) {
    return;
  }
  NullKernels null_kernels;
  std::vector<wire::Called> calls;
  for (std::uint64_t i = 0; i < 7; ++i) {
    StepRequest request;
    request.contents = 2;
    request.salt = i;
    request.clock = wire::Clock::span;
    request.flush = true;
    request.check = false;
    calls.push_back(bench.step(0, request).called);
    null_kernels.add(calls.back());
  }
  std::vector<double> spans;
  for (const wire::Called& called : calls) {
    spans.push_back(null_kernels.span_us(called));
  }
  bench.set_self_test_delay(self_test_delay * median(std::move(spans)));
}

ClockSamples samples_of(const std::vector<double>& rounds) { return {rounds, median(rounds)}; }

Timing timing_of(const Seat& seat, const CaseState& state, const SeatRounds& own, const SeatRounds* reference, double null_kernel_us,
                 const ClockWatch& clock) {
  Timing timing;
  timing.protocol = "strict";
  timing.clocks["call"] = samples_of(own.call);
  timing.null_kernel_us = null_kernel_us;
  timing.first_call_us = state.first_call_us;
  timing.clock_mhz = clock.median_mhz();
  timing.dropped_rounds = clock.dropped();
  timing.clock_unsteady = clock.unsteady();
  // Without activity recording (no CUPTI) there is no span; the row has its host clock only.
  const bool recorded = records_activity(seat);
  if (recorded) {
    timing.clocks["span"] = samples_of(own.span);
    timing.clocks["busy"] = samples_of(own.busy);
    timing.clocks["lead"].median = median(own.lead);
    timing.clocks["tail"].median = median(own.tail);
    timing.launch_bound = is_launch_bound(timing.clocks["span"].median, null_kernel_us);
  }
  if (reference != nullptr) {
    timing.speedups["call"] = estimate_speedup(reference->call, own.call, strict_rule);
    timing.generations_differ = generations_differ(reference->call, own.call, strict_rule);
    if (recorded) {
      timing.speedups["span"] = estimate_speedup(reference->span, own.span, strict_rule);
      timing.generations_differ = generations_differ(reference->span, own.span, strict_rule);
      timing.stories_differ = stories_differ(timing.speedups["span"].value, timing.speedups["call"].value);
    }
  }
  return timing;
}

// A candidate whose figures suffice rests, so that the time goes to the others. Whether all do.
bool rest_where_it_suffices(Rounds& rounds, const std::vector<Seat>& seats) {
  const SeatRounds reference = rounds.of(0);
  bool all = true;
  for (std::size_t i = 1; i < seats.size(); ++i) {
    if (!rounds.active(i) || rounds.resting(i)) {
      continue;
    }
    const SeatRounds own = rounds.of(i);
    const SpeedupEstimate estimate = records_activity(seats[i]) ? estimate_speedup(reference.span, own.span, strict_rule)
                                                                : estimate_speedup(reference.call, own.call, strict_rule);
    if (suffices(estimate, seats[i].candidate->origin)) {
      rounds.rest(i);
    } else {
      all = false;
    }
  }
  return all;
}

}  // namespace

bool is_launch_bound(double span_us, double null_kernel_us) { return span_us < 3 * null_kernel_us; }

bool stories_differ(double by_span, double by_call) { return std::fabs(std::log(by_span / by_call)) > std::log(1.1); }

bool suffices(const SpeedupEstimate& estimate, const std::string& origin) {
  return estimate.decided || (is_slower_self_test(origin) && estimate.verdict == "slower");
}

StrictResult time_in_turns(Bench& bench, std::vector<CaseState>& states, const RunKey& key, Seconds case_budget) {
  StrictResult result;
  result.timings.resize(bench.seats().size());
  if (states[0].judge.passed()) {
    set_self_test_delay(bench);
  }
  Rounds rounds(bench, states, key);
  const auto start = SteadyClock::now();
  for (int done = 0; rounds.reference_active() && done < most_rounds;) {
    done += rounds.run() ? 1 : 0;
    if (done < least_rounds) {
      continue;
    }
    const bool look = std::find(std::begin(looks), std::end(looks), done) != std::end(looks);
    if ((look && rest_where_it_suffices(rounds, bench.seats())) || Seconds(SteadyClock::now() - start) >= case_budget) {
      break;
    }
  }
  rounds.check_testimony();
  const bool has_reference = rounds.reference_active();
  const SeatRounds reference = rounds.of(0);
  for (std::size_t i = 0; i < bench.seats().size(); ++i) {
    if (rounds.active(i)) {
      result.timings[i] = timing_of(bench.seats()[i], states[i], rounds.of(i), i > 0 && has_reference ? &reference : nullptr,
                                    rounds.null_kernels().span_us(), rounds.clock());
    }
  }
  result.measuring_s = rounds.measuring_s();
  return result;
}

}  // namespace mskb
