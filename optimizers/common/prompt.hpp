#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace mskb::agents {

// Prompts as files: prompts/<name>.md with {{name}} where a value goes. Spaces inside the braces are allowed; braces around anything but a
// name ([A-Za-z_][A-Za-z0-9_]*) are text. `{{` and `}}` come in pairs on a line. Values are not searched for further names.
class Prompts {
 public:
  explicit Prompts(std::filesystem::path folder);  // reads every *.md in it; throws InputError when there is none, or with file and line

  // Throws InputError with file, line and name when the file is missing or a name has no value.
  std::string fill(const std::string& name, const std::map<std::string, std::string>& values) const;

  // Whether fill() finds each of these prompts and, of the names in it, each among its values' names. Throws InputError as fill() does.
  void check(const std::map<std::string, std::set<std::string>>& names_of_values) const;

  // Of all files' names and contents, 16 hexadecimal digits: the version of the prompts, for records.
  const std::string& version() const { return version_; }

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::string> texts_;
  std::string version_;
};

}  // namespace mskb::agents
