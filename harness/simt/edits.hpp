// Replacements in a source text, collected in any order and applied at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mskb::simt {

class Edits {
 public:
  // `text` takes the place of source[begin, end). Newlines of the replaced range are kept.
  void replace(std::size_t begin, std::size_t end, std::string text);
  void insert(std::size_t at, std::string text) { replace(at, at, std::move(text)); }
  std::string apply(std::string_view source) const;

 private:
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };
  std::vector<Edit> edits_;
};

}  // namespace mskb::simt
