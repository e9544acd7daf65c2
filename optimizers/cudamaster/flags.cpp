#include "cudamaster/flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <regex>

namespace mskb::cudamaster {

namespace {

struct Allowed {
  const char* pattern;
  const char* meaning;
};

// A test holds this list against the harness's own.
const Allowed allowed[] = {
    {R"(-D(?!__|mskb|MSKB)[A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-9_.+-]*)?)",
     "-DNAME or -DNAME=VALUE: a macro of the kernel's own"},
    {R"(-O[0-3])", "-O0 to -O3: the level for host code, in place of the -O3 that is set"},
    {R"(--?use_fast_math)",
     "--use_fast_math: fast intrinsics, denormals flushed, approximate division and square root"},
    {R"(--?maxrregcount=[0-9]{1,3})", "--maxrregcount=N: at most N registers per thread"},
    {R"(--?fmad=(true|false))", "--fmad=true|false: contraction of multiply and add"},
    {R"(--?(ftz|prec-div|prec-sqrt)=(true|false))",
     "--ftz=, --prec-div=, --prec-sqrt=, each true|false: the parts of fast math one by one"},
    {R"(-lineinfo|--generate-line-info)", "-lineinfo: source lines for profilers"},
    {R"(--?extra-device-vectorization)", "--extra-device-vectorization: more vectorization in the device compiler"},
    {R"(-Xptxas=(-O[0-3]|-(dlcm|dscm)=[a-z]{2}|--?allow-expensive-optimizations=(true|false)))",
     "-Xptxas=-O0 to -O3, -Xptxas=-dlcm=ca|cg|cs|cv, -Xptxas=-dscm=wb|cg|cs|wt, "
     "-Xptxas=--allow-expensive-optimizations=true|false: "
     "the assembler's level, cache use of loads and of stores, effort"},
};

bool is_allowed(const std::string& flag) {
  return flag.size() < 200 &&  // std::regex recurses for each character
         std::any_of(std::begin(allowed), std::end(allowed),
                     [&](const Allowed& entry) { return std::regex_match(flag, std::regex(entry.pattern)); });
}

}  // namespace

FlagChoice choose_flags(const std::vector<std::string>& wanted) {
  constexpr std::size_t most = 40, longest_told = 200;
  FlagChoice choice;
  for (std::string flag : wanted) {
    if (flag.starts_with("-Xptxas ")) {
      flag[7] = '=';
    }
    const bool accepted = choice.accepted.size() < most && is_allowed(flag);
    if (accepted) {
      choice.accepted.push_back(flag);
    } else if (choice.refused.size() < most) {
      choice.refused.push_back(flag.size() <= longest_told ? flag : flag.substr(0, longest_told) + "...");
    }
  }
  return choice;
}

std::string flags_text(const std::vector<std::string>& flags) {
  return flags.empty() ? "none" : fmt::format("{}", fmt::join(flags, " "));
}

std::string allowed_flags_text() {
  std::string text;
  for (const Allowed& entry : allowed) {
    text += std::string("- ") + entry.meaning + "\n";
  }
  return text;
}

}  // namespace mskb::cudamaster
