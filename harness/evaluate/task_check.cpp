#include "evaluate/task_check.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evaluate/case_spec.hpp"
#include "evaluate/keeper_client.hpp"
#include "judge/step_verdict.hpp"
#include "wire/layout.hpp"

namespace mskb {

namespace {

using wire::Damage;

struct DamageInfo {
  Damage damage;
  const char* name;
};

constexpr DamageInfo honest[] = {{Damage::none, "the oracle's own rounded values"},
                                 {Damage::forward_fp32, "FP32 sums in ascending order"},
                                 {Damage::blocked_fp32, "FP32 sums of 256-term blocks"},
                                 {Damage::strided_fp32, "FP32 sums over 32 lanes"}};
constexpr DamageInfo always_refused[] = {{Damage::zeros, "zeros"},
                                         {Damage::constant, "the mean everywhere"},
                                         {Damage::stale, "the output of other contents"},
                                         {Damage::unwritten, "an unwritten output"},
                                         {Damage::skipped_tail, "an unwritten tail"}};
constexpr DamageInfo refused_somewhere[] = {{Damage::swapped, "halves exchanged"},
                                            {Damage::dropped_term, "a dropped term"},
                                            {Damage::bf16_inputs, "BF16 arithmetic on the inputs"},
                                            {Damage::tf32_inputs, "TF32 arithmetic on the inputs"},
                                            {Damage::bf16_accumulate, "BF16 accumulation"}};

enum class Answer { accepted, refused, not_applicable };

bool is_output(const CaseArgument& argument) { return argument.role == Role::out || argument.role == Role::inout; }

// Whether the damage can change anything: a single number is its own mean and has no halves, BF16 inputs are in BF16 already.
bool can_change(const Case& test_case, Damage damage) {
  const auto& arguments = test_case.arguments;
  if (damage == Damage::constant || damage == Damage::swapped) {
    return std::any_of(arguments.begin(), arguments.end(), [](const auto& a) { return is_output(a) && a.elements > 1; });
  }
  if (damage == Damage::bf16_inputs || damage == Damage::tf32_inputs) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [](const auto& a) { return a.role == Role::in && a.type == ElementType::f32; });
  }
  return true;
}

class Checker {
 public:
  Checker(const EvaluatorOptions& options, const Problem& problem, const Builder& builder)
      : key_(options.key), keeper_(options.backend, options.device) {
    const UniqueFd module(::open(builder.task_module(problem).c_str(), O_RDONLY | O_CLOEXEC));
    keeper_.ask(wire::LoadModule{}, module.get());
  }

  void open(const Case& test_case) {
    case_ = &test_case;
    const wire::CaseSpec spec = case_spec(test_case);
    keeper_.ask(wire::OpenCase{spec});
    UniqueFd unused;
    keeper_.ask<wire::ArenaOpened>(wire::OpenArena{0, wire::arena_bytes(spec)}, -1, &unused);
  }

  wire::Spread spread() {
    keeper_.ask(generate_request(key_, *case_, 0));
    return keeper_.ask<wire::Spread>(wire::AskSpread{});
  }

  // What the acceptance says of outputs with this damage, at the open case.
  Answer answer(Damage damage, std::string* detail = nullptr) {
    if (!can_change(*case_, damage)) {
      return Answer::not_applicable;
    }
    keeper_.ask(generate_request(key_, *case_, 0));
    wire::Prepare prepare{};
    prepare.poison = wire::Poison::finite;
    prepare.layout_key = step_key(key_, *case_, 0, "layout");
    prepare.poison_key = step_key(key_, *case_, 0, "poison");
    keeper_.ask<wire::Prepared>(prepare);
    try {
      keeper_.ask(wire::Produce{0, damage});
    } catch (const DoesNotFit&) {
      return Answer::not_applicable;
    }
    wire::Check check{};
    check.whole = 1;
    check.relax = 1;
    Observation observation;
    observation.findings = keeper_.ask<wire::Findings>(check);
    const StepVerdict verdict = judge_step(*case_, observation);
    if (detail != nullptr) {
      *detail = verdict.detail;
    }
    return verdict.verdict == Verdict::passed ? Answer::accepted : Answer::refused;
  }

