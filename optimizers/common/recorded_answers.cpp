#include "common/recorded_answers.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "base/errors.hpp"
#include "base/files.hpp"

namespace mskb::agents {

using nlohmann::json;

namespace {

// Throws std::exception where it is none that request_json() writes.
void require_request(const json& request) {
  request.at("model").get<std::string>();
  for (const json& message : request.at("messages")) {
    message.at("role").get<std::string>();
    message.at("content").get<std::string>();
  }
}

std::vector<RecordedAnswer> read(const std::filesystem::path& file, bool journal) {
  std::string text;
  try {
    text = read_file(file);
  } catch (const InputError& error) {
    throw std::invalid_argument(error.what());
  }
  const std::string mend = journal ? "correct or remove the line; an answer that is removed is asked for again" : "name a transcript";
  std::vector<RecordedAnswer> answers;
  int line = 0;
  for (std::size_t at = 0; at < text.size();) {
    ++line;
    const std::size_t newline = text.find('\n', at), end = std::min(newline, text.size());
    const std::string_view words = std::string_view(text).substr(at, end - at);
    at = end + 1;
    const std::string where = file.string() + ":" + std::to_string(line) + ": ";
    if (words.find_first_not_of(" \r\t") == std::string_view::npos) {
      continue;
    }
    json value = json::parse(words, nullptr, false);
    if (!value.is_object()) {
      if (newline == std::string::npos) {
        break;  // cut while it was written
      }
      throw std::invalid_argument(where + "is not a JSON object in UTF-8; " + mend);
    }
    if (!journal && value.contains("message") && value["message"].is_object()) {
      value = json(value["message"]);
    }
    if (!journal && (!value.contains("request") || !value.contains("answer"))) {
      continue;
    }
    try {
      const std::string name = value.contains("agent") ? "agent" : "role";
      require_request(value.at("request"));
      answers.push_back({line, value.at(name).get<std::string>(), value.at("request"), answer_from_json(value.at("answer"))});
    } catch (const std::exception& error) {
      throw std::invalid_argument(where + "no recorded answer: " + error.what() + "; " + mend);
    }
  }
  return answers;
}

}  // namespace

std::vector<RecordedAnswer> read_recorded_answers(const std::filesystem::path& file) { return read(file, false); }
std::vector<RecordedAnswer> read_journal(const std::filesystem::path& file) { return read(file, true); }

}  // namespace mskb::agents
