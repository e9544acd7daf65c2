#include "model/task_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "model/names.hpp"
#include "model/task_limits.hpp"
#include "model/task_reader.hpp"
#include "model/task_words.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

void read_name(const YamlFile& file, const YAML::Node& node, Task& task) {
  task.name = file.text(node, "task");
  const std::string folder = task.directory.filename().string();
  if (task.name != folder) {
    file.fail(node, fmt::format("task '{}' lies in the directory '{}'; rename one of them", task.name, folder));
  }
  if (const std::string fault = fault_of_task_name(task.name); !fault.empty()) {
    file.fail(node, fault);
  }
}

void read_scenario(const YamlFile& file, const YAML::Node& node, Task& task) {
  task.scenario = file.text(node, "scenario");
  if (std::find(scenarios.begin(), scenarios.end(), task.scenario) == scenarios.end()) {
    file.fail(node, fmt::format("unknown scenario '{}'; write algebra, llm, sparse or scientific", task.scenario));
  }
}

void read_family(const YamlFile& file, const YAML::Node& node, Task& task) {
  task.family = file.text(node, "family");
  if (!is_word(task.family)) {
    file.fail(node, fmt::format("family '{}' is not one word of letters, digits and _; write one", task.family));
  }
}

void refuse_bad_dim(const YamlFile& file, const YAML::Node& node, const Task& task, const std::string& name) {
  if (const std::string fault = fault_of_dim_name(name); !fault.empty()) {
    file.fail(node, fault);
  }
  if (dim_names(task).size() == max_dims) {
    file.fail(node, fmt::format("'{}' is one more than the {} dims, stated and derived, that a task may have; leave one out", name, max_dims));
  }
}

void read_dims(const YamlFile& file, const YAML::Node& node, Task& task) {
  YamlMap map(file, node, "dims");
  for (const std::string& name : map.keys()) {
    const YAML::Node meaning = map.need(name);
    refuse_bad_dim(file, meaning, task, name);
    task.dims.push_back({name, file.text(meaning, "the meaning of a dim")});
  }
}

void read_derived(const YamlFile& file, const YAML::Node& node, Task& task) {
  YamlMap map(file, node, "derived");
  for (const std::string& name : map.keys()) {
    const YAML::Node value = map.need(name);
    const std::vector<std::string> names = dim_names(task);
    refuse_bad_dim(file, value, task, name);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      file.fail(value, fmt::format("'{}' has another meaning already; rename it", name));
    }
    task.derived.push_back({name, file.expression(value, fmt::format("derived '{}'", name), names)});
  }
}

void read_valid(const YamlFile& file, const YAML::Node& node, Task& task) {
  file.texts(node, "valid");
  for (const YAML::Node& condition : node) {
    task.valid.push_back(file.expression(condition, "valid", dim_names(task)));
  }
}

void read_cost(const YamlFile& file, const YAML::Node& node, Task& task) {
  YamlMap map(file, node, "cost");
  std::vector<std::string> names = dim_names(task);
  names.push_back("s");
  task.cost_bytes = file.expression(map.need("bytes"), "bytes", names);
  task.cost_flops = file.expression(map.need("flops"), "flops", names);
  task.flops_are_fixed = file.flag(map.need("fixed"), "fixed");
  map.close();
}

void read_baselines(const YamlFile& file, const YAML::Node& node, Task& task) {
  YamlMap map(file, node, "baselines");
  for (const std::string& library : map.keys()) {
    const YAML::Node value = map.need(library);
    const std::string note = file.text(value, "the note of a baseline");
    if (!is_word(library)) {
      file.fail(value, fmt::format("'{}' is no folder of baselines/, whose names are letters, digits and _; write one, or none", library));
    }
    if (library == "none") {
      task.no_baseline_reason = note;
    } else {
      task.baselines.push_back({library, note});
    }
  }
  if (!task.no_baseline_reason.empty() && !task.baselines.empty()) {
    file.fail(node, "baselines lists libraries and `none`; keep one of the two");
  }
}

void read_decisions(const YamlFile& file, const YAML::Node& node, Task& task) { task.decisions = file.texts(node, "decisions"); }

