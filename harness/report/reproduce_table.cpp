#include "report/reproduce_table.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/errors.hpp"
#include "model/yaml_file.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

std::map<std::string, std::string> text_map(const YamlFile& file, const YAML::Node& node, const std::string& what) {
  std::map<std::string, std::string> values;
  if (!node.IsDefined()) {
    return values;
  }
  YamlMap map(file, node, what);
  for (const std::string& key : map.keys()) {
    values[key] = file.text(map.need(key), what);
  }
  return values;
}

std::string optional_text(const YamlFile& file, const YAML::Node& node, const std::string& what) {
  return node.IsDefined() ? file.text(node, what) : "";
}

std::vector<std::string> words(const YamlFile& file, const YAML::Node& node, const std::string& what) {
  return node.IsDefined() ? file.texts(node, what) : std::vector<std::string>{};
}

Measure measure_of(const YamlFile& file, const YAML::Node& node) {
  const std::string word = file.text(node, "measure");
  if (word != "success" && word != "speedup" && word != "transitions") {
    file.fail(node, fmt::format("measure '{}' is unknown; write success, speedup or transitions", word));
  }
  return word == "success" ? Measure::success : word == "speedup" ? Measure::speedup : Measure::transitions;
}

ReproduceRow read_row(const YamlFile& file, const YAML::Node& node, const ReproduceTable& table) {
  YamlMap map(file, node, "a row");
  ReproduceRow row;
  row.name = file.text(map.need("name"), "name");
  row.where = text_map(file, map.need("where"), "where");
  row.column = file.text(map.need("column"), "column");
  row.run = optional_text(file, map.find("run"), "run");
  row.command = words(file, map.find("command"), "command");
  row.needs = optional_text(file, map.find("needs"), "needs");
  row.problem = optional_text(file, map.find("problem"), "problem");
  row.origin = optional_text(file, map.find("origin"), "origin");
  row.before = optional_text(file, map.find("before"), "before");
  row.after = optional_text(file, map.find("after"), "after");
  row.cost = text_map(file, map.find("cost"), "cost");
  row.note = optional_text(file, map.find("note"), "note");
  map.close();
  if (!row.command.empty()) {
    if (row.run.empty() || row.run.find('/') != std::string::npos || row.run.starts_with('.')) {
      file.fail(node, "a row with a command names the folder of its run; write run: a-name");
    }
    row.command.insert(row.command.end(), table.command.begin(), table.command.end());
  }
  if (table.measure == Measure::speedup && (row.problem.empty() || row.origin.empty()) && !row.command.empty()) {
    file.fail(node, "a row of measure speedup names problem and origin");
  }
  return row;
}

}  // namespace

std::vector<std::string> reproduce_table_names(const fs::path& home) {
  std::vector<std::string> names;
  const fs::path folder = home / "configs" / "paper";
  if (fs::is_directory(folder)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".yaml") {
        names.push_back(entry.path().stem());
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

ReproduceTable load_reproduce_table(const fs::path& home, const std::string& name) {
  const std::vector<std::string> names = reproduce_table_names(home);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError(fmt::format("no table '{}' in configs/paper; there are: {}", name, fmt::join(names, ", ")));
  }
  const YamlFile file(home / "configs" / "paper" / (name + ".yaml"), fmt::format("configs/paper/{}.yaml", name), "docs/reproduce.md");
  YamlMap map(file, file.root(), "the table");
  ReproduceTable table;
  table.name = name;
  table.title = file.text(map.need("title"), "title");
  table.published = file.text(map.need("published"), "published");
  table.measure = measure_of(file, map.need("measure"));
  table.device = file.text(map.need("device"), "device");
  table.protocol = file.text(map.need("protocol"), "protocol");
  if (const YAML::Node problems = map.find("problems"); problems.IsDefined()) {
    table.problems = static_cast<int>(file.number(problems, "problems", 1, 1e6));
  }
  table.costs = optional_text(file, map.find("costs"), "costs");
  table.command = words(file, map.find("command"), "command");
  const YAML::Node rows = map.need("rows");
  if (!rows.IsSequence()) {
    file.fail(rows, "rows must be a list; write - {name: ...} for each");
  }
  for (const YAML::Node& row : rows) {
    table.rows.push_back(read_row(file, row, table));
  }
  map.close();
  return table;
}

}  // namespace mskb
