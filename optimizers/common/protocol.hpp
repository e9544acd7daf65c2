#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/chat.hpp"

namespace mskb::agents {

// The server's answer is of no use: garbage, an error inside a stream. Another try may help.
struct BadAnswer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Puts a streamed answer together.
class StreamedAnswer {
 public:
  virtual ~StreamedAnswer() = default;
  virtual void event(const std::string& name, const nlohmann::json& data) = 0;  // throws BadAnswer, ChatFailed
  bool complete() const { return complete_; }                                     // the server said that it is the end
  const ChatAnswer& answer() const { return answer_; }

 protected:
  ChatAnswer answer_;
  bool complete_ = false;
};

// How a provider is spoken to.
class Protocol {
 public:
  virtual ~Protocol() = default;
  virtual std::string path() const = 0;                                      // after the base URL
  virtual std::vector<std::string> headers(const std::string& key) const = 0;  // `key` may be empty
  virtual nlohmann::json body(const ChatRequest& request, bool stream) const = 0;
  virtual ChatAnswer parse(const nlohmann::json& body) const = 0;            // throws BadAnswer, ChatFailed
  virtual std::unique_ptr<StreamedAnswer> stream() const = 0;
};

// `limit_name`: the member that holds the limit of output tokens, max_completion_tokens or max_tokens.
std::unique_ptr<Protocol> chat_completions_protocol(std::string limit_name);
std::unique_ptr<Protocol> responses_protocol();
std::unique_ptr<Protocol> anthropic_protocol();

// A member of an object, null where it is missing or `object` is none.
const nlohmann::json& member(const nlohmann::json& object, const char* name);
std::string text_of(const nlohmann::json& value);                    // empty where it is not a text
std::optional<double> number_of(const nlohmann::json& value);
std::string error_text(const nlohmann::json& body);                  // what a server says went wrong; may be empty
std::vector<std::string> bearer_headers(const std::string& key);

}  // namespace mskb::agents
