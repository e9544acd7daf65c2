#pragma once
#include <functional>
#include <memory>
#include <mutex>

#include "base/unique_fd.hpp"
#include "common/chat.hpp"

namespace mskb::agents {

// A chat in a process of its own that outlives this one for as long as a request is under way: an answer that is being paid for reaches the
// journal even when the optimizer is killed meanwhile. It ends once nobody listens and nothing is under way. Single-threaded callers only: it is
// a fork.
class AskingProcess : public Chat {
 public:
  // `make` runs there; it is given a function that says whether somebody still listens. Throws std::invalid_argument as `make` does.
  using Make = std::function<std::unique_ptr<Chat>(const std::function<bool()>& wanted)>;
  explicit AskingProcess(const Make& make);
  ChatAnswer ask(const ChatRequest& request) override;

 private:
  UniqueFd socket_;
  std::mutex mutex_;
};

}  // namespace mskb::agents
