#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "evaluate/evaluator.hpp"
#include "model/backend.hpp"
#include "model/task_file.hpp"

namespace mskb::cli {

// For options: a number above 0. CLI11's own prints the range of all doubles, digit by digit.
CLI::Validator positive_number();

// What a command leaves for main: the exit code. 0 done, 1 some candidate failed or a run is damaged, 2 wrong use or input, 3 the harness failed, 4 sessions wait for answers.
struct Context {
  int exit_code = 0;
  std::vector<std::string> command;  // the words of this invocation, as they enter run.yaml
};

// --task, --precision: which problems.
struct ProblemOptions {
  std::vector<std::string> tasks;
  std::string precision = "all";

  void add(CLI::App& command);
  std::vector<Problem> problems(const std::vector<Task>& all) const;  // throws InputError
};

// The tasks of the checkout. One whose file is broken ends that with its error if a pattern names it, or if there are no patterns; else it is
// left out with a warning on standard error.
std::vector<Task> load_tasks_for(const std::filesystem::path& home, const std::vector<std::string>& patterns);

// --device auto|cuda[:N]|cpu
struct DeviceOptions {
  std::string device = "auto";

  void add(CLI::App& command);
  struct Choice {
    Backend backend;
    int ordinal;
  };
  Choice choose() const;  // auto: cuda when a device is there, else cpu
};

// Throws InputError where there is none: before sessions, in which somebody would be asked for candidates, for money perhaps, and told nothing of them.
void require_device(const DeviceOptions::Choice& device);

// Seconds from "90", "0.5s", "8m", "1h". Throws InputError, which begins with `flag`.
double parse_duration(const std::string& text, const std::string& flag = "");

// The sources of tasks and rivals, and everything that is on record, are hidden from candidates in a full sandbox; so is a run's own directory,
// once hide_from_sandbox is told of it.
void hide_what_candidates_need_not_see(const std::filesystem::path& home);

// --no-sandbox and what this machine allows. Throws InputError when candidates are to be scored with less than `full` and nobody said
// --no-sandbox.
SandboxLevel choose_sandbox(bool refused, bool scores);

// Standard error: a progress line when that is a terminal, and notices as lines of their own.
class Progress {
 public:
  void show(const std::string& text);
  void notice(const std::string& text);
  void clear();
  ~Progress() { clear(); }

 private:
  std::size_t width_ = 0;
};

void add_list(CLI::App& app, Context& context);
void add_show(CLI::App& app, Context& context);
void add_new(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_check(CLI::App& app, Context& context);
void add_report(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_reproduce(CLI::App& app, Context& context);
void add_rerun(CLI::App& app, Context& context);
void add_audit(CLI::App& app, Context& context);
void add_doctor(CLI::App& app, Context& context);
void add_optimize(CLI::App& app, Context& context);
void add_mcp(CLI::App& app, Context& context);
void add_profile(CLI::App& app, Context& context);
void add_help(CLI::App& app, Context& context);

void print_task_manual();  // docs/tasks.md
void print_task_schema();  // docs/task.schema.json

}  // namespace mskb::cli