// In the order in which they are read: each reader may use what those before it read.
constexpr TaskKey keys[] = {
    {"task", false, "the name; also the directory's and the entry point's", read_name},
    {"summary", false, "one line with the formula", TextOf{&Task::summary}},
    {"scenario", false, "`algebra`, `llm`, `sparse` or `scientific`", read_scenario},
    {"family", false, "one word by which `--task` can select several tasks", read_family},
    {"dims", false, "name: meaning, of every number that a size states; all of them, whether or not the entry point receives them",
     read_dims},
    {"derived", true,
     "name: expression, of every whole number that follows from the dims; used like a dim, but not stated by a size", read_derived},
    {"valid", false, "conditions over the dims; a size outside them is refused", read_valid},
    {"signature", false, "the entry point's parameters in C order", read_signature},
    {"cases", false, "the size sets `paper`, `check`, `smoke` and `large`", read_cases},
    {"weight", false, "complexity T(N) over the dims: the weight of a size in the score P", ExpressionOf{&Task::weight}},
    {"cost", false,
     "`bytes`: fewest bytes read and written; `flops`: fewest flops; `fixed`: whether no algorithm can do with fewer flops. `s` is the "
     "element size of `real`: 4 or 2",
     read_cost},
    {"oracle_work", false,
     "how many terms the oracle adds for one output element, so that the harness knows how many it can afford to check",
     ExpressionOf{&Task::oracle_work}},
    {"accept", false, "by output: what is accepted", read_accept},
    {"origin_error", true,
     "by precision: how many times the bound the original itself errs, where that is more than half. The reference is accepted at twice "
     "that, candidates are not, and the row says so",
     read_origin_error},
    {"paper_accept", false, "the published rule: `{absolute: bound}` or `{relative: bound}`, with an optional `share`", read_paper_accept},
    {"paper_prologue", true,
     "the published reset inside the timed region, `{copy_zero: argument}` (a blocking copy of zeros from the host) or `{set_zero: "
     "argument}` (a device-side set). Only protocol `paper` does it",
     read_paper_prologue},
    {"reset", false, "what the caller guarantees on entry, in words", TextOf{&Task::reset}},
    {"baselines", false, "library: where its operation differs; or `none`: why there is none", read_baselines},
    {"decisions", false, "one line for each trap of the original and what we do about it", read_decisions},
    {"mended", true, "where our contract had to differ from the published one", TextOf{&Task::mended}},
};

// Every case, whether or not this run asks for it.
void refuse_impossible_cases(const Task& task) {
  for (const Precision precision : precisions) {
    for (const std::string_view set : size_sets) {
      make_cases({&task, precision}, std::string(set));
    }
  }
}

}  // namespace

std::span<const TaskKey> task_keys() { return keys; }

Task load_task(const fs::path& directory) {
  Task task;
  task.directory = directory;
  refuse_unfilled(task);
  const YamlFile file(directory / "task.yaml", task.file("task.yaml"), "docs/task-format.md");
  YamlMap map(file, file.root(), "the task");
  for (const TaskKey& key : keys) {
    const std::string name(key.name);
    const YAML::Node node = key.optional ? map.find(name) : map.need(name);
    if (!node.IsDefined()) {
      continue;
    }
    if (const TextOf* text = std::get_if<TextOf>(&key.read)) {
      task.*(text->member) = file.text(node, name);
    } else if (const ExpressionOf* expression = std::get_if<ExpressionOf>(&key.read)) {
      task.*(expression->member) = file.expression(node, name, dim_names(task));
    } else {
      std::get<TaskPartReader>(key.read)(file, node, task);
    }
  }
  map.close();
  refuse_impossible_cases(task);
  return task;
}

std::vector<Task> load_tasks(const fs::path& home) {
  std::vector<RefusedTask> refused;
  std::vector<Task> tasks = load_tasks(home, refused);
  if (!refused.empty()) {
    throw InputError(refused.front().error);
  }
  return tasks;
}

std::vector<Task> load_tasks(const fs::path& home, std::vector<RefusedTask>& refused) {
  std::vector<fs::path> directories;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(home / "tasks", error)) {
    const bool hidden = entry.path().filename().string().starts_with('.');  // such as a new task that is being written
    if (!hidden && fs::exists(entry.path() / "task.yaml")) {
      directories.push_back(entry.path());
    }
  }
  if (error) {
    throw InputError(fmt::format("{}: {}; set MSKB_HOME to the checkout of MSKernelBench", (home / "tasks").string(),
                                 error.message()));
  }
  std::sort(directories.begin(), directories.end());
  std::vector<Task> tasks;
  for (const fs::path& directory : directories) {
    try {
      tasks.push_back(load_task(directory));
    } catch (const InputError& refusal) {
      refused.push_back({directory.filename().string(), refusal.what()});
    }
  }
  return tasks;
}

}  // namespace mskb
