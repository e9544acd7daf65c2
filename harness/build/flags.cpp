#include "build/flags.hpp"

#include <array>
#include <optional>
#include <regex>

#include "base/errors.hpp"
#include "build/builder.hpp"
#include "build/first_error.hpp"

namespace mskb {

namespace {

struct Allowed {
  const char* pattern;
  bool on_cpu;
};

const std::array allowed{
    Allowed{R"(-D[A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-9_.+-]*)?)", true},
    Allowed{R"(-O[0-3])", false},
    Allowed{R"(--?use_fast_math)", false},
    Allowed{R"(--?maxrregcount=[0-9]{1,3})", false},
    Allowed{R"(--?fmad=(true|false))", false},
    Allowed{R"(--?(ftz|prec-div|prec-sqrt)=(true|false))", false},
    Allowed{R"(-lineinfo|--generate-line-info)", false},
    Allowed{R"(--?extra-device-vectorization)", false},
    Allowed{R"(-Xptxas[= ](-O[0-3]|-(dlcm|dscm)=[a-z]{2}|--?allow-expensive-optimizations=(true|false)))", false},
};

constexpr std::size_t longest_flag = 1000;  // std::regex ends the process for a long text
constexpr std::size_t most_flags = 64;

const Allowed* match(const std::string& flag) {
  if (flag.size() > longest_flag) {
    return nullptr;
  }
  for (const Allowed& entry : allowed) {
    if (std::regex_match(flag, std::regex(entry.pattern))) {
      return &entry;
    }
  }
  return nullptr;
}

// A macro that would change our own text or the compiler's.
bool is_reserved_macro(const std::string& flag) {
  return flag.starts_with("-D__") || flag.starts_with("-Dmskb") || flag.starts_with("-DMSKB");
}

// "-Xptxas", "-O3" and "-Xptxas -O3" are both written; nvcc takes "-Xptxas=-O3" as one word.
std::vector<std::string> joined(const std::vector<std::string>& flags) {
  std::vector<std::string> whole;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    std::string flag = flags[i];
    if (flag == "-Xptxas" && i + 1 < flags.size()) {
      flag += "=" + flags[++i];
    } else if (flag.starts_with("-Xptxas ")) {
      flag[7] = '=';
    }
    whole.push_back(std::move(flag));
  }
  return whole;
}

}  // namespace

std::optional<std::string> refused_flag(const std::vector<std::string>& flags) {
  if (flags.size() > most_flags) {
    return "there are " + std::to_string(flags.size()) + " flags; a candidate may add " + std::to_string(most_flags);
  }
  for (const std::string& flag : joined(flags)) {
    if (match(flag) == nullptr || is_reserved_macro(flag)) {
      return "flag '" + display_line(flag, 80) +
             "' is not one that a candidate may add; allowed are -DNAME[=VALUE], -O0 to -O3, -use_fast_math, "
             "--maxrregcount=N, "
             "--fmad=, --ftz=, --prec-div=, --prec-sqrt=, -lineinfo, --extra-device-vectorization, -Xptxas -O";
    }
  }
  return std::nullopt;
}

void require_allowed_flags(const std::vector<std::string>& flags) {
  if (const auto reason = refused_flag(flags)) {
    throw InputError(*reason);
  }
}

CompilerFlags flags_for(Backend backend, const std::vector<std::string>& flags) {
  CompilerFlags result;
  for (const std::string& flag : joined(flags)) {
    const Allowed* entry = match(flag);
    const bool used = backend == Backend::cuda || (entry != nullptr && entry->on_cpu);
    (used ? result.used : result.ignored).push_back(flag);
    result.optimization = result.optimization || (used && flag.starts_with("-O"));
  }
  return result;
}

}  // namespace mskb
