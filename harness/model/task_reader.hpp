#pragma once
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/task.hpp"
#include "model/yaml_file.hpp"

// The parts of task.yaml, each read into the Task it is given. Throws InputError with file and line.
namespace mskb {

struct TextOf {
  std::string Task::*member;
};
struct ExpressionOf {
  std::string Task::*member;
};
using TaskPartReader = void (*)(const YamlFile& file, const YAML::Node& node, Task& task);

// A key of the file's outermost map and what its value is. docs/task-format.md holds a row of the same words for each.
struct TaskKey {
  std::string_view name;
  bool optional;
  std::string_view meaning;
  std::variant<TextOf, ExpressionOf, TaskPartReader> read;
};

std::span<const TaskKey> task_keys();

// A new task's files mark what their author has still to write by comments, "# FILL: what" or "// FILL: what". Refuses the first such line.
void refuse_unfilled(const Task& task);

// Of the stated dims, then of the derived ones.
std::vector<std::string> dim_names(const Task& task);

void read_signature(const YamlFile& file, const YAML::Node& node, Task& task);

// The value of a scalar argument: a number that a float can hold.
double read_scalar(const YamlFile& file, const YAML::Node& node, const std::string& name);

// {kind: [parameters]}, {kind: parameter} or, for a kind without a parameter, its name.
FillText read_fill(const YamlFile& file, const YAML::Node& node, const Task& task);

// Needs dims and signature.
void read_cases(const YamlFile& file, const YAML::Node& node, Task& task);

void read_accept(const YamlFile& file, const YAML::Node& node, Task& task);
void read_origin_error(const YamlFile& file, const YAML::Node& node, Task& task);
void read_paper_accept(const YamlFile& file, const YAML::Node& node, Task& task);
void read_paper_prologue(const YamlFile& file, const YAML::Node& node, Task& task);

}  // namespace mskb
