#pragma once
#include <memory>
#include <string>

#include "common/chat_options.hpp"
#include "common/protocol.hpp"

namespace mskb::agents {

// Where requests go, and how they are put.
struct Endpoint {
  std::string provider, base_url, host;
  std::string key;  // from the environment; never part of a message or a record
  std::unique_ptr<Protocol> protocol;
};

// From the options provider and base_url. A provider's key (OPENAI_API_KEY, DEEPSEEK_API_KEY, ANTHROPIC_API_KEY) goes to that provider's own host
// only; every other server gets MSKB_LLM_KEY, or none. Throws std::invalid_argument.
Endpoint endpoint_of(const ChatOptions& options);

// The text without the key and without what looks like one, on one line and not longer than a few hundred characters.
std::string presentable(const std::string& text, const std::string& key);

}  // namespace mskb::agents
