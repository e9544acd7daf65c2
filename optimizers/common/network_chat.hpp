#pragma once
#include <functional>
#include <memory>

#include "common/chat.hpp"
#include "common/chat_options.hpp"
#include "common/spending.hpp"

namespace mskb::agents {

// A provider that is asked over HTTP: openai, deepseek, responses, anthropic. Throws std::invalid_argument for another name, for options that
// make no sense, for a missing key, and where this build has no libcurl. Once nothing is `wanted` any more, no failed request is tried again.
std::unique_ptr<Chat> make_network_chat(const ChatOptions& options, std::shared_ptr<Spending> spending,
                                        std::function<bool()> wanted = [] { return true; });

}  // namespace mskb::agents
