#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "common/chat_json.hpp"

namespace mskb::agents {

struct RecordedAnswer {
  int line = 0;
  std::string agent;
  nlohmann::json request;
  ChatAnswer answer;
};

// Reads JSON Lines of {"agent", "request", "answer"}. A session's transcript is understood as well: there they are members of a note, and
// what is no such note is passed over. A last line that was cut off is left out. Throws std::invalid_argument with file and line.
std::vector<RecordedAnswer> read_recorded_answers(const std::filesystem::path& file);

// The same for a journal, whose every line is an answer: one that were passed over would be paid for again.
std::vector<RecordedAnswer> read_journal(const std::filesystem::path& file);

}  // namespace mskb::agents
