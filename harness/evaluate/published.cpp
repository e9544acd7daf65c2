#include "evaluate/published.hpp"

#include <benchmark/benchmark.h>

namespace mskb {

namespace {

constexpr std::uint32_t warmups = 3, repeats = 50;
constexpr std::uint64_t contents_of_batch = 2;

// Takes Google Benchmark's figure and prints nothing.
class Keep : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      seconds = run.GetAdjustedRealTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
    }
  }
  double seconds = 0;
};

// One batch as one benchmark iteration; microseconds per call.
double run_batch(Bench& bench, std::size_t seat, StepResult& result) {
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark("batch",
                               [&](benchmark::State& state) {
                                 for (auto iteration : state) {
                                   static_cast<void>(iteration);
                                   StepRequest request;
                                   request.contents = contents_of_batch;
                                   request.salt = contents_of_batch;
                                   request.clock = wire::Clock::batch;
                                   request.warmups = warmups;
                                   request.repeats = repeats;
                                   request.stop = true;
                                   result = bench.step(seat, request);
                                   state.SetIterationTime(result.called.batch_us * 1e-6);
                                 }
                               })
      ->UseManualTime()
      ->Iterations(1);
  Keep keep;
  benchmark::RunSpecifiedBenchmarks(&keep, "batch");
  return keep.seconds * 1e6;
}

}  // namespace

PublishedResult time_as_published(Bench& bench, std::vector<CaseState>& states) {
  PublishedResult result;
  result.timings.resize(bench.seats().size());
  double reference_us = 0;
  for (std::size_t i = 0; i < bench.seats().size(); ++i) {
    const Seat& seat = bench.seats()[i];
    if (!seat.worker || !states[i].judge.passed() || seat.check_failed) {
      continue;
    }
    StepResult step;
    const double batch_us = run_batch(bench, i, step);
    if (states[i].judge.add(contents_of_batch, step.observation).verdict != Verdict::passed) {
      continue;
    }
    result.measuring_s += batch_us * repeats * 1e-6;
    Timing timing;
    timing.protocol = "paper";
    timing.clocks["batch"] = {{batch_us}, batch_us};
    timing.first_call_us = states[i].first_call_us;
    if (i == 0) {
      reference_us = batch_us;
    } else if (reference_us > 0 && batch_us > 0) {
      SpeedupEstimate estimate;
      estimate.value = estimate.low = estimate.high = reference_us / batch_us;  // one figure: the protocol states no interval
      estimate.rounds = 1;
      timing.speedups["batch"] = estimate;
    }
    result.timings[i] = timing;
  }
  return result;
}

}  // namespace mskb
