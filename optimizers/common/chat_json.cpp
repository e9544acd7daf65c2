#include "common/chat_json.hpp"

#include <stdexcept>

#include "base/hashing.hpp"

namespace mskb::agents {

using nlohmann::json;

namespace {

json or_null(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

std::optional<double> number_in(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) {
    return std::nullopt;
  }
  if (!found->is_number() || found->get<double>() < 0) {
    throw std::invalid_argument(std::string("usage.") + name + " is not a number; leave it out where it is unknown");
  }
  return found->get<double>();
}

}  // namespace

json request_json(const ChatRequest& request) {
  json messages = json::array();
  for (const Message& message : request.messages) {
    messages.push_back({{"role", message.role}, {"content", message.content}});
  }
  json result = {{"model", request.model}, {"messages", messages}};
  if (request.temperature) {
    result["temperature"] = *request.temperature;
  }
  if (request.max_output_tokens) {
    result["max_output_tokens"] = *request.max_output_tokens;
  }
  return result;
}

json usage_json(const Usage& usage) {
  return {{"input_tokens", or_null(usage.input_tokens)},
          {"output_tokens", or_null(usage.output_tokens)},
          {"cached_tokens", or_null(usage.cached_tokens)},
          {"cost", or_null(usage.cost)}};
}

json answer_json(const ChatAnswer& answer) {
  return {{"text", answer.text}, {"model", answer.model}, {"truncated", answer.truncated}, {"usage", usage_json(answer.usage)}};
}

ChatAnswer answer_from_json(const json& value) {
  if (!value.is_object() || !value.contains("text") || !value["text"].is_string()) {
    throw std::invalid_argument("an answer is an object with the member \"text\"");
  }
  ChatAnswer answer;
  answer.text = value["text"].get<std::string>();
  if (value.contains("model") && !value["model"].is_null()) {
    if (!value["model"].is_string()) {
      throw std::invalid_argument("the member \"model\" is not a text");
    }
    answer.model = value["model"].get<std::string>();
  }
  if (value.contains("truncated") && !value["truncated"].is_null()) {
    if (!value["truncated"].is_boolean()) {
      throw std::invalid_argument("the member \"truncated\" is not true or false");
    }
    answer.truncated = value["truncated"].get<bool>();
  }
  if (value.contains("usage") && !value["usage"].is_null()) {
    const json& usage = value["usage"];
    if (!usage.is_object()) {
      throw std::invalid_argument("the member \"usage\" is not an object");
    }
    answer.usage = {number_in(usage, "input_tokens"), number_in(usage, "output_tokens"), number_in(usage, "cached_tokens"),
                    number_in(usage, "cost")};
  }
  return answer;
}

std::string request_hash(const std::string& agent, const json& request) {
  return Hasher().add(agent).add(one_line(request)).hex(16);
}

std::string request_hash(const ChatRequest& request) { return request_hash(request.agent, request_json(request)); }

std::string one_line(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace mskb::agents
