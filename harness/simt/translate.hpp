// CUDA source to C++ for the headers in simt/include: kernel launches and `__shared__` declarations are rewritten,
// everything else is left to the headers. Lines keep their numbers (the result begins with a #line directive).
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mskb::simt {

// Something that cannot be translated without guessing. `line` counts from 1 in the source.
struct TranslateError : std::runtime_error {
  TranslateError(int line_number, const std::string& message)
      : std::runtime_error("line " + std::to_string(line_number) + ": " + message), line(line_number) {}
  int line;
};

std::string translate(std::string_view source, std::string_view file_name);

// A feature that the CPU backend does not have, and where the source asks for it.
struct Unsupported {
  std::string feature;
  int line;
};
// Throws TranslateError.
std::optional<Unsupported> find_unsupported(std::string_view source);

enum class Flavour { plain, asan, races };

// Flags for the host compiler to turn translated source into a shared object for the worker of that flavour.
// `include_directory` is harness/simt/include of this tree or of the installed one.
std::vector<std::string> compile_flags(Flavour flavour, const std::string& include_directory);

}  // namespace mskb::simt
