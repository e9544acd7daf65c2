#include "model/command.hpp"

#include <algorithm>

namespace mskb {

bool has_word(const std::vector<std::string>& command, const std::string& word) {
  return std::find(command.begin(), command.end(), word) != command.end();
}

std::string judged_with(const std::vector<std::string>& command) {
  for (const char* mode : {"--races", "--sanitize"}) {
    if (has_word(command, mode)) {
      return mode;
    }
  }
  return "";
}

std::vector<std::string> options_of(const std::vector<std::string>& command, const std::string& option) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] == option) {
      while (i + 1 < command.size() && !command[i + 1].starts_with("-")) {
        values.push_back(command[++i]);
      }
    } else if (command[i].starts_with(option + "=")) {
      values.push_back(command[i].substr(option.size() + 1));
    }
  }
  return values;
}

std::string option_of(const std::vector<std::string>& command, const std::string& option) {
  const std::vector<std::string> values = options_of(command, option);
  return values.empty() ? "" : values.front();
}

}  // namespace mskb
