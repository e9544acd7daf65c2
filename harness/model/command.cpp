#include "model/command.hpp"

#include <algorithm>

namespace mskb {

bool has_word(const std::vector<std::string>& command, const std::string& word) {
  return std::find(command.begin(), command.end(), word) != command.end();
}

std::string option_of(const std::vector<std::string>& command, const std::string& option) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] == option && i + 1 < command.size()) {
      return command[i + 1];
    }
    if (command[i].starts_with(option + "=")) {
      return command[i].substr(option.size() + 1);
    }
  }
  return "";
}

}  // namespace mskb
