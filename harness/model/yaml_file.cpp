#include "model/yaml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/errors.hpp"
#include "base/expression.hpp"
#include "base/files.hpp"
#include "model/nearest.hpp"

namespace mskb {

int line_of(const YAML::Node& node) { return node.IsDefined() ? node.Mark().line + 1 : 0; }

YamlFile::YamlFile(const std::filesystem::path& path, std::string label) : label_(std::move(label)) {
  const std::string text = read_file(path);
  try {
    root_ = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    fail(error.mark.line + 1, fmt::format("malformed YAML: {}; mend the syntax near column {}", error.msg,
                                          error.mark.column + 1));
  }
}

void YamlFile::fail(int line, std::string_view reason) const {
  throw InputError(fmt::format("{}:{}: {}", label_, line, reason));
}

void YamlFile::fail(const YAML::Node& at, std::string_view reason) const { fail(line_of(at), reason); }

std::string YamlFile::text(const YAML::Node& node, std::string_view what) const {
  if (!node.IsScalar() || node.Scalar().empty()) {
    fail(node, fmt::format("{} must be text; write one word or one quoted line", what));
  }
  return node.Scalar();
}

bool YamlFile::flag(const YAML::Node& node, std::string_view what) const {
  const std::string word = node.IsScalar() ? node.Scalar() : "";
  if (word != "true" && word != "false") {
    fail(node, fmt::format("{} must be true or false", what));
  }
  return word == "true";
}

double YamlFile::number(const YAML::Node& node, std::string_view what) const {
  try {
    return evaluate_expression(text(node, what), {});
  } catch (const InputError& error) {
    if (std::string_view(error.what()).starts_with(label_)) throw;
    fail(node, fmt::format("{} must be a number: {}", what, error.what()));
  }
}

std::vector<std::string> YamlFile::texts(const YAML::Node& node, std::string_view what) const {
  if (!node.IsSequence()) {
    fail(node, fmt::format("{} must be a list", what));
  }
  std::vector<std::string> result;
  for (const YAML::Node& item : node) {
    result.push_back(text(item, what));
  }
  return result;
}

std::string YamlFile::expression(const YAML::Node& node, std::string_view what,
                                 const std::vector<std::string>& names) const {
  const std::string result = text(node, what);
  Variables unknown;  // NaN takes every branch of the grammar and never divides by zero
  for (const std::string& name : names) {
    unknown[name] = std::numeric_limits<double>::quiet_NaN();
  }
  try {
    evaluate_expression(result, unknown);
  } catch (const InputError& error) {
    fail(node, fmt::format("{}: {}", what, error.what()));
  }
  return result;
}

YamlMap::YamlMap(const YamlFile& file, const YAML::Node& node, std::string what)
    : file_(file), node_(node), what_(std::move(what)) {
  if (!node_.IsMap()) {
    file_.fail(node_, fmt::format("{} must be a map of key: value", what_));
  }
  for (const auto& entry : node_) {
    const std::string key = file_.text(entry.first, "a key");
    if (std::find(keys_.begin(), keys_.end(), key) != keys_.end()) {
      file_.fail(entry.first, fmt::format("key '{}' appears twice in {}; keep one", key, what_));
    }
    keys_.push_back(key);
  }
}

YAML::Node YamlMap::find(const std::string& key) {
  asked_.push_back(key);
  for (const auto& entry : node_) {
    if (entry.first.Scalar() == key) {
      return entry.second;
    }
  }
  return YAML::Node(YAML::NodeType::Undefined);
}

YAML::Node YamlMap::need(const std::string& key) {
  YAML::Node found = find(key);
  if (!found.IsDefined()) {
    file_.fail(node_, fmt::format("key '{}' is missing in {}; add it (docs/task-format.md says what it holds)", key, what_));
  }
  return found;
}

void YamlMap::close() const {
  for (const auto& entry : node_) {
    const std::string& key = entry.first.Scalar();
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
      file_.fail(entry.first, fmt::format("unknown key '{}' in {}{}", key, what_, suggestion(key, asked_)));
    }
  }
}

}  // namespace mskb
