#include "optimize/optimizer_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/subprocess.hpp"
#include "model/nearest.hpp"
#include "model/yaml_file.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

OptimizerKind read_kind(const YamlFile& file, const YAML::Node& node) {
  const std::string kind = file.text(node, "kind");
  if (kind == "identity") {
    return OptimizerKind::identity;
  }
  if (kind == "directory") {
    return OptimizerKind::directory;
  }
  if (kind == "program") {
    return OptimizerKind::program;
  }
  file.fail(node, fmt::format("kind '{}' is unknown; write identity, directory or program", kind));
}

// The program is a file of the folder, a program built beside this one, or on PATH. Words that name files of the folder become absolute.
std::vector<std::string> read_command(const YamlFile& file, const YAML::Node& node, const fs::path& folder) {
  std::vector<std::string> command = file.texts(node, "command");
  if (command.empty()) {
    file.fail(node, "command is empty; write a list such as [python3, agent.py]");
  }
  for (std::string& word : command) {
    if (fs::is_regular_file(folder / word)) {
      word = fs::absolute(folder / word).lexically_normal().string();
    }
  }
  std::string& program = command.front();
  if (fs::is_regular_file(sibling_program(program))) {
    program = sibling_program(program).string();
  }
  if (!program_exists(program)) {
    file.fail(node, fmt::format("command '{}' cannot be started: it is neither an executable file of this folder, nor built "
                                "beside mskb, nor on PATH; build or install it",
                                program));
  }
  return command;
}

std::string text_or_nothing(const YamlFile& file, const YAML::Node& node, const std::string& what) {
  return node.IsNull() ? "" : file.text(node, what);
}

OptionRule read_rule(const YamlFile& file, YamlMap& map) {
  OptionRule rule;
  for (const bool whole : {true, false}) {
    const char* key = whole ? "whole" : "number";
    if (const YAML::Node range = map.find(key); range.IsDefined()) {
      if (!range.IsSequence() || range.size() != 2) {
        file.fail(range, fmt::format("{} must be the least and the greatest value; write {}: [1, 100]", key, key));
      }
      rule.range = std::pair(file.number(range[0], key), file.number(range[1], key));
      if (rule.range->first > rule.range->second) {
        file.fail(range, fmt::format("{} goes from {} to {}, where nothing lies; write the smaller one first", key, rule.range->first,
                                     rule.range->second));
      }
      rule.whole = whole;
    }
  }
  if (const YAML::Node one_of = map.find("one_of"); one_of.IsDefined()) {
    rule.one_of = file.texts(one_of, "one_of");
  }
  return rule;
}

// Each option is its default, or a map of default and rule.
void read_options(const YamlFile& file, const YAML::Node& node, OptimizerFile& optimizer) {
  YamlMap map(file, node, "options");
  for (const std::string& key : map.keys()) {
    const YAML::Node value = map.need(key);
    if (key.find('=') != std::string::npos) {
      file.fail(value, fmt::format("option '{}' cannot be given as --option name=value; leave out the =", key));
    }
    if (!value.IsMap()) {
      optimizer.options[key] = text_or_nothing(file, value, key);
      optimizer.rules[key] = {};
      continue;
    }
    YamlMap parts(file, value, "option " + key);
    const YAML::Node fallback = parts.find("default");
    optimizer.options[key] = fallback.IsDefined() ? text_or_nothing(file, fallback, "default") : "";
    const OptionRule rule = optimizer.rules[key] = read_rule(file, parts);
    parts.close();
    if (const std::string wanted = rule.wanted_instead_of(optimizer.options[key]); !wanted.empty()) {
      file.fail(fallback, fmt::format("the default of option {} is '{}'; write {}", key, optimizer.options[key], wanted));
    }
  }
}

// The folder's own name, also for "mine/" and ".".
std::string folder_name(const fs::path& directory) {
  const fs::path whole = fs::weakly_canonical(directory);
  return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

bool holds_sources(const fs::path& directory) {
  return std::any_of(fs::directory_iterator(directory), fs::directory_iterator(),
                     [](const fs::directory_entry& entry) { return entry.path().extension() == ".cu"; });
}

}  // namespace

