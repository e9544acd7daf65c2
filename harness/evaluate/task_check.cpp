#include "evaluate/task_check.hpp"

#include <fmt/format.h>

#include <cmath>

#include "judge/step_verdict.hpp"

namespace mskb {

namespace {

using wire::Damage;

enum class Claim { accepted_everywhere, refused_everywhere, refused_somewhere };

struct Statement {
  Claim claim;
  Damage damage;
  const char* name;
};

constexpr Statement statements[] = {
    {Claim::accepted_everywhere, Damage::none, "the oracle's own rounded values"},
    {Claim::accepted_everywhere, Damage::forward_fp32, "FP32 sums in ascending order"},
    {Claim::accepted_everywhere, Damage::blocked_fp32, "FP32 sums of 256-term blocks"},
    {Claim::accepted_everywhere, Damage::strided_fp32, "FP32 sums over 32 lanes"},
    {Claim::refused_everywhere, Damage::zeros, "zeros"},
    {Claim::refused_everywhere, Damage::constant, "the mean everywhere"},
    {Claim::refused_everywhere, Damage::first_only, "zeros behind the first element"},
    {Claim::refused_everywhere, Damage::stale, "the output of other contents"},
    {Claim::refused_everywhere, Damage::unwritten, "an unwritten output"},
    {Claim::refused_everywhere, Damage::skipped_tail, "an unwritten tail"},
    {Claim::refused_somewhere, Damage::swapped, "halves exchanged"},
    {Claim::refused_somewhere, Damage::dropped_term, "a dropped term"},
    {Claim::refused_somewhere, Damage::bf16_inputs, "BF16 arithmetic on the inputs"},
    {Claim::refused_somewhere, Damage::tf32_inputs, "TF32 arithmetic on the inputs"},
    {Claim::refused_somewhere, Damage::bf16_accumulate, "BF16 accumulation"}};

constexpr double longest_chain = 65536;

// Whether outputs with the damage are accepted; nothing where it does not apply.
std::optional<bool> accepts(DamageBench& bench, const Case& test_case, Damage damage, std::uint64_t contents, std::string& detail) {
  Observation observation;
  observation.findings = bench.findings(damage, contents);
  if (!observation.findings) {
    return std::nullopt;
  }
  const StepVerdict verdict = judge_step(test_case, observation);
  detail = verdict.detail;
  return verdict.verdict == Verdict::passed;
}

void refute(CheckFinding& finding, const Case& test_case, const std::string& what) {
  finding.holds = false;
  finding.detail += fmt::format("{}{}{}{}", finding.detail.empty() ? "" : "; ", test_case.name(), what.empty() ? "" : " ", what);
}

bool has_fp32_input(const Case& test_case) {
  return test_case.problem.precision == Precision::fp32 &&
         std::any_of(test_case.arguments.begin(), test_case.arguments.end(), is_f32_input);
}

// One statement while the cases go by.
class Proof {
 public:
  Proof(const Statement& statement) : statement_(statement) {
    finding_.holds = statement.claim != Claim::refused_somewhere;
    finding_.applies = false;
  }

  bool concerns(const Case& test_case) const {
    const bool designed = test_case.set == "check";
    return statement_.claim == Claim::accepted_everywhere ? is_honest_order(statement_.damage, test_case.oracle_work)
                                                          : designed == (statement_.claim == Claim::refused_somewhere);
  }

  void add(DamageBench& bench, const Case& test_case) {
    std::string what;
    const std::optional<bool> accepted = statement_.damage == Damage::stale
                                             ? accepts_stale([&](std::uint64_t contents) {
                                                 return accepts(bench, test_case, Damage::stale, contents, what);
                                               })
                                             : accepts(bench, test_case, statement_.damage, 0, what);
    if (!accepted) {
      return;
    }
    finding_.applies = true;
    if (statement_.claim == Claim::refused_somewhere) {
      if (!*accepted) {
        finding_.holds = true;
        finding_.detail += fmt::format("{}{}", finding_.detail.empty() ? "at " : ", ", test_case.index);
      }
    } else if (*accepted != (statement_.claim == Claim::accepted_everywhere)) {
      refute(finding_, test_case, what);
    }
  }

  CheckFinding finding(const Case& some_case) const {
    CheckFinding finding = finding_;
    finding.statement = statement_.name;
    finding.statement += statement_.claim == Claim::accepted_everywhere  ? ": accepted at every case"
                         : statement_.claim == Claim::refused_everywhere ? ": refused at every case"
                                                                         : ": refused at some check case";
    const bool rounds_inputs = statement_.damage == Damage::bf16_inputs || statement_.damage == Damage::tf32_inputs;
    if (!finding.applies && rounds_inputs && has_fp32_input(some_case)) {
      finding.applies = true;
      finding.detail = "no check case holds inputs that it changes";
    } else if (!finding.applies) {
      finding.detail = "does not apply";
    } else if (statement_.claim == Claim::refused_somewhere && !finding.holds) {
      finding.detail = "no check case reveals it";
    }
    return finding;
  }

