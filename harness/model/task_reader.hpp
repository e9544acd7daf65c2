#pragma once
#include <string>
#include <vector>

#include "model/task.hpp"
#include "model/yaml_file.hpp"

// The parts of task.yaml, each read into the Task it is given. Throws InputError with file and line.
namespace mskb {

// Of the stated dims, then of the derived ones.
std::vector<std::string> dim_names(const Task& task);

void read_signature(const YamlFile& file, const YAML::Node& node, Task& task);

// {kind: [parameters]}, {kind: parameter} or, for a kind without a parameter, its name.
FillText read_fill(const YamlFile& file, const YAML::Node& node, const Task& task);

// Needs dims and signature.
void read_cases(const YamlFile& file, const YAML::Node& node, Task& task);

void read_accept(const YamlFile& file, const YAML::Node& node, Task& task);
void read_origin_error(const YamlFile& file, const YAML::Node& node, Task& task);
void read_paper_accept(const YamlFile& file, const YAML::Node& node, Task& task);
void read_paper_prologue(const YamlFile& file, const YAML::Node& node, Task& task);

}  // namespace mskb
