#include "common/protocol.hpp"

namespace mskb::agents {

using nlohmann::json;

const json& member(const json& object, const char* name) {
  static const json nothing;
  if (!object.is_object()) {
    return nothing;
  }
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : ""; }

std::optional<double> number_of(const json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::string error_text(const json& body) {
  const json& error = member(body, "error");
  for (const json* candidate : {&member(error, "message"), &error, &member(body, "message"), &member(body, "detail")}) {
    if (candidate->is_string()) {
      return candidate->get<std::string>();
    }
  }
  return text_of(member(error, "type"));
}

std::vector<std::string> bearer_headers(const std::string& key) {
  return key.empty() ? std::vector<std::string>{} : std::vector<std::string>{"Authorization: Bearer " + key};
}

}  // namespace mskb::agents
