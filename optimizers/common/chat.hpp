#pragma once
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// What LLM optimizers ask of a language model: one conversation's next answer, whoever gives it.
namespace mskb::agents {

struct Message {
  std::string role;     // system, user, assistant
  std::string content;  // UTF-8
};

struct ChatRequest {
  std::string agent;    // who asks: planner, coder, compiler, debugger, ...; for records, not sent
  std::string model;
  std::vector<Message> messages;
  std::optional<double> temperature;
  std::optional<int> max_output_tokens;
};

// Unknown figures stay absent: unknown is not zero.
struct Usage {
  std::optional<double> input_tokens;   // of which cached_tokens came from a cache
  std::optional<double> output_tokens, cached_tokens;
  std::optional<double> cost;           // US dollars, by the price table
};

struct ChatAnswer {
  std::string text;
  std::string model;                    // as the provider names it; may be more exact than what was asked for
  bool truncated = false;               // ended at the limit of output tokens
  Usage usage;
};

// No answer will come: what was asked, where, and how to mend it, in one line without keys.
struct ChatFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The answer would exceed the budget; nothing was sent.
struct ChatTooExpensive : ChatFailed {
  using ChatFailed::ChatFailed;
};

class Chat {
 public:
  virtual ~Chat() = default;
  virtual ChatAnswer ask(const ChatRequest& request) = 0;  // throws ChatFailed
};

// The provider that an optimizer's options name. Keys come from the environment only.
//   provider   openai (chat completions, also DeepSeek and other compatible servers), responses, anthropic, replay, exchange
//   base_url   of a server other than the provider's own
//   transcript replay: a stored transcript, answered exactly
//   exchange   exchange: the folder in which requests appear and answers are awaited, as files
// Throws std::invalid_argument with one line that says what to mend.
std::unique_ptr<Chat> make_chat(const std::map<std::string, std::string>& options);

// Throws as make_chat does, and makes, locks and mends nothing: a journal is read as it lies there.
void check_chat(const std::map<std::string, std::string>& options);

}  // namespace mskb::agents
