#include "model/task_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "model/task_reader.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view scenarios[] = {"algebra", "llm", "sparse", "scientific"};

void read_names(const YamlFile& file, YamlMap& map, Task& task) {
  const YAML::Node name = map.need("task");
  task.name = file.text(name, "task");
  const std::string folder = task.directory.filename().string();
  if (task.name != folder) {
    file.fail(name, fmt::format("task '{}' lies in the directory '{}'; rename one of them", task.name, folder));
  }
  task.summary = file.text(map.need("summary"), "summary");
  const YAML::Node scenario = map.need("scenario");
  task.scenario = file.text(scenario, "scenario");
  if (std::find(std::begin(scenarios), std::end(scenarios), task.scenario) == std::end(scenarios)) {
    file.fail(scenario, fmt::format("unknown scenario '{}'; write algebra, llm, sparse or scientific", task.scenario));
  }
  task.family = file.text(map.need("family"), "family");
}

void read_dims(const YamlFile& file, const YAML::Node& node, Task& task) {
  YamlMap map(file, node, "dims");
  for (const std::string& name : map.keys()) {
    if (name == "s") {
      file.fail(node, "a dim may not be named s: that is the element size in cost expressions");
    }
    task.dims.push_back({name, file.text(map.need(name), "the meaning of a dim")});
  }
}

void read_derived(const YamlFile& file, const YAML::Node& node, Task& task) {
  YamlMap map(file, node, "derived");
  for (const std::string& name : map.keys()) {
    const YAML::Node value = map.need(name);
    const std::vector<std::string> names = dim_names(task);
    if (name == "s" || std::find(names.begin(), names.end(), name) != names.end()) {
      file.fail(value, fmt::format("'{}' has another meaning already; rename it", name));
    }
    task.derived.push_back({name, file.expression(value, fmt::format("derived '{}'", name), names)});
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
    const std::string note = file.text(map.need(library), "the note of a baseline");
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

}  // namespace

Task load_task(const fs::path& directory) {
  Task task;
  task.directory = directory;
  const fs::path path = directory / "task.yaml";
  const YamlFile file(path, task.file("task.yaml"));
  YamlMap map(file, file.root(), "the task");
  read_names(file, map, task);
  read_dims(file, map.need("dims"), task);
  if (const YAML::Node node = map.find("derived"); node.IsDefined()) read_derived(file, node, task);
  const YAML::Node valid = map.need("valid");
  file.texts(valid, "valid");
  for (const YAML::Node& condition : valid) {
    task.valid.push_back(file.expression(condition, "valid", dim_names(task)));
  }
  read_signature(file, map.need("signature"), task);
  read_cases(file, map.need("cases"), task);
  task.weight = file.expression(map.need("weight"), "weight", dim_names(task));
  read_cost(file, map.need("cost"), task);
  task.oracle_work = file.expression(map.need("oracle_work"), "oracle_work", dim_names(task));
  read_accept(file, map.need("accept"), task);
  if (const YAML::Node node = map.find("origin_error"); node.IsDefined()) read_origin_error(file, node, task);
  read_paper_accept(file, map.need("paper_accept"), task);
  if (const YAML::Node node = map.find("paper_prologue"); node.IsDefined()) read_paper_prologue(file, node, task);
  task.reset = file.text(map.need("reset"), "reset");
  read_baselines(file, map.need("baselines"), task);
  task.decisions = file.texts(map.need("decisions"), "decisions");
  if (const YAML::Node node = map.find("mended"); node.IsDefined()) task.mended = file.text(node, "mended");
  map.close();
  return task;
}

std::vector<Task> load_tasks(const fs::path& home) {
  std::vector<fs::path> directories;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(home / "tasks", error)) {
    if (fs::exists(entry.path() / "task.yaml")) {
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
    tasks.push_back(load_task(directory));
  }
  return tasks;
}

}  // namespace mskb
