#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "base/errors.hpp"
#include "model/nearest.hpp"
#include "model/task_file.hpp"

namespace mskb {

namespace {

bool matches(const Task& task, const std::string& pattern) {
  return matches_name(pattern, task.name) || pattern == task.scenario || pattern == task.family;
}

[[noreturn]] void refuse(const std::vector<Task>& tasks, const std::string& pattern, const std::string& flag) {
  std::vector<std::string> names;
  for (const Task& task : tasks) {
    for (const std::string& name : {task.name, task.scenario, task.family}) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
      }
    }
  }
  throw InputError(fmt::format("{}{}: no task has that name, glob, scenario or family{}", flag, pattern,
                               suggestion(pattern, names)));
}

}  // namespace

bool matches_name(const std::string& pattern, const std::string& name) { return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0; }

std::vector<const Task*> select_tasks(const std::vector<Task>& tasks, const std::vector<std::string>& patterns,
                                      const std::string& flag) {
  for (const std::string& pattern : patterns) {
    if (std::none_of(tasks.begin(), tasks.end(), [&](const Task& task) { return matches(task, pattern); })) {
      refuse(tasks, pattern, flag);
    }
  }
  std::vector<const Task*> selected;
  for (const Task& task : tasks) {
    if (patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                        [&](const std::string& pattern) { return matches(task, pattern); })) {
      selected.push_back(&task);
    }
  }
  return selected;
}

}  // namespace mskb
