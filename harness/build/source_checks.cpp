#include "build/source_checks.hpp"

#include <algorithm>
#include <filesystem>

#include "model/source_names.hpp"
#include "simt/tokens.hpp"

namespace mskb {

namespace {

using simt::Token;

std::string place(const std::string& file, int line) { return file + ":" + std::to_string(line); }

// Compilers take a backslash for a splice with white space before the line's end, too.
std::string without_line_splices(const std::string& text) {
  std::string joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '\\' ? text.find_first_not_of(" \t\r\f\v", i + 1) : std::string::npos;
    if (end != std::string::npos && text[end] == '\n') {
      i = end;
    } else {
      joined += text[i];
    }
  }
  return joined;
}

// Whether `target`, seen from the folder of `file`, is inside the candidate's folder.
bool stays_inside(const std::string& file, const std::string& target) {
  const std::filesystem::path path(target);
  if (path.is_absolute()) {
    return false;
  }
  const auto normal = (std::filesystem::path(file).parent_path() / path).lexically_normal();
  return normal.empty() || *normal.begin() != "..";
}

bool is_include(const Token& token) {
  return token.is("include") || token.is("include_next") || token.is("import") || token.is("embed");
}

bool asks_for_file(const Token& token) {
  return token.is("__has_include") || token.is("__has_include_next") || token.is("__has_embed");
}


// `at`: of the token after which the name stands.
std::optional<std::string> check_include(const std::string& file, const std::vector<Token>& tokens, std::size_t at) {
  const Token& first = at + 1 < tokens.size() ? tokens[at + 1] : tokens[at];
  if (!(first.is("<") || first.kind == simt::TokenKind::string)) {
    return place(file, tokens[at].line) + ": #include of a macro; write the header's name out";
  }
  std::string target;
  if (first.is("<")) {
    for (std::size_t i = at + 2; i < tokens.size() && !tokens[i].is(">"); ++i) {
      target += tokens[i].text;
    }
  } else {
    target = first.text.substr(1, first.text.size() - (first.text.size() > 1 ? 2 : 1));
  }
  if (stays_inside(file, target)) {
    return std::nullopt;
  }
  return place(file, first.line) + ": #include of " + target +
         " reaches outside the candidate's folder; include only its own files and installed headers";
}

enum class Kind { none, mentioned, device, host };

bool declares_device_function(const std::vector<Token>& tokens, std::size_t name) {
  bool device = false, host = false;
  for (std::size_t i = name; i-- > 0 && !tokens[i].is(";") && !tokens[i].is("}") && !tokens[i].is("{");) {
    device = device || tokens[i].is("__global__") || tokens[i].is("__device__");
    host = host || tokens[i].is("__host__");
  }
  return device && !host;
}

// What the token at `i`, which has the wanted name, is.
Kind kind_at(const std::vector<Token>& tokens, std::size_t i) {
  if (i + 1 >= tokens.size() || !tokens[i + 1].is("(")) {
    return Kind::mentioned;
  }
  std::size_t after = simt::closing(tokens, i + 1) + 1;
  if (after < tokens.size() && tokens[after].is("noexcept")) {
    ++after;
  }
  if (after >= tokens.size() || !tokens[after].is("{")) {
    return Kind::mentioned;
  }
  return declares_device_function(tokens, i) ? Kind::device : Kind::host;
}

Kind find_name(const Candidate& candidate, const std::string& name) {
  Kind best = Kind::none;
  for (const auto& [file, text] : candidate.sources) {
    for (const auto& stream : simt::lex(text)) {
      for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
        if (stream.tokens[i].name() && stream.tokens[i].is(name)) {
          best = std::max(best, kind_at(stream.tokens, i));
        }
      }
    }
  }
  return best;
}

}  // namespace

std::optional<std::string> find_too_large(const Candidate& candidate) {
  constexpr std::size_t largest = 512 * 1024;
  std::size_t size = 0;
  for (const auto& [file, text] : candidate.sources) {
    size += text.size();
  }
  if (size <= largest) {
    return std::nullopt;
  }
  return "the sources are " + std::to_string(size) + " bytes, more than the " + std::to_string(largest) +
         " that a candidate may have; make them shorter";
}

std::optional<std::string> find_empty_source(const Candidate& candidate) {
  const auto main = candidate.sources.find(candidate.main_source);
  if (main == candidate.sources.end()) {
    return "the main source " + candidate.main_source + " is not among the candidate's files";
  }
  std::vector<std::string_view> words;
  for (const auto& stream : simt::lex(main->second)) {
    if (stream.directive) {
      words.push_back("#");
    }
    for (const Token& token : stream.tokens) {
      words.push_back(token.text);
    }
  }
  if (words.empty() || (words.size() == 1 && (words[0] == "None" || words[0] == "null"))) {
    return candidate.main_source + " is empty: it holds no code";
  }
  return std::nullopt;
}

std::optional<std::string> find_outside_include(const Candidate& candidate) {
  if (auto reason = find_name_fault(candidate.sources)) {
    return reason;
  }
  for (const auto& [file, text] : candidate.sources) {
    const std::string joined = without_line_splices(text);
    for (const auto& stream : simt::lex(joined)) {
      const auto& tokens = stream.tokens;
      if (stream.directive && !tokens.empty() && is_include(tokens[0])) {
        if (auto reason = check_include(file, tokens, 0)) {
          return reason;
        }
      }
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        for (const char* directive : {".incbin", ".include"}) {
          if (tokens[i].kind == simt::TokenKind::string && tokens[i].text.find(directive) != std::string_view::npos) {
            return place(file, tokens[i].line) + ": " + directive + " reads a file at compile time, which is not allowed";
          }
        }
        const bool asked = asks_for_file(tokens[i]);
        if (asked && i + 1 < tokens.size() && tokens[i + 1].is("(")) {
          if (auto reason = check_include(file, tokens, i + 1)) {
            return reason;
          }
        } else if (asked && stream.directive && tokens[0].is("define")) {
          return place(file, tokens[i].line) + ": " + std::string(tokens[i].text) + " behind another name; write it out";
        }
        if (tokens[i].is("%") && i + 2 < tokens.size() && tokens[i + 1].is(":") && is_include(tokens[i + 2])) {
          return place(file, tokens[i].line) + ": write #include, not %:include";
        }
      }
    }
  }
  return std::nullopt;
}

EntryPoint find_entry_point(const Candidate& candidate, const std::string& entry) {
  const std::string optimized = entry + "_optimized";
  const Kind of_optimized = find_name(candidate, optimized), of_plain = find_name(candidate, entry);
  EntryPoint result;
  result.name = of_optimized >= of_plain ? optimized : entry;
  const Kind best = std::max(of_optimized, of_plain);
  result.missing = best == Kind::none;
  result.device_function = best == Kind::device;
  return result;
}

}  // namespace mskb
