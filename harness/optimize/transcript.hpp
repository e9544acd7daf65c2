#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/candidate.hpp"
#include "optimize/json.hpp"
#include "store/append_file.hpp"

namespace mskb {

inline constexpr int transcript_schema = 1;

// The whole exchange of one session, one line per message, each on disk before the conversation goes on:
//   {"schema": 1, "optimizer": ..., "problem": ..., ...}
//   {"n": 1, "t": 0.01, "from": "harness" | "optimizer", "message": {...}}
//   {"n": 2, "t": 0.02, "from": "optimizer", "text": "how a malformed line starts", "bytes": 12}
//   {"n": 9, "t": 9.50, "from": "session", "end": {...}}
class Transcript {
 public:
  // Makes the folders that are missing. A file that is there already (of a session that was cut off) is moved aside to <name>.cut-<n>.
  Transcript(const std::filesystem::path& file, const Json& head);

  void from_harness(const std::string& message);    // one line of JSON
  void from_optimizer(const std::string& message);  // one line of JSON, kept as it was sent
  void malformed(const std::string& line);
  void end(const Json& end);

 private:
  void append(const std::string& from, const std::string& members);

  AppendFile file_;
  int count_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct TranscriptLine {
  bool from_harness = false;
  Json message;  // null for a malformed line
};

struct StoredTranscript {
  Json head;
  std::vector<TranscriptLine> lines;
  std::optional<Json> end;  // nothing: the session was cut off
};

// Throws InputError for a file that is no transcript; an incomplete last line is left out.
StoredTranscript read_transcript(const std::filesystem::path& file);

// Candidates as they stand in messages and transcripts.
Json to_json(const Candidate& candidate);
Candidate candidate_from_json(const Json& json);

}  // namespace mskb
