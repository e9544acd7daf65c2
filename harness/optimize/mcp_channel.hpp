#pragma once
#include <deque>
#include <optional>
#include <string>

#include "optimize/channel.hpp"
#include "optimize/json.hpp"
#include "optimize/line_buffer.hpp"

namespace mskb {

// A Model Context Protocol server over two descriptors (JSON-RPC 2.0, one message a line) whose client is the optimizer: a session sees a process
// that speaks docs/optimizer-protocol.md, the client sees the tools `task`, `evaluate`, `profile` and `submit`. What the optimizer does wrong is
// the result of a tool with isError; what the client does wrong in JSON-RPC is an error response.
class McpChannel : public OptimizerChannel {
 public:
  McpChannel(int input, int output, std::string version) : input_(input), output_(output), version_(std::move(version)) {}

  ReceivedLine receive(Clock::time_point until) override;
  bool send(const std::string& line, Clock::time_point until) override;
  std::string close(std::chrono::milliseconds) override { return "closed its end"; }

  // After the session: answers the `submit` that ended it. Does nothing where another end came first.
  void answer_submission(const std::string& text, bool is_error);
  // Answers whatever else comes until the client closes its end: the session is over.
  void serve_the_rest();

 private:
  enum class Waiting { line, timed_out, closed, too_long };
  Waiting read_line(std::optional<Clock::time_point> until, std::string& line);
  // The optimizer's line that a JSON-RPC message stands for; nothing for one that is answered here.
  std::optional<std::string> handle(const std::string& line);
  std::optional<std::string> call(const Json& id, const Json& params);
  void initialize(const Json& id, const Json& params);
  void reply(const Json& id, const Json& result);
  void fail(const Json& id, int code, const std::string& message);
  void tool_result(const Json& id, const std::string& text, const Json& structured, bool is_error);
  void write(const Json& message);

  const int input_, output_;
  const std::string version_;
  LineBuffer lines_{16u << 20};
  Json start_;                  // the session's start message
  std::optional<Json> pending_;  // id of the tool call that the session is to answer
  bool initialized_ = false, closed_ = false, over_ = false, gone_ = false;
};

}  // namespace mskb
