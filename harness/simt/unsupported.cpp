#include <array>

#include "simt/conditions.hpp"
#include "simt/tokens.hpp"
#include "simt/translate.hpp"

namespace mskb::simt {
namespace {

struct Name {
  std::string_view prefix;  // of the identifier, or all of it when `whole`
  bool whole;
  std::string_view feature;
};

// `cuda::` is looked at apart.
constexpr std::array names{
    Name{"wmma", true, "tensor-core intrinsics (wmma)"},
    Name{"nvcuda", true, "tensor-core intrinsics (wmma)"},
    Name{"__wmma_", false, "tensor-core intrinsics (wmma)"},
    Name{"__hmma_", false, "tensor-core intrinsics (mma)"},
    Name{"__imma_", false, "tensor-core intrinsics (mma)"},
    Name{"__mma_", false, "tensor-core intrinsics (mma)"},
    Name{"cooperative_groups", true, "cooperative groups"},
    Name{"cudaLaunchCooperativeKernel", false, "cooperative launch"},
    Name{"__pipeline_", false, "asynchronous copies (cuda pipeline)"},
    Name{"cudaTextureObject_t", true, "textures"},
    Name{"tex1D", false, "textures"},
    Name{"tex2D", false, "textures"},
    Name{"tex3D", false, "textures"},
    Name{"cudaSurfaceObject_t", true, "surfaces"},
    Name{"surf1D", false, "surfaces"},
    Name{"surf2D", false, "surfaces"},
    Name{"surf3D", false, "surfaces"},
    Name{"cudaLaunchKernelEx", false, "extended launches (clusters, programmatic launch)"},
    Name{"__cluster_dims__", true, "thread block clusters"},
    Name{"cudaGraphAdd", false, "graphs built node by node"},
    Name{"cuLaunchKernel", false, "the driver interface"},
    Name{"cuModule", false, "the driver interface"},
    Name{"CUtensorMap", false, "tensor maps (TMA)"},
    Name{"__nv_fp8", false, "FP8 types"},
};

// Headers under simt/include.
constexpr std::array provided{std::string_view{"cuda_runtime.h"}, std::string_view{"cuda_runtime_api.h"},
                              std::string_view{"cuda.h"},         std::string_view{"cuda_bf16.h"},
                              std::string_view{"cuda_fp16.h"},    std::string_view{"cuda_bf16.hpp"},
                              std::string_view{"cuda_fp16.hpp"}};

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

// The header that an include directive names; empty if it names none. `quoted`: "header", which may be the candidate's
// own.
std::string included_header(const std::vector<Token>& tokens, bool& quoted) {
  quoted = false;
  if (tokens.size() < 2 || !tokens[0].is("include")) return {};
  std::string header;
  if (tokens[1].kind == TokenKind::string) {
    quoted = true;
    header = tokens[1].text.substr(1, tokens[1].text.size() - 2);
  } else if (tokens[1].is("<")) {
    for (std::size_t i = 2; i < tokens.size() && !tokens[i].is(">"); ++i) header += tokens[i].text;
  }
  return header;
}

// Headers of the CUDA toolkit that the CPU backend does not have.
bool is_missing_header(std::string_view header, bool quoted) {
  for (const auto known : provided) {
    if (header == known) return false;
  }
  const bool extension = !quoted && header.size() > 4 && header.substr(header.size() - 4) == ".cuh";
  return extension || starts_with(header, quoted ? "cuda_" : "cu") || starts_with(header, "thrust/") ||
         (!quoted && starts_with(header, "nv")) || starts_with(header, "cooperative_groups") || header == "mma.h" ||
         starts_with(header, "texture_") || starts_with(header, "surface_") || starts_with(header, "crt/");
}

std::optional<Unsupported> in_code(const std::vector<Token>& tokens, const InactiveLines& inactive) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (!token.name() || inactive.contain(token.line)) continue;
    if (token.is("asm") || token.is("__asm__") || token.is("__asm")) {
      std::size_t at = i + 1;
      while (at < tokens.size() && tokens[at].name()) ++at;
      const bool has_text = at + 1 < tokens.size() && tokens[at].is("(") && tokens[at + 1].kind == TokenKind::string;
      if (has_text && tokens[at + 1].is("\"\"")) continue;  // only a barrier for the compiler
      std::string instruction;
      if (has_text) {
        for (const char c : tokens[at + 1].text.substr(1)) {
          if (c == ' ' && instruction.empty()) continue;
          if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == ':')) break;
          instruction += c;
        }
      }
      return Unsupported{instruction.empty() ? "inline PTX" : "inline PTX (" + instruction + ")", token.line};
    }
    if (token.is("cuda") && i + 2 < tokens.size() && tokens[i + 1].is("::") &&
        !(i > 0 && tokens[i - 1].is("::") && i > 1 && tokens[i - 2].name())) {
      return Unsupported{"cuda::" + std::string(tokens[i + 2].text), token.line};
    }
    for (const auto& name : names) {
      const bool found = name.whole ? token.text == name.prefix : starts_with(token.text, name.prefix);
      if (found) return Unsupported{std::string(name.feature), token.line};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Unsupported> find_unsupported(std::string_view source) {
  std::optional<Unsupported> first;
  const auto streams = lex(source);
  const InactiveLines inactive(streams);
  for (const auto& stream : streams) {
    if (stream.directive && !stream.tokens.empty() && inactive.contain(stream.tokens[0].line)) continue;
    std::optional<Unsupported> found;
    bool quoted = false;
    const auto header = stream.directive ? included_header(stream.tokens, quoted) : std::string();
    if (!header.empty()) {
      if (is_missing_header(header, quoted)) found = Unsupported{"header " + header, stream.tokens[0].line};
    } else {
      found = in_code(stream.tokens, inactive);
    }
    if (found && (!first || found->line < first->line)) first = found;
  }
  return first;
}

}  // namespace mskb::simt
