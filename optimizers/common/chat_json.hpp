#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "common/chat.hpp"

// Requests and answers as they stand in transcripts, journals and exchange folders.
namespace mskb::agents {

nlohmann::json request_json(const ChatRequest& request);  // without the agent
nlohmann::json answer_json(const ChatAnswer& answer);
nlohmann::json usage_json(const Usage& usage);            // null where unknown

// {"text", "model", "truncated", "usage": {...}}, of which only the text is needed. Throws std::invalid_argument with what is wrong.
ChatAnswer answer_from_json(const nlohmann::json& json);

// What is asked by whom, 16 hexadecimal digits.
std::string request_hash(const ChatRequest& request);
std::string request_hash(const std::string& agent, const nlohmann::json& request);

// On one line; bytes that are not UTF-8 are replaced.
std::string one_line(const nlohmann::json& json);

}  // namespace mskb::agents
