#include "model/yaml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/characters.hpp"
#include "base/errors.hpp"
#include "base/expression.hpp"
#include "base/files.hpp"
#include "model/nearest.hpp"
#include "model/yaml_guard.hpp"

namespace mskb {

namespace {

constexpr std::size_t most_characters = 4000;

}  // namespace

int line_of(const YAML::Node& node) { return node.IsDefined() ? std::max(1, node.Mark().line + 1) : 1; }

YamlFile::YamlFile(const std::filesystem::path& path, std::string label, std::string page)
    : label_(std::move(label)), page_(std::move(page)) {
  parse(read_file(path));
}

YamlFile YamlFile::of_text(const std::string& text, std::string label) {
  YamlFile file;
  file.label_ = std::move(label);
  file.parse(text);
  return file;
}

void YamlFile::parse(const std::string& text) {
  if (const std::optional<YamlFault> fault = yaml_fault(text)) {
    fail(fault->line, fault->reason);
  }
  root_ = YAML::Load(text);
}

void YamlFile::fail(int line, std::string_view reason) const {
  throw InputError(fmt::format("{}:{}: {}", label_, line, reason));
}

void YamlFile::fail(const YAML::Node& at, std::string_view reason) const { fail(line_of(at), reason); }

std::string YamlFile::text(const YAML::Node& node, std::string_view what) const {
  if (!node.IsScalar() || node.Scalar().empty()) {
    fail(node, fmt::format("{} must be text; write one word or one quoted line", what));
  }
  if (node.Scalar().size() > most_characters) {
    fail(node, fmt::format("{} has more than {} characters; write less", what, most_characters));
  }
  for (std::string_view rest = node.Scalar(); !rest.empty();) {
    const Character character = next_character(rest);
    if (!character.valid || character.code == '\n' || character.code == '\t' || cannot_be_shown(character.code)) {
      fail(node, fmt::format("{} holds the character U+{:04X}, which one line cannot show; write one line without it", what, character.code));
    }
    rest.remove_prefix(character.bytes);
  }
  return node.Scalar();
}

std::string YamlFile::stored(const YAML::Node& node, std::string_view what) const {
  if (!node.IsScalar()) {
    fail(node, fmt::format("{} is not one value", what));
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
  const std::string expression = text(node, what);
  double value = 0;
  try {
    value = evaluate_expression(expression, {});
  } catch (const InputError& error) {
    fail(node, fmt::format("{} must be a number: {}", what, error.what()));
  }
  if (!std::isfinite(value)) {
    fail(node, fmt::format("{} is {}, which is no finite number; write another", what, value));
  }
  return value;
}

double YamlFile::number(const YAML::Node& node, std::string_view what, double least, double most) const {
  const double value = number(node, what);
  if (value < least || value > most) {
    fail(node, fmt::format("{} is {}; write a number {}", what, value,
                           std::isinf(most) ? fmt::format("from {} on", least) : fmt::format("from {} to {}", least, most)));
  }
  return value;
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
    keys_.push_back(file_.text(entry.first, "a key"));
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
    const std::string where = file_.page().empty() ? "" : fmt::format(" ({} says what it holds)", file_.page());
    file_.fail(node_, fmt::format("key '{}' is missing in {}; add it{}", key, what_, where));
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
