#include "optimize/session_record.hpp"

#include "optimize/messages.hpp"

namespace mskb {

namespace {

// The order of members does not matter.
nlohmann::json plain(const Json& value) { return nlohmann::json::parse(one_line(value)); }

bool is(const TranscriptLine& line, const char* type) { return line.message.is_object() && line.message.value("type", Json()) == type; }

}  // namespace

SessionRecord::SessionRecord(StoredTranscript stored) : lines_(std::move(stored.lines)) {
  if (!lines_.empty() && lines_[0].from_harness && is(lines_[0], "start")) {
    start_ = lines_[0].message;
    taken_bytes_ = lines_[0].end;
    next_ = 1;
  } else {
    lines_.clear();
  }
}

bool SessionRecord::take(const std::string& line) {
  if (!follows() || lines_[next_].from_harness) {
    return false;
  }
  const TranscriptLine& recorded = lines_[next_];
  if (recorded.message.is_null()) {
    if (recorded.text != excerpt(line, malformed_kept)) {
      return false;
    }
  } else {
    try {
      if (plain(parse_shallow(line)) != plain(recorded.message)) {
        return false;
      }
    } catch (const Nested&) {
      return false;
    } catch (const Json::exception&) {
      return false;
    }
  }
  taken_bytes_ = recorded.end;
  ++next_;
  return true;
}

std::vector<TranscriptLine> SessionRecord::replies() {
  std::vector<TranscriptLine> replies;
  for (; follows() && lines_[next_].from_harness; ++next_) {
    taken_bytes_ = lines_[next_].end;
    replies.push_back(std::move(lines_[next_]));
  }
  return replies;
}

std::uint64_t SessionRecord::part() {
  const TranscriptLine* request = nullptr;
  for (; follows(); ++next_) {
    TranscriptLine& line = lines_[next_];
    if (is(line, "evaluate")) {
      request = &line;
    } else if (line.from_harness && is(line, "evaluation") && request != nullptr) {
      left_[plain(request->message).dump()].push_back(std::move(line));
    }
  }
  return taken_bytes_;
}

std::optional<TranscriptLine> SessionRecord::evaluation(const Json& request) {
  if (left_.empty()) {
    return std::nullopt;
  }
  const auto found = left_.find(plain(request).dump());
  if (found == left_.end() || found->second.empty()) {
    return std::nullopt;
  }
  TranscriptLine line = std::move(found->second.front());
  found->second.pop_front();
  return line;
}

}  // namespace mskb
