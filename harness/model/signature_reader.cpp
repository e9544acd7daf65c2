#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/fill_table.hpp"
#include "model/names.hpp"
#include "model/nearest.hpp"
#include "model/task_limits.hpp"
#include "model/task_reader.hpp"
#include "model/task_words.hpp"

namespace mskb {

namespace {

Role read_role(const YamlFile& file, const YAML::Node& node) {
  const std::string word = file.text(node, "role");
  for (const RoleInfo& info : roles) {
    if (info.name == word) return info.role;
  }
  file.fail(node, fmt::format("unknown role '{}'; write in, out, inout, dim or scalar", word));
}

void read_type(const YamlFile& file, const YAML::Node& node, Argument& argument) {
  const std::string word = file.text(node, "type");
  for (const TypeInfo& info : argument_types) {
    if (info.name == word) {
      argument.real = info.real;
      argument.type = info.type;
      return;
    }
  }
  file.fail(node, fmt::format("unknown type '{}'; write real (follows the precision), f32 or i32", word));
}

void read_buffer(const YamlFile& file, YamlMap& map, const Task& task, Argument& argument) {
  read_type(file, map.need("type"), argument);
  const YAML::Node shape = map.need("shape");
  if (!shape.IsSequence() || shape.size() == 0) {
    file.fail(shape, fmt::format("shape of '{}' must be a list of extents, such as [rows, 2*cols]", argument.name));
  }
  for (const YAML::Node& extent : shape) {
    argument.shape.push_back(file.expression(extent, fmt::format("shape of '{}'", argument.name), dim_names(task)));
  }
  if (argument.role != Role::out) {
    argument.fill = read_fill(file, map.need("fill"), task);
  }
}

Argument read_argument(const YamlFile& file, const YAML::Node& node, const Task& task) {
  YamlMap map(file, node, "an argument");
  Argument argument;
  const YAML::Node name = map.need("name");
  argument.name = file.text(name, "name");
  if (const std::string fault = fault_of_variable_name(argument.name); !fault.empty()) {
    file.fail(name, fault);
  }
  argument.role = read_role(file, map.need("role"));
  if (argument.is_buffer()) {
    read_buffer(file, map, task, argument);
  } else if (argument.role == Role::dim) {
    argument.type = ElementType::i32;
    const std::vector<std::string> dims = dim_names(task);
    if (std::find(dims.begin(), dims.end(), argument.name) == dims.end()) {
      file.fail(node, fmt::format("argument '{}' has role dim but is not listed under dims; add it there", argument.name));
    }
  } else {
    argument.value = read_scalar(file, map.need("value"), argument.name);
    if (const YAML::Node type = map.find("type"); type.IsDefined()) {
      read_type(file, type, argument);
      if (argument.type == ElementType::i32) {
        file.fail(type, fmt::format("scalar '{}' cannot be i32; write real (follows the precision) or f32, or make its role dim",
                                    argument.name));
      }
    }
  }
  if (const YAML::Node has_default = map.find("default"); has_default.IsDefined()) {
    argument.has_default = file.flag(has_default, "default");
  }
  map.close();
  return argument;
}

}  // namespace

double read_scalar(const YamlFile& file, const YAML::Node& node, const std::string& name) {
  constexpr double most = std::numeric_limits<float>::max();
  return file.number(node, fmt::format("value of '{}'", name), -most, most);
}

FillText read_fill(const YamlFile& file, const YAML::Node& node, const Task& task) {
  if (!node.IsMap() || node.size() != 1) {
    file.fail(node, "a fill is one {kind: [parameters]}, such as {uniform: [-1, 1]}");
  }
  const std::string name = file.text(node.begin()->first, "the kind of a fill");
  const YAML::Node parameters = node.begin()->second;
  const FillInfo* info = find_fill(name);
  if (info == nullptr) {
    std::vector<std::string> names;
    for (const FillInfo& fill : fills) names.emplace_back(fill.name);
    file.fail(node, fmt::format("unknown fill '{}'{}", name, suggestion(name, names)));
  }
  FillText fill{info->kind, {}};
  const std::string what = fmt::format("fill '{}'", name);
  if (parameters.IsScalar()) {
    fill.parameters.push_back(file.expression(parameters, what, dim_names(task)));
  } else if (parameters.IsSequence()) {
    for (const YAML::Node& parameter : parameters) {
      fill.parameters.push_back(file.expression(parameter, what, dim_names(task)));
    }
  }
  const std::size_t count = info->count();
  if (fill.parameters.size() != count) {
    file.fail(node, fmt::format("fill '{}' takes {} parameter{}, not {}: {}", name, count, count == 1 ? "" : "s", fill.parameters.size(),
                                info->meaning));
  }
  return fill;
}

void read_signature(const YamlFile& file, const YAML::Node& node, Task& task) {
  if (!node.IsSequence() || node.size() == 0) {
    file.fail(node, "signature must be a list of arguments in C order");
  }
  if (node.size() > max_arguments) {
    file.fail(node, fmt::format("signature has {} arguments; at most {} are supported, so leave some out", node.size(), max_arguments));
  }
  for (const YAML::Node& item : node) {
    Argument argument = read_argument(file, item, task);
    if (task.argument_index(argument.name) >= 0) {
      file.fail(item, fmt::format("argument '{}' appears twice; give it another name", argument.name));
    }
    const std::vector<std::string> dims = dim_names(task);
    if (argument.role != Role::dim && std::find(dims.begin(), dims.end(), argument.name) != dims.end()) {
      file.fail(item, fmt::format("argument '{}' has the name of a dim; rename one of them or make its role dim",
                                  argument.name));
    }
    if (!argument.has_default && !task.signature.empty() && task.signature.back().has_default) {
      file.fail(item, fmt::format("argument '{}' follows one with a default; it needs `default: true` too", argument.name));
    }
    task.signature.push_back(std::move(argument));
  }
  const bool writes = std::any_of(task.signature.begin(), task.signature.end(), [](const Argument& argument) {
    return argument.role == Role::out || argument.role == Role::inout;
  });
  if (!writes) {
    file.fail(node, "no argument has role out or inout; say which one holds the result");
  }
}

}  // namespace mskb
