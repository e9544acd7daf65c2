#include "evaluate/published_check.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "evaluate/damage_bench.hpp"
#include "evaluate/task_check.hpp"
#include "evaluate/verification.hpp"
#include "judge/step_verdict.hpp"
#include "model/task_file.hpp"

namespace mskb {

namespace {

constexpr std::uint32_t arena_of_damages = 1;  // the reference's is 0

// For one look at all outputs.
double oracle_terms(const Case& test_case) {
  double elements = 0;
  for (const CaseArgument& argument : test_case.arguments) {
    elements += is_output(argument) ? static_cast<double>(argument.elements) : 0;
  }
  return elements * test_case.oracle_work;
}

Case affordable_case(const Problem& problem) {
  const std::vector<Case> cases = make_cases(problem, "paper");
  const Case* chosen = nullptr;
  for (const Case& one : cases) {
    const double terms = oracle_terms(one);
    const bool fits = terms <= affordable_terms;
    if (chosen == nullptr || (fits ? oracle_terms(*chosen) > affordable_terms || terms >= oracle_terms(*chosen)
                                   : terms < oracle_terms(*chosen))) {
      chosen = &one;
    }
  }
  if (chosen == nullptr) {
    throw InputError(problem.name() + " has no published size");
  }
  return *chosen;
}

// One problem's open case, with the reference's outputs of some contents kept by the keeper.
class Comparison {
 public:
  Comparison(KeeperClient& keeper, const RunKey& key, Backend backend, Seat seat, const Case& test_case)
      : bench_(keeper, key, backend, one(std::move(seat))), damages_(keeper, key, arena_of_damages), case_(test_case) {
    bench_.open(test_case);
    damages_.use(test_case);
  }

  PublishedAnswer answer(wire::Damage damage, std::uint64_t contents) {
    run_reference(contents);
    Observation observation;
    observation.findings = damages_.findings(damage, contents);
    if (!observation.findings) {
      return {};
    }
    return {true, paper_verdict(case_, *observation.findings) == "passed", judge_step(case_, observation).verdict == Verdict::passed};
  }

 private:
  static std::vector<Seat> one(Seat seat) {
    std::vector<Seat> seats;
    seats.push_back(std::move(seat));
    return seats;
  }

  void run_reference(std::uint64_t contents) {
    if (kept_ == contents) {
      return;
    }
    StepRequest request;
    request.contents = contents;
    request.whole = request.stop = request.keep_as_reference = true;
    const StepResult result = bench_.step(0, request);
    const StepVerdict verdict = judge_step(case_, result.observation);
    if (verdict.verdict != Verdict::passed) {
      throw HarnessError(fmt::format("the reference at {}: {} {}", case_.name(), to_string(verdict.verdict), verdict.detail));
    }
    kept_ = contents;
  }

  Bench bench_;
  DamageBench damages_;
  const Case& case_;
  std::optional<std::uint64_t> kept_;
};

// As for our own acceptance, what other contents give counts as accepted where three pairs of contents agree on it.
PublishedAnswer answer_stale(Comparison& comparison) {
  PublishedAnswer all = comparison.answer(wire::Damage::stale, 0);
  for (std::uint64_t contents = 1; contents < contents_to_try && (all.published || all.ours); ++contents) {
    const PublishedAnswer more = comparison.answer(wire::Damage::stale, contents);
    all.published = all.published && more.published;
    all.ours = all.ours && more.ours;
  }
  return all;
}

}  // namespace

PublishedRow check_published_rule(const EvaluatorOptions& options, const Builder& builder, const Problem& problem) {
  const RunKey key = RunKey::parse("00000000000000000000000000000000");  // the page is the same whoever prints it
  const Case test_case = affordable_case(problem);
  KeeperClient keeper(options.backend, options.device, options.oracle_limit);
  keeper.load(problem, builder.task_module(problem));

  const Candidate reference = reference_candidate(problem);
  WorkerClient::Options worker;
  worker.backend = options.backend;
  worker.device = options.device;
  worker.sandbox = options.sandbox;
  Seat seat;
  seat.candidate = &reference;
  seat.build = builder.candidate(problem, reference);
  if (seat.build.verdict != Verdict::passed) {
    throw HarnessError(fmt::format("the reference of {}: {} {}", problem.name(), to_string(seat.build.verdict), seat.build.detail));
  }
  seat.worker = std::make_unique<WorkerClient>(worker, seat.build.object, reference.allowed_loads);
  Comparison comparison(keeper, key, options.backend, std::move(seat), test_case);
  PublishedRow row{problem, test_case.size_text(), {}};
  for (const PublishedColumn& column : published_columns) {
    row.answers.push_back(!is_honest_order(column.damage, test_case.oracle_work) ? PublishedAnswer{}
                          : column.damage == wire::Damage::stale                 ? answer_stale(comparison)
                                                                                 : comparison.answer(column.damage, 0));
  }
  return row;
}

}  // namespace mskb
