#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "base/files.hpp"
#include "cli/options.hpp"

namespace mskb::cli {

namespace {

std::string accept_text(const Acceptance& accept) {
  switch (accept.kind) {
    case AcceptKind::exact: return "exact";
    case AcceptKind::order: return "ascending order of its contents on entry";
    case AcceptKind::elementwise: return fmt::format("|error| <= {:.3g} |want| + {:.3g} sum of |terms|", accept.rel, accept.mag);
    case AcceptKind::normwise: return fmt::format("relative L2 <= {:.3g}, largest error <= {:.3g} RMS", accept.l2, accept.peak);
  }
  return "";
}

std::string rule_text(const PaperRule& rule) {
  const std::string share = rule.share > 0 ? fmt::format(", fewer than {:.3g} of an output's elements may differ", rule.share) : "";
  switch (rule.kind) {
    case PaperRuleKind::none: return "none";
    case PaperRuleKind::absolute: return fmt::format("|a - b| < {:.3g}{}", rule.bound, share);
    case PaperRuleKind::relative: return fmt::format("|a - b| / max(|a|, |b|) < {:.3g}{}", rule.bound, share);
  }
  return "";
}

void print_task(const Task& task) {
  fmt::print("\n## {}\n\n{}\n\n", task.name, task.summary);
  fmt::print("* scenario {}, family {}; weight `{}`; fewest bytes `{}`; flops `{}`\n", task.scenario, task.family, task.weight,
             task.cost_bytes, task.cost_flops);
  fmt::print("* `{}`\n* `{}`\n", declaration({&task, Precision::fp32}), declaration({&task, Precision::bf16}));
  fmt::print("* on entry: {}\n", task.reset);
  for (const auto& [output, by_precision] : task.accept) {
    for (const auto& [precision, accept] : by_precision) {
      fmt::print("* accepted, {} {}: {}\n", output, to_string(precision), accept_text(accept));
    }
  }
  for (const auto& [precision, ratio] : task.origin_error) {
    fmt::print("* the original's own error, {}: {:.3g} times that bound\n", to_string(precision), ratio);
  }
  fmt::print("* published rule: {}\n", rule_text(task.paper_rule));
  for (const BaselineNote& note : task.baselines) {
    fmt::print("* baseline {}: {}\n", note.library, note.note);
  }
  if (!task.no_baseline_reason.empty()) {
    fmt::print("* no baseline: {}\n", task.no_baseline_reason);
  }
  for (const std::string& decision : task.decisions) {
    fmt::print("* decided: {}\n", decision);
  }
  if (!task.mended.empty()) {
    fmt::print("* mended: {}\n", task.mended);
  }
  for (const auto& [set, cases] : task.cases) {
    fmt::print("* {}:", set);
    for (const Case& one : make_cases({&task, Precision::fp32}, set)) {
      fmt::print(" {}{};", one.size_text(), one.why.empty() ? "" : fmt::format(" ({})", one.why));
    }
    fmt::print("\n");
  }
  for (const auto& [set, reason] : task.empty_sets) {
    fmt::print("* {}: empty, {}\n", set, reason);
  }
}

// What the paper says of its own list: it names kinds of operators with counts, some of which overlap or leave tasks out.
constexpr const char* published_counts =
    "The paper speaks of four scenarios (dense algebra, operators of language models, sparse, scientific) and counts 7 tasks of dense linear "
    "algebra, 8 sparse, 4 normalizations, 7 activations and 6 of language-model sequences among others; it prints no list. Here the sparse "
    "products, the normalizations and the plain activations come to the same counts, and attention, embedding and gated activations to its 6; dense "
    "products, contraction, reduction and element-wise algebra are 8 where it counts 7.";

void print_scenarios(const std::vector<Task>& tasks) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> families;
  for (const Task& task : tasks) {
    families[{task.scenario, task.family}].push_back(task.name);
  }
  fmt::print("\n{} tasks, each in FP32 and in BF16.\n\n| scenario | family | tasks | |\n|---|---|--:|---|\n", tasks.size());
  for (const auto& [kind, names] : families) {
    fmt::print("| {} | {} | {} | {} |\n", kind.first, kind.second, names.size(), fmt::join(names, ", "));
  }
  fmt::print("\n{}\n", published_counts);
}

}  // namespace

void print_task_manual() {
  const std::vector<Task> tasks = load_tasks(home_directory());
  fmt::print("# Tasks\n\nPrinted by `mskb help --tasks` from tasks/*/task.yaml.\n");
  print_scenarios(tasks);
  for (const Task& task : tasks) {
    print_task(task);
  }
}

}  // namespace mskb::cli
