#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "model/task_file.hpp"

namespace mskb {

namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Expander {
 public:
  Expander(std::string_view text, const Problem& problem) : text_(text), problem_(problem) {}

  std::string expand() { return expand(0, text_.size()); }

 private:
  bool bf16() const { return problem_.precision == Precision::bf16; }

  [[noreturn]] void fail(std::size_t at, const std::string& reason) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw InputError(fmt::format("{}:{}: {}", problem_.task->file("reference.cu"), line, reason));
  }

  std::string expand(std::size_t begin, std::size_t end) {
    std::string out;
    std::size_t at = begin;
    while (at < end) {
      if (text_[at] == '$') {
        at = token(at, end, out);
      } else {
        out += text_[at++];
      }
    }
    return out;
  }

  // Handles the token at `at` and returns where the text goes on.
  std::size_t token(std::size_t at, std::size_t end, std::string& out) {
    std::size_t stop = at + 1;
    while (stop < end && is_name(text_[stop])) ++stop;
    const std::string_view word = text_.substr(at + 1, stop - at - 1);
    if (word == "real") {
      out += bf16() ? "__nv_bfloat16" : "float";
    } else if (word == "entry") {
      out += problem_.entry();
    } else if (word == "load" || word == "store") {
      const std::size_t close = closing(stop, end, '(', ')');
      const std::string inner = expand(stop + 1, close);
      out += !bf16() ? inner : fmt::format("{}({})", word == "load" ? "__bfloat162float" : "__float2bfloat16", inner);
      stop = close + 1;
    } else if (word == "fp32" || word == "bf16") {
      const std::size_t close = closing(stop, end, '{', '}');
      stop = block((word == "bf16") == bf16(), stop + 1, close, out);
    } else {
      fail(at, fmt::format("unknown token ${}; write $real, $entry, $load(), $store(), $fp32{{}} or $bf16{{}}", word));
    }
    return stop;
  }

  // A block whose marks stand alone on their lines takes those lines with it.
  std::size_t block(bool kept, std::size_t begin, std::size_t close, std::string& out) {
    const std::size_t line = out.rfind('\n') + 1;  // npos + 1 = 0
    const bool starts_line = out.find_first_not_of(' ', line) == std::string::npos;
    std::size_t after = close + 1;
    while (after < text_.size() && text_[after] == ' ') ++after;
    const bool ends_line = after == text_.size() || text_[after] == '\n';
    const bool whole_lines = starts_line && ends_line;
    if (!kept) {
      if (!whole_lines) return close + 1;
      out.resize(line);
      return std::min(after + 1, text_.size());
    }
    std::size_t end = close;
    while (end > begin && text_[end - 1] == ' ') --end;
    if (whole_lines && text_[begin] == '\n') {
      out.resize(line);
      out += expand(begin + 1, end);
      return std::min(after + 1, text_.size());
    }
    while (begin < end && text_[begin] == ' ') ++begin;
    out += expand(begin, end);
    return close + 1;
  }

  // Where the bracket that opens at `at` closes; comments, strings and character literals are stepped over.
  std::size_t closing(std::size_t at, std::size_t end, char open, char close) const {
    if (at >= end || text_[at] != open) {
      fail(std::min(at, end - 1), fmt::format("'{}' must follow the token", open));
    }
    int depth = 0;
    for (std::size_t i = at; i < end; ++i) {
      const std::string_view rest = text_.substr(i, 2);
      if (rest == "//" || rest == "/*") {
        const std::size_t stop = rest == "//" ? text_.find('\n', i) : text_.find("*/", i + 2);
        if (stop == std::string_view::npos) break;
        i = rest == "//" ? stop : stop + 1;
      } else if (text_[i] == '"' || text_[i] == '\'') {
        const char quote = text_[i];
        for (++i; i < end && text_[i] != quote; ++i) {
          if (text_[i] == '\\') ++i;
        }
      } else if (text_[i] == open) {
        ++depth;
      } else if (text_[i] == close && --depth == 0) {
        return i;
      }
    }
    fail(at, fmt::format("'{}' is never closed", open));
  }

  std::string_view text_;
  const Problem& problem_;
};

std::string_view c_type(ElementType type) {
  switch (type) {
    case ElementType::f32: return "float";
    case ElementType::bf16: return "__nv_bfloat16";
    case ElementType::i32: return "int";
  }
  return "void";
}

}  // namespace

std::string expand_source(std::string_view text, const Problem& problem) { return Expander(text, problem).expand(); }

Candidate reference_candidate(const Problem& problem) {
  Candidate candidate;
  candidate.origin = "reference";
  candidate.main_source = problem.entry() + ".cu";
  candidate.sources[candidate.main_source] = expand_source(read_file(problem.task->directory / "reference.cu"), problem);
  return candidate;
}

std::string declaration(const Problem& problem) {
  std::string parameters;
  for (const Argument& argument : problem.task->signature) {
    parameters += fmt::format("{}{}{}{} {}", parameters.empty() ? "" : ", ", argument.role == Role::in ? "const " : "",
                              c_type(argument.element_type(problem.precision)), argument.is_buffer() ? "*" : "",
                              argument.name);
  }
  return fmt::format("void {}({})", problem.entry(), parameters);
}

}  // namespace mskb
