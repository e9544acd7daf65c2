#include "common/prompt.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/hashing.hpp"

namespace mskb::agents {

namespace fs = std::filesystem;

namespace {

void require_pairs(const fs::path& file, const std::string& text) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t open = line.find("{{", at), close = line.find("}}", at);
      if (open == std::string::npos && close == std::string::npos) {
        break;
      }
      const std::size_t end = open < close ? line.find("}}", open + 2) : std::string::npos;
      if (end == std::string::npos) {
        throw InputError(file.string() + ":" + std::to_string(number) + ": " + (open < close ? "`{{` without `}}`" : "`}}` without `{{`") +
                         " on this line; write {{name}}, or put a space between braces that are text");
      }
      at = end + 2;
    }
  }
}

}  // namespace

Prompts::Prompts(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    if (entry.path().extension() == ".md") {
      texts_[entry.path().stem().string()] = read_file(entry.path());
    }
  }
  if (texts_.empty()) {
    throw InputError(folder_.string() + ": holds no prompt; prompts are files named <agent>.md");
  }
  Hasher hasher;
  for (const auto& [name, text] : texts_) {
    require_pairs(folder_ / (name + ".md"), text);
    hasher.add(name).add(text);
  }
  version_ = hasher.hex(16);
}

void Prompts::check(const std::map<std::string, std::set<std::string>>& names_of_values) const {
  for (const auto& [prompt, names] : names_of_values) {
    std::map<std::string, std::string> values;
    for (const std::string& name : names) {
      values[name];
    }
    fill(prompt, values);
  }
}

std::string Prompts::fill(const std::string& name, const std::map<std::string, std::string>& values) const {
  const fs::path file = folder_ / (name + ".md");
  const auto found = texts_.find(name);
  if (found == texts_.end()) {
    throw InputError(file.string() + ": this prompt is missing; add the file");
  }
  static const std::regex hole(R"(\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\})");
  const std::string& text = found->second;
  std::string result;
  auto end_of_last = text.begin();
  for (auto match = std::sregex_iterator(text.begin(), text.end(), hole); match != std::sregex_iterator(); ++match) {
    const auto value = values.find((*match)[1].str());
    if (value == values.end()) {
      const auto line = 1 + std::count(text.begin(), (*match)[0].first, '\n');
      throw InputError(file.string() + ":" + std::to_string(line) + ": {{" + (*match)[1].str() +
                       "}} has no value; remove it or correct its name");
    }
    result.append(end_of_last, (*match)[0].first).append(value->second);
    end_of_last = (*match)[0].second;
  }
  return result.append(end_of_last, text.end());
}

}  // namespace mskb::agents
