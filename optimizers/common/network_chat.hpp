#pragma once
#include <memory>

#include "common/chat.hpp"
#include "common/chat_options.hpp"
#include "common/spending.hpp"

namespace mskb::agents {

// A provider that is asked over HTTP: openai, deepseek, responses, anthropic. Throws std::invalid_argument for another name, for options that
// make no sense, for a missing key, and where this build has no libcurl.
std::unique_ptr<Chat> make_network_chat(const ChatOptions& options, std::shared_ptr<Spending> spending);

}  // namespace mskb::agents
