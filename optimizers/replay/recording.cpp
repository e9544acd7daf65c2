#include "recording.hpp"

#include <fstream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace {

constexpr int deepest = 40;  // levels of a line; a message of the protocol nests 32 at most

const Json& member(const Json& object, const char* name) {
  static const Json nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

// Reads line after line; throws std::runtime_error with what is wrong with one.
class Reading {
 public:
  void line(const Json& line) {
    if (!line.is_object()) {
      throw std::runtime_error("is not a line of a transcript, which is a JSON object in UTF-8");
    }
    if (first_) {
      first_ = false;
      require(member(line, "schema") == 1, "is not the first line of a transcript of schema 1");
      return;
    }
    const Json& n = member(line, "n");
    require(n.is_number_integer() && n.get<long long>() > last_n_, "'n' is not a number above that of the line before it");
    last_n_ = n.get<long long>();
    const Json& from = member(line, "from");
    require(from == "harness" || from == "optimizer" || from == "session", "'from' is none of harness, optimizer and session");
    if (from == "session") {
      return;  // a suspension, after which an answer may still come, or the end
    }
    if (!line.contains("message")) {
      answers_last_ = false;
      return;  // a malformed line
    }
    const Json& message = line["message"];
    require(message.is_object(), "'message' is not an object");
    from == "harness" ? told(message) : said(message);
  }
  Recording take() { return std::move(recording_); }

 private:
  static void require(bool holds, const std::string& otherwise) {
    if (!holds) {
      throw std::runtime_error(otherwise);
    }
  }

  void told(const Json& message) {
    const Json& type = member(message, "type");
    require(type.is_string(), "a message of the harness has no 'type'");
    if (type == "start") {
      require(recording_.start.is_null(), "'start' stands there a second time");
      require(member(message, "task").is_string() && member(message, "precision").is_string(), "'task' and 'precision' of 'start' are texts");
      recording_.start = message;
      return;
    }
    require(!recording_.start.is_null(), "a message stands before 'start'");
    if (type == "evaluation") {
      require(answers_last_ && recording_.sent.back().message["type"] == "evaluate", "an 'evaluation' follows no 'evaluate'");
      require_evaluation(message);
      recording_.sent.back().evaluation = message;
    } else if (type == "error" && answers_last_) {
      recording_.sent.pop_back();  // the harness refused it
    }
    answers_last_ = false;
  }

  void said(const Json& message) {
    require(!recording_.start.is_null(), "a message stands before 'start'");
    answers_last_ = member(message, "type").is_string();
    if (answers_last_) {
      recording_.sent.push_back({message});
    }
  }

  static void require_evaluation(const Json& message) {
    const Json& cases = member(message, "cases");
    bool right = member(message, "id").is_string() && member(message, "verdict").is_string() && cases.is_array();
    for (const Json& each : right ? cases : Json::array()) {
      right = right && each.is_object() && member(each, "case").is_string() && member(each, "verdict").is_string();
    }
    require(right, "'id', 'verdict' and 'cases' of an 'evaluation' are not as the harness writes them");
  }

  Recording recording_;
  bool first_ = true;
  bool answers_last_ = false;  // the next message of the harness answers the last of `sent`
  long long last_n_ = 0;
};

// Discarded where it is none, or nests without measure.
Json parse(const std::string& text) {
  bool deep = false;
  Json json = Json::parse(
      text,
      [&](int depth, Json::parse_event_t, Json&) {
        deep = deep || depth > deepest;
        return depth <= deepest;
      },
      false);
  return deep ? Json(Json::value_t::discarded) : json;
}

}  // namespace

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

Recording read_recording(const fs::path& file, const std::string& task, const std::string& precision) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw std::runtime_error(file.string() + ": cannot be read");
  }
  Reading reading;
  int number = 0;
  for (std::string text; std::getline(stream, text);) {
    ++number;
    const Json line = parse(text);
    if (stream.eof() && !line.is_object()) {
      break;  // cut while it was written
    }
    try {
      reading.line(line);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(file.string() + ":" + std::to_string(number) + ": " + error.what() + "; take the transcript as mskb wrote it");
    }
  }
  Recording recording = reading.take();
  if (recording.start.is_null()) {
    throw std::runtime_error(file.string() + ": holds no session");
  }
  if (recording.start["task"] != task || recording.start["precision"] != precision) {
    throw std::runtime_error(file.string() + ": is about " + recording.start["task"].get<std::string>() + "/" +
                             recording.start["precision"].get<std::string>() + ", and this session about " + task + "/" + precision);
  }
  return recording;
}