 private:
  const Statement& statement_;
  CheckFinding finding_;
};

}  // namespace

bool is_honest_order(Damage order, double terms) {
  switch (order) {
    case Damage::forward_fp32: return terms <= longest_chain;
    case Damage::blocked_fp32: return terms / 256 <= longest_chain;
    case Damage::strided_fp32: return terms / 32 <= longest_chain;
    default: return true;
  }
}

// Outputs of one element have no spread, and a value that moves with the contents shows in `stale`. Of outputs that must
// be exact one with a spread is enough: ties among selected values are no weakness where their positions are checked too.
std::string near_constant(const Case& test_case, const wire::Spread& spread) {
  std::string of_exact;
  bool exact_with_spread = false;
  for (std::size_t i = 0; i < test_case.arguments.size(); ++i) {
    const CaseArgument& argument = test_case.arguments[i];
    if (!is_output(argument)) {
      continue;
    }
    if (!std::isfinite(spread.mean[i]) || !std::isfinite(spread.largest[i])) {
      return argument.name + " is not finite";
    }
    if (argument.elements == 1) {
      continue;
    }
    const bool exact = argument.accept.kind == AcceptKind::exact;
    const double scale = std::fmax(std::fabs(spread.smallest[i]), std::fabs(spread.largest[i]));
    if (spread.deviation[i] > 0.01 * scale) {
      exact_with_spread = exact_with_spread || exact;
      continue;
    }
    const std::string fault = fmt::format("{} has deviation {:.3g} at a scale of {:.3g}", argument.name, spread.deviation[i], scale);
    if (!exact) {
      return fault;
    }
    of_exact = fault;
  }
  return exact_with_spread ? "" : of_exact;
}

std::optional<bool> accepts_stale(const std::function<std::optional<bool>(std::uint64_t contents)>& accepts) {
  std::optional<bool> accepted;
  for (std::uint64_t contents = 0; contents < contents_to_try; ++contents) {
    accepted = accepts(contents);
    if (!accepted.value_or(false)) {
      break;
    }
  }
  return accepted;
}

TaskCheck::TaskCheck(const EvaluatorOptions& options, const Builder& builder)
    : key_(options.key),
      builder_(builder),
      keeper_(options.backend, options.device, options.oracle_limit),
      second_(options.backend, options.device, options.oracle_limit),
      bench_(keeper_, options.key, 0) {}

std::vector<CheckFinding> TaskCheck::check(const Problem& problem, const std::string& set) {
  for (KeeperClient* keeper : {&keeper_, &second_}) {
    keeper->load(problem, builder_.task_module(problem));
  }
  CheckFinding fits{true, "every case fits this device", "", true};
  CheckFinding repeats{true, "the same key gives the same contents", "", true};
  CheckFinding lively{true, "the wanted output is finite and not near constant", "", true};
  std::vector<Proof> proofs(std::begin(statements), std::end(statements));
  std::vector<Case> cases = make_cases(problem, set);
  for (Case& designed : make_cases(problem, "check")) {
    cases.push_back(std::move(designed));
  }
  for (const Case& test_case : cases) {
    wire::Spread spread{};
    try {
      for (KeeperClient* keeper : {&keeper_, &second_}) {
        keeper->open(test_case);
        keeper->ask(generate_request(key_, test_case, 0));
      }
      bench_.use(test_case);
      spread = keeper_.ask<wire::Spread>(wire::AskSpread{});
    } catch (const DoesNotFit& error) {
      refute(fits, test_case, error.what());
      continue;
    }
    if (spread.contents_hash != second_.ask<wire::Spread>(wire::AskSpread{}).contents_hash) {
      refute(repeats, test_case, "");
    }
    if (const std::string fault = near_constant(test_case, spread); test_case.set != "check" && !fault.empty()) {
      refute(lively, test_case, fault);
    }
    for (Proof& proof : proofs) {
      if (proof.concerns(test_case)) {
        proof.add(bench_, test_case);
      }
    }
  }
  std::vector<CheckFinding> findings{fits, repeats, lively};
  for (const Proof& proof : proofs) {
    findings.push_back(proof.finding(cases.front()));
  }
  return findings;
}

}  // namespace mskb
