#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/unique_fd.hpp"
#include "model/backend.hpp"
#include "model/case.hpp"
#include "sandbox/process.hpp"
#include "wire/keeper_messages.hpp"
#include "wire/socket.hpp"

namespace mskb {

// The keeper died or answered nonsense. A run may start a new one and repeat the group.
struct KeeperLost : HarnessError {
  using HarnessError::HarnessError;
};

// The case does not fit this device; an Evaluation says `skipped` with this text.
struct DoesNotFit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// No device of that backend: the keeper said so before it was ready.
struct NoDevice : InputError {
  using InputError::InputError;
};

// The oracle of a task crashed, threw or did not end: names its file, the problem and the case.
struct OracleFailed : InputError {
  using InputError::InputError;
};

inline constexpr std::chrono::seconds oracle_limit{300};  // one call of a task's oracle

// Starts a keeper (mskb-keeper or mskb-keeper-cpu) and speaks to it. Any request may throw OracleFailed.
class KeeperClient {
 public:
  KeeperClient(Backend backend, int device, std::chrono::seconds limit_of_oracle = oracle_limit);

  const wire::DeviceFacts& facts() const { return facts_; }
  pid_t pid() const { return process_->pid(); }

  // The problem's task module, from its file.
  void load(const Problem& problem, const std::filesystem::path& module);
  // Throws DoesNotFit where the device has no room for it.
  void open(const Case& test_case);

  // Sends a request and waits for its reply. Failure becomes DoesNotFit or HarnessError.
  template <class Reply = wire::Done, class Request>
  Reply ask(const Request& request, int fd = -1, UniqueFd* received = nullptr);

 private:
  [[noreturn]] void lose();  // it is gone: throws KeeperLost with how it ended
  [[noreturn]] void blame_oracle(const std::string& what) const;
  std::string receive(std::uint32_t& kind, UniqueFd* received, std::chrono::milliseconds limit);

  UniqueFd socket_;
  std::unique_ptr<SandboxedProcess> process_;
  wire::DeviceFacts facts_{};
  std::chrono::seconds limit_of_oracle_;
  std::string task_, place_;  // of the oracle; the problem, and the case when one is open
};

template <class Reply, class Request>
Reply KeeperClient::ask(const Request& request, int fd, UniqueFd* received) {
  if (!wire::send(socket_.get(), request, fd)) {
    lose();
  }
  std::uint32_t kind = 0;
  const std::string body = receive(kind, received, std::chrono::minutes(10));
  if (const auto failure = wire::decode<wire::Failure>(kind, body)) {
    const std::string text(failure->text, strnlen(failure->text, sizeof failure->text));
    if (failure->skip != 0) {
      throw DoesNotFit(text);
    }
    if (failure->oracle != 0) {
      blame_oracle(text);
    }
    throw HarnessError("keeper: " + text);
  }
  const auto reply = wire::decode<Reply>(kind, body);
  if (!reply) {
    throw KeeperLost(fmt::format("the keeper answered request {} with message {}", Request::kind, kind));
  }
  return *reply;
}

}  // namespace mskb
