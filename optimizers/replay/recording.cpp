#include "recording.hpp"

#include <fstream>
#include <stdexcept>

namespace fs = std::filesystem;

fs::path find_transcript(const fs::path& folder, const std::string& chosen, const std::string& task, const std::string& precision) {
  if (!chosen.empty() && fs::is_regular_file(chosen)) {
    return chosen;
  }
  const fs::path file = fs::path(chosen.empty() ? folder : fs::path(chosen)) / "transcripts" / task / (precision + ".jsonl");
  if (!fs::is_regular_file(file)) {
    throw std::runtime_error(file.string() + ": there is no such transcript; choose one with --option transcript=FILE");
  }
  return file;
}

Recording read_recording(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  Recording recording;
  int number = 0;
  for (std::string text; std::getline(stream, text);) {
    ++number;
    const Json line = Json::parse(text, nullptr, false);
    if (!line.is_object()) {
      if (stream.eof()) {
        break;  // cut while it was written
      }
      throw std::runtime_error(file.string() + ":" + std::to_string(number) + ": is not a line of a transcript");
    }
    if (number == 1) {
      if (line.value("schema", 0) != 1) {
        throw std::runtime_error(file.string() + ": is not a transcript of schema 1");
      }
      continue;
    }
    const Json message = line.value("message", Json());
    if (!message.is_object() || !message.contains("type")) {
      continue;
    }
    if (line.value("from", "") == "optimizer") {
      recording.messages.push_back(message);
    } else if (message["type"] == "start") {
      recording.start = message;
    } else {
      recording.replies.push_back(message);
    }
  }
  if (recording.start.is_null()) {
    throw std::runtime_error(file.string() + ": holds no session");
  }
  return recording;
}
