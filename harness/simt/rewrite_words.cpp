#include "simt/rewrite.hpp"

namespace mskb::simt {
namespace {

// End of a cast to (const) void* that begins at `at`, or `at` if none does.
std::size_t void_cast_end(const std::vector<Token>& tokens, std::size_t at) {
  const bool named = at + 1 < tokens.size() && tokens[at].is("reinterpret_cast") && tokens[at + 1].is("<");
  std::size_t i = named ? at + 2 : at + 1;
  if (!named && !(at < tokens.size() && tokens[at].is("("))) return at;
  if (i < tokens.size() && tokens[i].is("const")) ++i;
  const std::string_view close = named ? ">" : ")";
  const bool matches =
      i + 2 < tokens.size() && tokens[i].is("void") && tokens[i + 1].is("*") && tokens[i + 2].is(close);
  return matches ? i + 3 : at;
}

}  // namespace

void rewrite_words(const TokenStream& stream, Edits& edits) {
  const auto& tokens = stream.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is("__noinline__") && !(i > 0 && tokens[i - 1].is("("))) {
      edits.replace(tokens[i].offset, tokens[i].end(), " __attribute__ ( ( noinline ) ) ");
    }
    if (tokens[i].is("cudaLaunchKernel") && i + 1 < tokens.size() && tokens[i + 1].is("(")) {
      const auto end = void_cast_end(tokens, i + 2);
      if (end > i + 2) edits.replace(tokens[i + 2].offset, tokens[end - 1].end(), " ");
    }
  }
}

}  // namespace mskb::simt
