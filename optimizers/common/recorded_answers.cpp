#include "common/recorded_answers.hpp"

#include <stdexcept>

#include "base/errors.hpp"
#include "base/files.hpp"

namespace mskb::agents {

using nlohmann::json;

std::vector<RecordedAnswer> read_recorded_answers(const std::filesystem::path& file) {
  std::string text;
  try {
    text = read_file(file);
  } catch (const InputError& error) {
    throw std::invalid_argument(error.what());
  }
  std::vector<RecordedAnswer> answers;
  int line = 0;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    ++line;
    const std::string where = file.string() + ":" + std::to_string(line) + ": ";
    if (text.find_first_not_of(" \r\t", at) == end) {
      continue;
    }
    json value = json::parse(text.substr(at, end - at), nullptr, false);
    if (!value.is_object()) {
      throw std::invalid_argument(where + "is not a JSON object; name a transcript");
    }
    if (value.contains("message") && value["message"].is_object()) {
      value = json(value["message"]);
    }
    if (!value.contains("request") || !value.contains("answer")) {
      continue;
    }
    try {
      const std::string name = value.contains("agent") ? "agent" : "role";
      answers.push_back({line, value.at(name).get<std::string>(), value.at("request"), answer_from_json(value.at("answer"))});
    } catch (const std::exception& error) {
      throw std::invalid_argument(where + "no recorded answer: " + error.what());
    }
  }
  return answers;
}

}  // namespace mskb::agents
