#include "common/response.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

#include "common/code_text.hpp"

namespace mskb::agents {

namespace {

std::string with_unix_line_ends(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      result.push_back(text[i]);
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      result.push_back('\n');
    }
  }
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// std::regex recurses for each character, so that long lines are kept from it.
constexpr std::size_t longest_matched = 2000;
constexpr int most_tries = 500;  // places in a text at which JSON may begin

// ```cuda, ~~~, or prose that ends with such a fence. The fence's characters and the language.
bool opens_fence(const std::string& line, std::string& fence, std::string& language) {
  static const std::regex at_start(R"(^[\s>*-]*(?:\d+\.\s*)?(`{3,}|~{3,})\s*([^`]*)$)");
  static const std::regex after_prose(R"(^[^`]*[^`](`{3,})([A-Za-z+]*)\s*$)");
  std::smatch match;
  if (line.size() > longest_matched || (line.find("```") == std::string::npos && line.find("~~~") == std::string::npos) ||
      (!std::regex_match(line, match, at_start) && !std::regex_match(line, match, after_prose))) {
    return false;
  }
  fence = match[1].str();
  std::istringstream(match[2].str()) >> language;
  std::transform(language.begin(), language.end(), language.begin(), [](unsigned char c) { return std::tolower(c); });
  return true;
}

// Whether the line closes the fence; `rest` is code that stands before it on the line.
bool closes_fence(const std::string& line, const std::string& fence, std::string& rest) {
  const std::string text = trimmed(line);
  const std::size_t last_other = text.find_last_not_of(fence[0]);
  const std::size_t length = text.size() - (last_other == std::string::npos ? 0 : last_other + 1);
  rest = text.substr(0, text.size() - length);
  return length >= fence.size();
}

std::vector<CodeBlock> blocks_of(const std::string& text) {
  std::vector<CodeBlock> blocks;
  std::string fence;
  for (const std::string& line : lines_of(text)) {
    std::string language, rest;
    if (fence.empty()) {
      if (opens_fence(line, fence, language)) {
        blocks.push_back({language, "", false});
      }
    } else if (closes_fence(line, fence, rest)) {
      blocks.back().text += rest.empty() ? "" : rest + "\n";
      blocks.back().closed = true;
      fence.clear();
    } else {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

// A text without fences, from the first line that looks like code to the last that does.
std::string code_of_prose(const std::string& text) {
  static const std::regex starts(R"re(^\s*(#\s*(include|define|pragma|if)|extern\s+"C"|template\s*<|__global__|__device__|static\s|namespace\s|using\s|//|/\*|void\s))re");
  const std::vector<std::string> lines = lines_of(text);
  std::size_t first = 0, last = lines.size();
  while (first < lines.size() && !std::regex_search(lines[first].substr(0, longest_matched), starts)) {
    ++first;
  }
  while (last > first && lines[last - 1].find_first_of("};") == std::string::npos && !lines[last - 1].starts_with("#")) {
    --last;
  }
  last = last == first ? lines.size() : last;  // cut off before its first statement ended
  std::string code;
  for (std::size_t i = first; i < last; ++i) {
    code += lines[i] + "\n";
  }
  return code;
}

// JSON without the commas that stand before a closing bracket.
std::string without_spare_commas(const std::string& text) {
  std::string result;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::size_t next = in_text ? std::string::npos : text.find_first_not_of(" \t\n", i + 1);
    if (c == ',' && next != std::string::npos && (text[next] == '}' || text[next] == ']')) {
      continue;
    }
    result.push_back(c);
    if (in_text && c == '\\' && i + 1 < text.size()) {
      result.push_back(text[++i]);
    } else if (c == '"') {
      in_text = !in_text;
    }
  }
  return result;
}

bool defines(const std::string& bare, const std::string& entry) {
  return defines_function(bare, entry) || defines_function(bare, entry + "_optimized");
}

}  // namespace

std::vector<CodeBlock> code_blocks(std::string_view answer) { return blocks_of(with_unix_line_ends(answer)); }

KernelAnswer kernel_in(std::string_view answer, const std::string& entry) {
  const std::string text = with_unix_line_ends(answer);
  std::vector<CodeBlock> blocks = blocks_of(text);
  if (blocks.empty()) {
    blocks.push_back({"", code_of_prose(text), false});
    if (trimmed(blocks[0].text).empty()) {
      return {std::nullopt, "the answer holds no code; give the whole file in one fenced block", ""};
    }
  }
  std::string cut;    // a block that would have been it, had it not ended in the middle
  std::string other;  // functions with C linkage that are not the entry point
  KernelAnswer renamed;
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    const std::string bare = without_comments(block->text);
    if (!block->closed && !is_balanced(bare)) {
      cut = "the code ends in the middle; give the whole file again, shorter if need be";
      continue;
    }
    if (defines(bare, entry)) {
      return {block->text, "", ""};
    }
    const std::vector<std::string> names = c_functions(bare);
    if (names.size() == 1 && !renamed.source) {
      renamed = {rename_identifier(block->text, names[0], entry), "", names[0]};
    }
    for (const std::string& name : names) {
      other += (other.empty() ? "" : ", ") + name;
    }
  }
  if (!cut.empty()) {
    return {std::nullopt, cut, ""};
  }
  if (renamed.source) {
    return renamed;
  }
  return {std::nullopt,
          "no code block defines the function " + entry + (other.empty() ? "" : " (found: " + other + ")") +
              "; define it with extern \"C\" in one file",
          ""};
}

std::optional<nlohmann::json> json_in(std::string_view answer) {
  const auto parsed = [](const std::string& text) -> std::optional<nlohmann::json> {
    nlohmann::json value = nlohmann::json::parse(text, nullptr, false, true);
    if (value.is_discarded()) {
      value = nlohmann::json::parse(without_spare_commas(text), nullptr, false, true);
    }
    return value.is_structured() ? std::optional(value) : std::nullopt;
  };
  const std::string text = with_unix_line_ends(answer);
  for (const CodeBlock& block : blocks_of(text)) {
    if (const auto value = block.closed ? parsed(block.text) : std::nullopt) {
      return value;
    }
  }
  int tries = 0;
  for (std::size_t at = text.find_first_of("{["); at != std::string::npos && tries < most_tries; at = text.find_first_of("{[", at + 1)) {
    ++tries;
    std::string open;
    bool in_text = false;
    for (std::size_t i = at; i < text.size(); ++i) {
      const char c = text[i];
      if (in_text) {
        i += c == '\\' ? 1 : 0;
        in_text = c != '"';
      } else if (c == '"') {
        in_text = true;
      } else if (c == '{' || c == '[') {
        open.push_back(c);
      } else if (c == '}' || c == ']') {
        if (open.back() != (c == '}' ? '{' : '[')) {
          break;
        }
        open.pop_back();
        if (open.empty()) {
          if (const auto value = parsed(text.substr(at, i - at + 1))) {
            return value;
          }
          break;
        }
      }
    }
  }
  return std::nullopt;
}

std::vector<std::string> flags_in(std::string_view answer) {
  std::vector<std::string> flags;
  const auto add = [&](const std::string& flag) {
    if (flag.size() > 1 && flag[0] == '-' && std::find(flags.begin(), flags.end(), flag) == flags.end()) {
      flags.push_back(flag);
    }
  };
  const auto add_words = [&](const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      while (!word.empty() && std::string("\"'`,;[](){}.").find(word.back()) != std::string::npos) {
        word.pop_back();
      }
      word.erase(0, std::min(word.find_first_not_of("\"'`,[](){}"), word.size()));
      if (word == "-Xptxas") {
        std::string value;
        words >> value;
        word += " " + value;
      }
      if (word.size() > 1 && (std::isalpha(static_cast<unsigned char>(word[1])) != 0 || word.starts_with("--"))) {
        add(word);
      }
    }
  };
  if (auto value = json_in(answer)) {
    if (value->is_object() && value->contains("flags")) {
      value = nlohmann::json(value->at("flags"));
    }
    if (value->is_array() &&
        std::all_of(value->begin(), value->end(), [](const nlohmann::json& flag) { return flag.is_string(); })) {
      for (const nlohmann::json& flag : *value) {
        add(trimmed(flag.get<std::string>()));
      }
      return flags;
    }
  }
  const std::string text = with_unix_line_ends(answer);
  for (const CodeBlock& block : blocks_of(text)) {
    add_words(block.text);
  }
  static const std::regex inline_code(R"(`([^`\n]+)`)");
  static const std::regex item(R"(^\s*(?:[*+]|-|\d+[.)])\s+(-{1,2}[A-Za-z].*)$)");
  for (const std::string& line : lines_of(text)) {
    if (line.size() > longest_matched) {
      continue;
    }
    for (auto match = std::sregex_iterator(line.begin(), line.end(), inline_code); match != std::sregex_iterator(); ++match) {
      add_words((*match)[1].str());
    }
    std::smatch match;
    if (std::regex_match(line, match, item)) {
      add_words(match[1].str().substr(0, match[1].str().find(": ")));
    } else if (trimmed(line).starts_with("-") && !trimmed(line).starts_with("- ")) {
      add_words(line);
    }
  }
  return flags;
}

}  // namespace mskb::agents
