#include "evaluate/damage_bench.hpp"

#include <algorithm>

#include "evaluate/case_spec.hpp"
#include "wire/layout.hpp"

namespace mskb {

namespace {

using wire::Damage;

// As in a run, outputs whose truth takes more terms than this are checked at unpredictable elements.
constexpr double most_terms = 2e9;
constexpr std::uint64_t sampled_elements = 65536;

double output_elements(const Case& test_case) {
  double total = 0;
  for (const CaseArgument& argument : test_case.arguments) {
    total += is_output(argument) ? static_cast<double>(argument.elements) : 0;
  }
  return total;
}

// A single number is its own mean, its own first element, and has no halves; BF16 inputs are in BF16 already.
bool can_change(const Case& test_case, Damage damage) {
  const auto& arguments = test_case.arguments;
  if (damage == Damage::constant || damage == Damage::swapped || damage == Damage::first_only) {
    return std::any_of(arguments.begin(), arguments.end(), [](const auto& a) { return is_output(a) && a.elements > 1; });
  }
  if (damage == Damage::bf16_inputs || damage == Damage::tf32_inputs) {
    return std::any_of(arguments.begin(), arguments.end(), is_f32_input);
  }
  return true;
}

}  // namespace

bool is_output(const CaseArgument& argument) { return argument.role == Role::out || argument.role == Role::inout; }

bool is_f32_input(const CaseArgument& argument) {
  return (argument.role == Role::in || argument.role == Role::inout) && argument.type == ElementType::f32;
}

// Never larger than the case needs: every check looks at all of it.
void DamageBench::use(const Case& test_case) {
  case_ = &test_case;
  keeper_.ask(wire::CloseArena{arena_});
  UniqueFd unused;
  keeper_.ask<wire::ArenaOpened>(wire::OpenArena{arena_, wire::arena_bytes(case_spec(test_case))}, -1, &unused);
}

std::optional<wire::Findings> DamageBench::findings(Damage damage, std::uint64_t contents) {
  if (!can_change(*case_, damage)) {
    return std::nullopt;
  }
  keeper_.ask(generate_request(key_, *case_, contents));
  wire::Prepare prepare{};
  prepare.arena = arena_;
  prepare.poison = wire::Poison::finite;
  prepare.layout_key = step_key(key_, *case_, contents, "layout");
  prepare.poison_key = step_key(key_, *case_, contents, "poison");
  keeper_.ask<wire::Prepared>(prepare);
  try {
    keeper_.ask(wire::Produce{arena_, damage});
  } catch (const DoesNotFit&) {
    return std::nullopt;
  }
  wire::Check check{};
  check.arena = arena_;
  check.whole = output_elements(*case_) * case_->oracle_work <= most_terms ? 1 : 0;
  check.sample_key = step_key(key_, *case_, contents, "sample");
  check.sample_count = sampled_elements;
  check.compare = 1;
  check.relax = 1;
  return keeper_.ask<wire::Findings>(check);
}

}  // namespace mskb