std::map<std::string, std::string> OptimizerFile::with_options(const std::map<std::string, std::string>& given) const {
  std::map<std::string, std::string> all = options;
  std::vector<std::string> known;
  for (const auto& entry : options) {
    known.push_back(entry.first);
  }
  for (const auto& [key, value] : given) {
    if (!options.contains(key)) {
      throw InputError(fmt::format("option '{}' is unknown to optimizer {}{}", key, name,
                                   known.empty() ? "; it has none" : suggestion(key, known)));
    }
    if (const std::string wanted = rules.at(key).wanted_instead_of(value); !wanted.empty()) {
      throw InputError(fmt::format("option {}={}: optimizer {} does not take it; give {}", key, value, name, wanted));
    }
    all[key] = value;
  }
  return all;
}

OptimizerFile load_optimizer(const fs::path& directory) {
  if (!fs::is_directory(directory)) {
    throw InputError(directory.string() + ": is not a directory; give an optimizer's name or its folder");
  }
  OptimizerFile optimizer;
  optimizer.directory = directory;
  optimizer.name = folder_name(directory);
  const fs::path path = directory / "optimizer.yaml";
  if (!fs::exists(path)) {
    if (!holds_sources(directory)) {
      throw InputError(directory.string() + ": holds neither optimizer.yaml nor .cu files; add one of them");
    }
    optimizer.summary = "the solutions of a folder";
    return optimizer;
  }
  const YamlFile file(path, path.string(), "docs/optimizer-protocol.md");
  YamlMap map(file, file.root(), "an optimizer.yaml");
  const YAML::Node name = map.need("name"), kind = map.need("kind"), summary = map.need("summary");
  if (file.text(name, "name") != optimizer.name) {
    file.fail(name, fmt::format("name '{}' is not the folder's; write name: {}", name.Scalar(), optimizer.name));
  }
  optimizer.summary = file.text(summary, "summary");
  optimizer.kind = read_kind(file, kind);
  const YAML::Node command = map.find("command"), options = map.find("options"), checks = map.find("checks");
  map.close();
  if (optimizer.kind != OptimizerKind::program) {
    for (const YAML::Node& own : {command, options, checks}) {
      if (own.IsDefined()) {
        file.fail(own, "command, options and checks belong to kind program; remove them");
      }
    }
    return optimizer;
  }
  if (!command.IsDefined()) {
    file.fail(kind, "key 'command' is missing; kind program needs the command that starts it");
  }
  optimizer.command = read_command(file, command, directory);
  if (checks.IsDefined()) {
    const std::string word = file.text(checks, "checks");
    if (word != "true" && word != "false") {
      file.fail(checks, fmt::format("checks '{}' is neither true nor false; write one of them", word));
    }
    optimizer.checks = word == "true";
  }
  if (options.IsDefined()) {
    read_options(file, options, optimizer);
  }
  return optimizer;
}

std::vector<std::string> optimizer_names(const fs::path& home) {
  std::vector<std::string> names;
  if (fs::is_directory(home / "optimizers")) {
    for (const fs::directory_entry& entry : fs::directory_iterator(home / "optimizers")) {
      if (fs::exists(entry.path() / "optimizer.yaml")) {
        names.push_back(entry.path().filename().string());
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

OptimizerFile find_optimizer(const fs::path& home, const std::string& name) {
  if (name.find('/') == std::string::npos && fs::exists(home / "optimizers" / name / "optimizer.yaml")) {
    return load_optimizer(home / "optimizers" / name);
  }
  if (fs::is_directory(name)) {
    return load_optimizer(name);
  }
  throw InputError(fmt::format("--optimizer {}: is neither an optimizer ({}) nor a directory; give one of them", name,
                               fmt::join(optimizer_names(home), ", ")));
}

}  // namespace mskb
