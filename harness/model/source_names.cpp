#include "model/source_names.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/characters.hpp"

namespace mskb {

namespace {

constexpr std::size_t longest = 200;

bool can_be_shown(std::string_view name) {
  while (!name.empty()) {
    const Character character = next_character(name);
    if (!character.valid || character.code == '\n' || character.code == '\t' || cannot_be_shown(character.code)) {
      return false;
    }
    name.remove_prefix(character.bytes);
  }
  return true;
}

std::string fault_of(const std::string& name) {
  const std::filesystem::path path(name);
  if (name.empty() || path.is_absolute() || !path.has_filename() || name != path.lexically_normal().string() || *path.begin() == ".." ||
      *path.begin() == ".") {
    return "is not a relative path inside the candidate's folder, such as kernel.cu or parts/tile.cuh";
  }
  if (name.size() > longest) {
    return fmt::format("is longer than {} bytes; choose a shorter one", longest);
  }
  if (!can_be_shown(name)) {
    return "is not UTF-8 or has characters that cannot be seen; choose another";
  }
  if (name.find_first_of("\"\\") != std::string::npos) {
    return "has a quote or a backslash; choose another";
  }
  if (*path.begin() == "candidate.yaml" || name.starts_with("mskb_shim") || name.find(".tmp.") != std::string::npos) {
    return "is kept for the harness; choose another";
  }
  return "";
}

}  // namespace

std::optional<std::string> find_name_fault(const std::map<std::string, std::string>& sources) {
  for (const auto& [name, text] : sources) {
    const auto inner = sources.lower_bound(name + "/");
    const std::string fault = inner != sources.end() && inner->first.starts_with(name + "/") ? "is also that of a folder of other files; rename one"
                                                                                            : fault_of(name);
    if (!fault.empty()) {
      return fmt::format("file name '{}' {}", first_characters(visible_line(name), 80), fault);
    }
  }
  return std::nullopt;
}

}  // namespace mskb
