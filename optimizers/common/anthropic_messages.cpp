#include "common/protocol.hpp"

// Anthropic's messages.
namespace mskb::agents {

using nlohmann::json;

namespace {

// The protocol asks for a limit in every request.
constexpr int usual_output_tokens = 16384;

// Tokens from a cache and those written to it are not part of the provider's input_tokens; they are of ours. Written ones have a price of
// their own: no cost is known then.
void read_usage(const json& usage, Usage& result) {
  const auto fresh = number_of(member(usage, "input_tokens"));
  if (fresh) {
    result.cached_tokens = number_of(member(usage, "cache_read_input_tokens"));
    const double written = number_of(member(usage, "cache_creation_input_tokens")).value_or(0);
    result.input_tokens = *fresh + result.cached_tokens.value_or(0) + written;
    if (written > 0) {
      result.cached_tokens.reset();
    }
  }
  if (const auto output = number_of(member(usage, "output_tokens"))) {
    result.output_tokens = output;
  }
}

void read_reason(const std::string& reason, ChatAnswer& answer) {
  answer.truncated = reason == "max_tokens" || reason == "model_context_window_exceeded";
  if (reason == "refusal") {
    throw ChatFailed("the model refused to answer; change the prompt or the model");
  }
}

class Stream : public StreamedAnswer {
 public:
  void event(const std::string& name, const json& data) override {
    const std::string type = text_of(member(data, "type")).empty() ? name : text_of(member(data, "type"));
    if (type == "message_start") {
      answer_.model = text_of(member(member(data, "message"), "model"));
      read_usage(member(member(data, "message"), "usage"), answer_.usage);
    } else if (type == "content_block_delta") {
      answer_.text += text_of(member(member(data, "delta"), "text"));
    } else if (type == "message_delta") {
      read_usage(member(data, "usage"), answer_.usage);
      read_reason(text_of(member(member(data, "delta"), "stop_reason")), answer_);
    } else if (type == "message_stop") {
      complete_ = true;
    } else if (type == "error") {
      throw BadAnswer("an error inside the stream: " + error_text(data));
    }
  }
};

class Anthropic : public Protocol {
 public:
  std::string path() const override { return "/v1/messages"; }

  std::vector<std::string> headers(const std::string& key) const override {
    std::vector<std::string> result{"anthropic-version: 2023-06-01"};
    if (!key.empty()) {
      result.push_back("x-api-key: " + key);
    }
    return result;
  }

  json body(const ChatRequest& request, bool stream) const override {
    json messages = json::array();
    std::string system;
    for (const Message& message : request.messages) {
      if (message.role == "system") {
        system += (system.empty() ? "" : "\n\n") + message.content;
      } else {
        messages.push_back({{"role", message.role}, {"content", message.content}});
      }
    }
    json result = {{"model", request.model},
                   {"messages", messages},
                   {"max_tokens", request.max_output_tokens.value_or(usual_output_tokens)},
                   {"stream", stream}};
    if (!system.empty()) {
      result["system"] = system;
    }
    if (request.temperature) {
      result["temperature"] = *request.temperature;
    }
    return result;
  }

  ChatAnswer parse(const json& body) const override {
    if (!member(body, "content").is_array()) {
      throw BadAnswer(error_text(body).empty() ? "the answer holds no content" : error_text(body));
    }
    ChatAnswer answer;
    answer.model = text_of(member(body, "model"));
    for (const json& block : member(body, "content")) {
      if (text_of(member(block, "type")) == "text") {
        answer.text += text_of(member(block, "text"));
      }
    }
    read_usage(member(body, "usage"), answer.usage);
    read_reason(text_of(member(body, "stop_reason")), answer);
    return answer;
  }

  std::unique_ptr<StreamedAnswer> stream() const override { return std::make_unique<Stream>(); }
};

}  // namespace

std::unique_ptr<Protocol> anthropic_protocol() { return std::make_unique<Anthropic>(); }

}  // namespace mskb::agents