 private:
  const RunKey& key_;
  KeeperClient keeper_;
  const Case* case_ = nullptr;
};

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

CheckFinding everywhere(Checker& checker, const std::vector<Case>& cases, const DamageInfo& info, Answer wanted) {
  CheckFinding finding;
  finding.statement = fmt::format("{}: {} at every case", info.name, wanted == Answer::accepted ? "accepted" : "refused");
  finding.holds = true;
  int applied = 0;
  for (const Case& test_case : cases) {
    checker.open(test_case);
    std::string detail;
    const Answer answer = checker.answer(info.damage, &detail);
    if (answer == Answer::not_applicable) {
      continue;
    }
    ++applied;
    if (answer != wanted) {
      finding.holds = false;
      finding.detail += fmt::format("{}{} {}", finding.detail.empty() ? "" : "; ", test_case.name(), detail);
    }
  }
  finding.applies = applied > 0;
  if (!finding.applies) {
    finding.detail = "does not apply";
  }
  return finding;
}

CheckFinding somewhere(Checker& checker, const std::vector<Case>& cases, const DamageInfo& info) {
  CheckFinding finding;
  finding.statement = fmt::format("{}: refused at some check case", info.name);
  int applied = 0;
  for (const Case& test_case : cases) {
    checker.open(test_case);
    const Answer answer = checker.answer(info.damage);
    applied += answer == Answer::not_applicable ? 0 : 1;
    if (answer == Answer::refused) {
      finding.holds = true;
      finding.detail += fmt::format("{}{}", finding.detail.empty() ? "at " : ", ", test_case.index);
    }
  }
  finding.applies = applied > 0;
  if (!finding.applies) {
    finding.detail = "does not apply";
  } else if (!finding.holds) {
    finding.detail = "no check case reveals it";
  }
  return finding;
}

CheckFinding repeatable(Checker& checker, Checker& second, const std::vector<Case>& cases) {
  CheckFinding finding{true, "the same key gives the same contents", "", true};
  for (const Case& test_case : cases) {
    checker.open(test_case);
    second.open(test_case);
    if (checker.spread().contents_hash != second.spread().contents_hash) {
      finding.holds = false;
      finding.detail = test_case.name();
    }
  }
  return finding;
}

CheckFinding lively(Checker& checker, const std::vector<Case>& cases) {
  CheckFinding finding{true, "the wanted output is finite and not near constant", "", true};
  for (const Case& test_case : cases) {
    checker.open(test_case);
    const std::string fault = near_constant(test_case, checker.spread());
    if (!fault.empty()) {
      finding.holds = false;
      finding.detail = test_case.name() + ": " + fault;
    }
  }
  return finding;
}

}  // namespace

std::vector<CheckFinding> check_problem(const EvaluatorOptions& options, const Problem& problem, const std::string& set) {
  BuildOptions build;
  build.backend = options.backend;
  const Builder builder(options.home, options.cache, build);
  Checker checker(options, problem, builder), second(options, problem, builder);
  const std::vector<Case> timed = make_cases(problem, set), designed = make_cases(problem, "check");
  std::vector<Case> all = timed;
  all.insert(all.end(), designed.begin(), designed.end());

  std::vector<CheckFinding> findings;
  findings.push_back(repeatable(checker, second, all));
  findings.push_back(lively(checker, timed));
  for (const DamageInfo& info : honest) {
    findings.push_back(everywhere(checker, all, info, Answer::accepted));
  }
  for (const DamageInfo& info : always_refused) {
    findings.push_back(everywhere(checker, timed, info, Answer::refused));
  }
  for (const DamageInfo& info : refused_somewhere) {
    findings.push_back(somewhere(checker, designed, info));
  }
  return findings;
}

}  // namespace mskb
