#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/candidate.hpp"
#include "optimize/json.hpp"
#include "store/append_file.hpp"

namespace mskb {

inline constexpr int transcript_schema = 1;
inline constexpr std::size_t malformed_kept = 2000;  // bytes of a malformed line

struct TranscriptLine {
  bool from_harness = false;
  Json message;           // null for a malformed line
  std::string text;       // how a malformed line starts
  double device_s = 0;    // of an `evaluation`
  std::uint64_t end = 0;  // where the line ends in the file, in bytes
};

struct StoredTranscript {
  Json head;
  std::vector<TranscriptLine> lines;  // of the conversation
  std::optional<Json> end;            // nothing: the session was cut off, or is suspended
  std::uint64_t bytes = 0;            // without an incomplete last line
  int count = 0;                      // the last line's `n`
  double seconds = 0;                 // its `t`
  std::string suspended;              // why, where the last line is a suspension's
};

// Throws InputError for a file that is no transcript; an incomplete last line is left out.
StoredTranscript read_transcript(const std::filesystem::path& file);

// The whole exchange of one session, one line per message, each on disk before the conversation goes on:
//   {"schema": 1, "optimizer": ..., "problem": ..., ...}
//   {"n": 1, "t": 0.01, "from": "harness" | "optimizer", "message": {...}}
//   {"n": 2, "t": 0.02, "from": "optimizer", "text": "how a malformed line starts", "bytes": 12}
//   {"n": 5, "t": 1.25, "from": "session", "suspended": "why", "key": "..."}
//   {"n": 9, "t": 9.50, "from": "session", "end": {...}}
// `t` counts the seconds in which the session was led.
class Transcript {
 public:
  // Makes the folders that are missing. A file that is there already is moved aside to <name>.cut-<n>.
  Transcript(const std::filesystem::path& file, const Json& head);
  // Goes on with a file as it was read; an incomplete last line is cut away.
  static Transcript go_on(const std::filesystem::path& file, const StoredTranscript& stored);

  void from_harness(const std::string& message);    // one line of JSON
  void evaluation(const std::string& message, double device_s);
  void from_optimizer(const std::string& message);  // one line of JSON, kept as it was sent
  void malformed(const std::string& line);
  // Nothing where the line before says the same: a session that is looked at again and again has said nothing new.
  void suspended(const std::string& why, const Json& more);
  void end(const Json& end);
  // Goes on from an earlier place: a copy of the first `bytes`; what was said after them stays in <name>.cut-<n>.
  void branch(std::uint64_t bytes);

 private:
  Transcript() = default;
  void append(const std::string& from, const std::string& members);

  std::filesystem::path path_;
  AppendFile file_;
  int count_ = 0;
  std::string suspended_;  // why, where the last line says so
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Candidates as they stand in messages and transcripts.
Json to_json(const Candidate& candidate);
Candidate candidate_from_json(const Json& json);

}  // namespace mskb
