#pragma once
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mskb {

// One YAML file and what to call it in messages. Every refusal is an InputError "<label>:<line>: reason; how to mend".
class YamlFile {
 public:
  YamlFile(const std::filesystem::path& path, std::string label);

  const YAML::Node& root() const { return root_; }
  [[noreturn]] void fail(int line, std::string_view reason) const;  // line counts from 1
  [[noreturn]] void fail(const YAML::Node& at, std::string_view reason) const;

  std::string text(const YAML::Node& node, std::string_view what) const;  // a scalar
  bool flag(const YAML::Node& node, std::string_view what) const;         // true or false
  double number(const YAML::Node& node, std::string_view what) const;     // an expression without names
  std::vector<std::string> texts(const YAML::Node& node, std::string_view what) const;

  // An expression over `names`; its syntax and names are checked, its value is not known yet.
  std::string expression(const YAML::Node& node, std::string_view what, const std::vector<std::string>& names) const;

 private:
  std::string label_;
  YAML::Node root_;
};

int line_of(const YAML::Node& node);

// Reads one map: every key must be asked for, none may appear twice.
class YamlMap {
 public:
  YamlMap(const YamlFile& file, const YAML::Node& node, std::string what);

  YAML::Node need(const std::string& key);      // refuses a missing key
  YAML::Node find(const std::string& key);      // a node that is not IsDefined() when it is missing
  const std::vector<std::string>& keys() const { return keys_; }  // in the order of the file
  void close() const;                           // refuses keys that were never asked for

 private:
  const YamlFile& file_;
  YAML::Node node_;
  std::string what_;
  std::vector<std::string> keys_, asked_;
};

}  // namespace mskb
