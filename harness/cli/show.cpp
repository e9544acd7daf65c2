#include <fmt/format.h>

#include "base/files.hpp"
#include "cli/options.hpp"

namespace mskb::cli {

namespace {

std::string_view role_name(Role role) {
  switch (role) {
    case Role::in: return "in";
    case Role::out: return "out";
    case Role::inout: return "inout";
    case Role::dim: return "dim";
    case Role::scalar: return "scalar";
  }
  return "";
}

std::string shape_text(const Argument& argument) {
  std::string text;
  for (const std::string& extent : argument.shape) {
    text += (text.empty() ? "[" : ", ") + extent;
  }
  return text.empty() ? "" : text + "]";
}

void show_task(const Task& task) {
  fmt::print("{} ({}, {})\n  {}\n", task.name, task.scenario, task.family, task.summary);
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    fmt::print("  {}: {}\n", to_string(precision), declaration({&task, precision}));
  }
  for (const Argument& argument : task.signature) {
    fmt::print("    {:<12} {:<7} {}\n", argument.name, role_name(argument.role), shape_text(argument));
  }
  for (const DerivedDimension& dim : task.derived) {
    fmt::print("  {} = {}\n", dim.name, dim.value);
  }
  fmt::print("  weight {}   bytes {}   flops {}\n", task.weight, task.cost_bytes, task.cost_flops);
  fmt::print("  on entry: {}\n", task.reset);
  for (const BaselineNote& note : task.baselines) {
    fmt::print("  baseline {}: {}\n", note.library, note.note);
  }
  if (!task.no_baseline_reason.empty()) {
    fmt::print("  no baseline: {}\n", task.no_baseline_reason);
  }
  for (const std::string& decision : task.decisions) {
    fmt::print("  decided: {}\n", decision);
  }
  if (!task.mended.empty()) {
    fmt::print("  mended: {}\n", task.mended);
  }
  for (const auto& [set, cases] : task.cases) {
    fmt::print("  {}:\n", set);
    for (const Case& one : make_cases({&task, Precision::fp32}, set)) {
      fmt::print("    {:<3} {:<24} weight {:<14.0f} {}\n", one.index, one.size_text(), one.weight, one.why);
    }
  }
}

}  // namespace

void add_show(CLI::App& app, Context&) {
  struct Options {
    std::string task, source;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("show", "Show a task: signature, cases, acceptance notes, or its kernel's source.");
  command->add_option("task", options->task, "Task.")->required();
  command->add_option("--source", options->source, "Print reference.cu expanded for fp32 or bf16 instead.")
      ->check(CLI::IsMember({"fp32", "bf16"}));
  command->callback([options] {
    const std::vector<Task> tasks = load_tasks_for(home_directory(), {options->task});
    for (const Task* task : select_tasks(tasks, {options->task}, "")) {
      if (options->source.empty()) {
        show_task(*task);
      } else {
        const Candidate reference = reference_candidate({task, options->source == "fp32" ? Precision::fp32 : Precision::bf16});
        fmt::print("{}", reference.sources.at(reference.main_source));
      }
    }
  });
}

}  // namespace mskb::cli
