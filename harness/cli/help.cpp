#include <fmt/format.h>

#include "cli/options.hpp"

namespace mskb::cli {

namespace {

// docs/cli.md is this text.
void print_manual(const CLI::App& app) {
  fmt::print("# Command line of mskb\n\nPrinted by `mskb help`.\n\n{}\n\n", app.get_description());
  fmt::print("`mskb` stands for `build/bin/mskb` on this and all other pages: `export PATH=$PWD/build/bin:$PATH` in the checkout makes their lines work "
             "as they stand.\n\n");
  fmt::print("Exit codes: 0 done; 1 some candidate failed, or a run that `mskb report` or `mskb compare` reads is damaged; 2 wrong use or input, or nothing "
             "to run on, told in one line; 3 the harness failed; 4 sessions of `mskb optimize --step` wait.\n\n");
  fmt::print("Environment: `MSKB_HOME` (the checkout, when the program is elsewhere), `MSKB_CACHE` (compiled objects), `CUDA_HOME` (the CUDA "
             "toolkit where nvcc is not on `PATH`; /usr/local/cuda when unset).\n");
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    fmt::print("\n## mskb {}\n\n{}\n\n", command->get_name(), command->get_description());
    for (const CLI::Option* option : command->get_options()) {
      const std::string name = option->get_positional() ? fmt::format("<{}>", option->get_name(true)) : option->get_name();
      const std::string fallback = option->get_default_str().empty() ? "" : fmt::format(" Default: {}.", option->get_default_str());
      fmt::print("* `{}`: {}{}\n", name, option->get_description(), fallback);
    }
  }
}

}  // namespace

void add_help(CLI::App& app, Context&) {
  CLI::App* command = app.add_subcommand("help", "Print every command with its options (docs/cli.md).");
  auto tasks = std::make_shared<bool>(false), schema = std::make_shared<bool>(false);
  command->add_flag("--tasks", *tasks, "Print the description of every task instead (docs/tasks.md).");
  command->add_flag("--schema", *schema, "Print the JSON Schema of task.yaml instead (docs/task.schema.json).")->excludes("--tasks");
  command->callback([&app, tasks, schema] {
    if (*tasks) {
      print_task_manual();
    } else if (*schema) {
      print_task_schema();
    } else {
      print_manual(app);
    }
  });
}

}  // namespace mskb::cli
