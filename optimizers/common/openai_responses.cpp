#include "common/chat_json.hpp"
#include "common/protocol.hpp"

// OpenAI's responses.
namespace mskb::agents {

using nlohmann::json;

namespace {

// A response object that has ended, one way or the other.
ChatAnswer answer_of(const json& body) {
  const std::string status = text_of(member(body, "status"));
  if (status == "failed" || status == "cancelled" || !member(body, "output").is_array()) {
    throw BadAnswer(error_text(body).empty() ? "the answer holds no output" : error_text(body));
  }
  ChatAnswer answer;
  answer.model = text_of(member(body, "model"));
  std::string refusal;
  for (const json& item : member(body, "output")) {
    for (const json& part : member(item, "content")) {
      if (text_of(member(part, "type")) == "output_text") {
        answer.text += text_of(member(part, "text"));
      }
      refusal += text_of(member(part, "refusal"));
    }
  }
  const std::string reason = text_of(member(member(body, "incomplete_details"), "reason"));
  if (reason == "content_filter") {
    throw ChatFailed("the provider's content filter withheld the answer; change the prompt or the model");
  }
  if (answer.text.empty() && !refusal.empty()) {
    throw ChatFailed("the model refused: " + refusal);
  }
  answer.truncated = status == "incomplete";
  const json& usage = member(body, "usage");
  answer.usage.input_tokens = number_of(member(usage, "input_tokens"));
  answer.usage.output_tokens = number_of(member(usage, "output_tokens"));
  answer.usage.cached_tokens = number_of(member(member(usage, "input_tokens_details"), "cached_tokens"));
  return answer;
}

class Stream : public StreamedAnswer {
 public:
  void event(const std::string& name, const json& data) override {
    const std::string type = text_of(member(data, "type")).empty() ? name : text_of(member(data, "type"));
    if (type == "response.output_text.delta") {
      text_ += text_of(member(data, "delta"));
    } else if (type == "response.completed" || type == "response.incomplete" || type == "response.failed") {
      answer_ = answer_of(member(data, "response"));
      if (answer_.text.empty()) {
        answer_.text = text_;
      }
      complete_ = true;
    } else if (type == "error") {
      throw BadAnswer("an error inside the stream: " + error_text(data));
    }
  }

 private:
  std::string text_;
};

class Responses : public Protocol {
 public:
  std::string path() const override { return "/responses"; }
  std::vector<std::string> headers(const std::string& key) const override { return bearer_headers(key); }

  json body(const ChatRequest& request, bool stream) const override {
    json result = {{"model", request.model}, {"input", request_json(request)["messages"]}, {"stream", stream}, {"store", false}};
    if (request.temperature) {
      result["temperature"] = *request.temperature;
    }
    if (request.max_output_tokens) {
      result["max_output_tokens"] = *request.max_output_tokens;
    }
    return result;
  }

  ChatAnswer parse(const json& body) const override { return answer_of(body); }
  std::unique_ptr<StreamedAnswer> stream() const override { return std::make_unique<Stream>(); }
};

}  // namespace

std::unique_ptr<Protocol> responses_protocol() { return std::make_unique<Responses>(); }

}  // namespace mskb::agents
