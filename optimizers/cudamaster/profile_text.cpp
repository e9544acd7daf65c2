#include "cudamaster/profile_text.hpp"

#include <nlohmann/json.hpp>

namespace mskb::cudamaster {

std::string shown_profile(const std::string& profile, bool full) {
  using Json = nlohmann::ordered_json;
  const Json json = Json::parse(profile, nullptr, false);
  if (json.is_discarded()) {
    return profile + "\n";
  }
  const char* const part = full ? "full" : "filtered";
  const Json& shown = json.is_object() && json.contains(part) ? json[part] : json;
  return shown.is_string() ? shown.get<std::string>() + "\n" : "```json\n" + shown.dump(1) + "\n```\n";
}

}  // namespace mskb::cudamaster
