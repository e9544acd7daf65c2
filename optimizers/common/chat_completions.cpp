#include "common/chat_json.hpp"
#include "common/protocol.hpp"

// OpenAI's chat completions, which many servers speak.
namespace mskb::agents {

using nlohmann::json;

namespace {

// A text, or a list of parts of which some are text.
std::string content_text(const json& content) {
  std::string text = text_of(content);
  if (content.is_array()) {
    for (const json& part : content) {
      text += text_of(member(part, "text"));
    }
  }
  return text;
}

void read_usage(const json& usage, Usage& result) {
  if (!usage.is_object()) {
    return;
  }
  result.input_tokens = number_of(member(usage, "prompt_tokens"));
  result.output_tokens = number_of(member(usage, "completion_tokens"));
  result.cached_tokens = number_of(member(member(usage, "prompt_tokens_details"), "cached_tokens"));
  if (!result.cached_tokens) {
    result.cached_tokens = number_of(member(usage, "prompt_cache_hit_tokens"));
  }
}

void read_reason(const std::string& reason, ChatAnswer& answer) {
  answer.truncated = reason == "length";
  if (reason == "content_filter") {
    throw ChatFailed("the provider's content filter withheld the answer; change the prompt or the model");
  }
  if (reason == "insufficient_system_resource") {
    throw BadAnswer("the server was short of resources");
  }
}

class Stream : public StreamedAnswer {
 public:
  void event(const std::string&, const json& data) override {
    if (!member(data, "error").is_null()) {
      throw BadAnswer("an error inside the stream: " + error_text(data));
    }
    if (const std::string model = text_of(member(data, "model")); !model.empty()) {
      answer_.model = model;
    }
    read_usage(member(data, "usage"), answer_.usage);
    for (const json& choice : member(data, "choices")) {
      answer_.text += content_text(member(member(choice, "delta"), "content"));
      refusal_ += text_of(member(member(choice, "delta"), "refusal"));
      if (const std::string reason = text_of(member(choice, "finish_reason")); !reason.empty()) {
        read_reason(reason, answer_);
        complete_ = true;
        if (answer_.text.empty() && !refusal_.empty()) {
          throw ChatFailed("the model refused: " + refusal_);
        }
      }
    }
  }

 private:
  std::string refusal_;
};

class ChatCompletions : public Protocol {
 public:
  explicit ChatCompletions(std::string limit_name) : limit_name_(std::move(limit_name)) {}
  std::string path() const override { return "/chat/completions"; }
  std::vector<std::string> headers(const std::string& key) const override { return bearer_headers(key); }

  json body(const ChatRequest& request, bool stream) const override {
    json result = {{"model", request.model}, {"messages", request_json(request)["messages"]}, {"stream", stream}};
    if (stream) {
      result["stream_options"] = {{"include_usage", true}};
    }
    if (request.temperature) {
      result["temperature"] = *request.temperature;
    }
    if (request.max_output_tokens) {
      result[limit_name_] = *request.max_output_tokens;
    }
    return result;
  }

  ChatAnswer parse(const json& body) const override {
    const json& choices = member(body, "choices");
    if (!choices.is_array() || choices.empty() || !member(choices[0], "message").is_object()) {
      throw BadAnswer(error_text(body).empty() ? "the answer holds no choices" : error_text(body));
    }
    ChatAnswer answer;
    const json& message = member(choices[0], "message");
    answer.text = content_text(member(message, "content"));
    answer.model = text_of(member(body, "model"));
    read_usage(member(body, "usage"), answer.usage);
    read_reason(text_of(member(choices[0], "finish_reason")), answer);
    if (const std::string refusal = text_of(member(message, "refusal")); answer.text.empty() && !refusal.empty()) {
      throw ChatFailed("the model refused: " + refusal);
    }
    return answer;
  }

  std::unique_ptr<StreamedAnswer> stream() const override { return std::make_unique<Stream>(); }

 private:
  std::string limit_name_;
};

}  // namespace

std::unique_ptr<Protocol> chat_completions_protocol(std::string limit_name) {
  return std::make_unique<ChatCompletions>(std::move(limit_name));
}

}  // namespace mskb::agents
