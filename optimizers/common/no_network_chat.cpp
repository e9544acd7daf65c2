#include <stdexcept>

#include "common/network_chat.hpp"

namespace mskb::agents {

std::unique_ptr<Chat> make_network_chat(const ChatOptions& options, std::shared_ptr<Spending>, std::function<bool()>) {
  throw std::invalid_argument("option provider=" + options.text("provider") +
                              ": this build has no libcurl; use exchange or replay, or install libcurl's headers and build again");
}

}  // namespace mskb::agents
