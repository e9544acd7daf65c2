#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/characters.hpp"
#include "base/counted.hpp"
#include "base/errors.hpp"
#include "base/files.hpp"
#include "cli/options.hpp"
#include "evaluate/baselines.hpp"
#include "optimize/optimizer_file.hpp"

namespace mskb::cli {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text.empty() ? "-" : text;
}

std::vector<std::string> libraries_of(const std::filesystem::path& home, const std::vector<BaselineLibrary>& libraries,
                                      const Problem& problem) {
  std::vector<std::string> names;
  for (const Candidate& candidate : baseline_candidates(home, libraries, problem, {"all"})) {
    names.push_back(candidate.origin.substr(candidate.origin.find(':') + 1));
  }
  return names;
}

std::size_t count_cases(const Task& task, const std::string& set) {
  const auto found = task.cases.find(set);
  return found == task.cases.end() ? 0 : found->second.size();
}

void print_problems(const std::filesystem::path& home, const std::vector<Problem>& problems, bool json) {
  const auto libraries = load_baseline_libraries(home);
  if (json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Problem& problem : problems) {
      rows.push_back({{"problem", problem.name()},
                      {"scenario", problem.task->scenario},
                      {"family", problem.task->family},
                      {"paper_cases", count_cases(*problem.task, "paper")},
                      {"check_cases", count_cases(*problem.task, "check")},
                      {"baselines", libraries_of(home, libraries, problem)},
                      {"summary", problem.task->summary}});
    }
    fmt::print("{}\n", rows.dump(2));
    return;
  }
  fmt::print("{:<22} {:<11} {:>5} {:>5}  {:<10} {}\n", "problem", "scenario", "paper", "check", "baselines", "summary");
  for (const Problem& problem : problems) {
    fmt::print("{:<22} {:<11} {:>5} {:>5}  {:<10} {}\n", problem.name(), problem.task->scenario, count_cases(*problem.task, "paper"),
               count_cases(*problem.task, "check"), joined(libraries_of(home, libraries, problem)), first_characters(problem.task->summary, 64));
  }
  fmt::print("{}\n", counted(problems.size(), "problem"));
}

}  // namespace

void add_list(CLI::App& app, Context&) {
  struct Options {
    ProblemOptions problems;
    std::string format = "text";
    bool baselines = false, optimizers = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("list", "List problems, baselines or optimizers.");
  options->problems.add(*command);
  command->add_flag("--baselines", options->baselines, "List the vendor libraries instead.");
  command->add_flag("--optimizers", options->optimizers, "List the optimizers instead.");
  command->add_option("--format", options->format, "text or json.")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
  command->callback([options] {
    const auto home = home_directory();
    if (options->baselines) {
      for (const BaselineLibrary& library : load_baseline_libraries(home)) {
        fmt::print("{:<10} {}\n", library.name, library.summary);
      }
      return;
    }
    if (options->optimizers) {
      for (const std::string& name : optimizer_names(home)) {
        std::string says;
        try {
          says = load_optimizer(home / "optimizers" / name).summary;
        } catch (const InputError& error) {
          says = std::string("cannot be used: ") + error.what();
        }
        fmt::print("{:<12} {}\n", name, says);
      }
      return;
    }
    const std::vector<Task> tasks = load_tasks_for(home, options->problems.tasks);
    print_problems(home, options->problems.problems(tasks), options->format == "json");
  });
}

}  // namespace mskb::cli
