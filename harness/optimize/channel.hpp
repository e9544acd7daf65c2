#pragma once
#include <chrono>
#include <string>

namespace mskb {

// What came of waiting for a line.
struct ReceivedLine {
  enum class Kind { line, timed_out, closed, too_long, too_much } kind = Kind::closed;
  std::string text;  // without its newline; of a line that is too long, how it starts
};

// Lines to and from whoever proposes candidates.
class OptimizerChannel {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~OptimizerChannel() = default;
  virtual ReceivedLine receive(Clock::time_point until) = 0;
  // Sends a line; false when the other side is gone or did not read it in time.
  virtual bool send(const std::string& line, Clock::time_point until) = 0;
  // Ends the conversation and says how the other side ended, in words.
  virtual std::string close(std::chrono::milliseconds patience) = 0;
};

}  // namespace mskb
