#pragma once
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "optimize/transcript.hpp"

namespace mskb {

// What is on record of a session that is led again. As long as the optimizer says the same as before, it is told the same as before; once it
// says something else, what was evaluated is still known by its request.
class SessionRecord {
 public:
  SessionRecord() = default;
  explicit SessionRecord(StoredTranscript stored);

  // The recorded start message, null where there is none.
  const Json& start() const { return start_; }
  // Whether more is on record than was repeated.
  bool follows() const { return next_ < lines_.size(); }
  // Whether this line of the optimizer is the next one on record; it is then taken.
  bool take(const std::string& line);
  // What the harness said next, taken.
  std::vector<TranscriptLine> replies();
  // The conversation parts from the record here; the bytes of the transcript up to this place.
  std::uint64_t part();
  // The answer that an equal `evaluate` got after that place; each is given once.
  std::optional<TranscriptLine> evaluation(const Json& request);

 private:
  Json start_;
  std::vector<TranscriptLine> lines_;
  std::size_t next_ = 0;
  std::uint64_t taken_bytes_ = 0;
  std::map<std::string, std::deque<TranscriptLine>> left_;  // evaluations by request
};

}  // namespace mskb
