#pragma once
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mskb {

// One YAML file and what to call it in messages; every YAML file is read through it. Every refusal is an InputError
// "<label>:<line>: reason; how to mend". What yaml_guard.hpp lists is refused at once.
class YamlFile {
 public:
  // `page` of the documentation says what the keys hold.
  YamlFile(const std::filesystem::path& path, std::string label, std::string page = "");
  static YamlFile of_text(const std::string& text, std::string label);

  const YAML::Node& root() const { return root_; }
  const std::string& page() const { return page_; }
  [[noreturn]] void fail(int line, std::string_view reason) const;  // line counts from 1
  [[noreturn]] void fail(const YAML::Node& at, std::string_view reason) const;

  std::string text(const YAML::Node& node, std::string_view what) const;  // a scalar: one line, every character of which can be shown
  std::string stored(const YAML::Node& node, std::string_view what) const;  // a scalar that this program wrote: any text, also none
  bool flag(const YAML::Node& node, std::string_view what) const;         // true or false
  double number(const YAML::Node& node, std::string_view what) const;     // an expression without names; finite
  double number(const YAML::Node& node, std::string_view what, double least, double most) const;  // both included
  std::vector<std::string> texts(const YAML::Node& node, std::string_view what) const;

  // An expression over `names`; its syntax and names are checked, its value is not known yet.
  std::string expression(const YAML::Node& node, std::string_view what, const std::vector<std::string>& names) const;

 private:
  YamlFile() = default;
  void parse(const std::string& text);

  std::string label_, page_;
  YAML::Node root_;
};

int line_of(const YAML::Node& node);

// Reads one map: every key must be asked for.
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
