#include <fmt/format.h>

#include "model/task_reader.hpp"
#include "model/task_words.hpp"

namespace mskb {

namespace {

std::vector<double> read_size(const YamlFile& file, const YAML::Node& node, const Task& task) {
  if (!node.IsSequence() || node.size() != task.dims.size()) {
    std::string dims;
    for (const Dimension& dim : task.dims) dims += (dims.empty() ? "" : ", ") + dim.name;
    file.fail(node, fmt::format("a size lists one number for each dim: [{}]", dims));
  }
  std::vector<double> size;
  for (const YAML::Node& item : node) {
    size.push_back(file.number(item, "a size"));
  }
  return size;
}

CaseText read_case(const YamlFile& file, const YAML::Node& node, const Task& task, bool needs_why) {
  CaseText text;
  text.line = line_of(node);
  if (node.IsSequence()) {
    if (needs_why) {
      file.fail(node, "a check case says what it reveals; write {size: [...], why: ...}");
    }
    text.dims = read_size(file, node, task);
    return text;
  }
  YamlMap map(file, node, "a case");
  text.dims = read_size(file, map.need("size"), task);
  if (const YAML::Node fills = map.find("fills"); fills.IsDefined()) {
    YamlMap arguments(file, fills, "fills");
    for (const std::string& name : arguments.keys()) {
      const int index = task.argument_index(name);
      const YAML::Node fill = arguments.need(name);
      if (index < 0 || (task.signature[index].role != Role::in && task.signature[index].role != Role::inout)) {
        file.fail(fill, fmt::format("fills: '{}' is not an argument of role in or inout", name));
      }
      text.fills[name] = read_fill(file, fill, task);
    }
  }
  if (const YAML::Node scalars = map.find("scalars"); scalars.IsDefined()) {
    YamlMap arguments(file, scalars, "scalars");
    for (const std::string& name : arguments.keys()) {
      const int index = task.argument_index(name);
      const YAML::Node value = arguments.need(name);
      if (index < 0 || task.signature[index].role != Role::scalar) {
        file.fail(value, fmt::format("scalars: '{}' is not an argument of role scalar", name));
      }
      text.scalars[name] = read_scalar(file, value, name);
    }
  }
  const YAML::Node why = needs_why ? map.need("why") : map.find("why");
  if (why.IsDefined()) {
    text.why = file.text(why, "why");
  }
  map.close();
  return text;
}

}  // namespace

void read_cases(const YamlFile& file, const YAML::Node& node, Task& task) {
  YamlMap sets(file, node, "cases");
  for (const std::string_view word : size_sets) {
    const std::string set(word);
    const YAML::Node list = sets.need(set);
    if (list.IsMap()) {
      YamlMap empty(file, list, fmt::format("cases.{}", set));
      task.empty_sets[set] = file.text(empty.need("empty"), "the reason why a size set is empty");
      empty.close();
      continue;
    }
    if (!list.IsSequence() || list.size() == 0) {
      file.fail(list, fmt::format("cases.{} must be a list of cases, or {{empty: reason}}", set));
    }
    for (const YAML::Node& item : list) {
      task.cases[set].push_back(read_case(file, item, task, set == "check"));
    }
  }
  sets.close();
}

}  // namespace mskb
