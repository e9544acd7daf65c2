#include "common/asking_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "common/chat_json.hpp"

namespace mskb::agents {

using nlohmann::json;

namespace {

bool send_all(int socket, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = ::send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* data, std::size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t received = ::recv(socket, at, size, 0);
    if (received < 0 && errno == EINTR) {
      continue;
    }
    if (received <= 0) {
      return false;
    }
    at += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

bool send_json(int socket, const json& value) {
  const std::string text = one_line(value);
  const std::uint64_t size = text.size();
  return send_all(socket, &size, sizeof size) && send_all(socket, text.data(), text.size());
}

std::optional<json> receive_json(int socket) {
  std::uint64_t size = 0;
  if (!receive_all(socket, &size, sizeof size)) {
    return std::nullopt;
  }
  std::string text(size, '\0');
  if (!receive_all(socket, text.data(), text.size())) {
    return std::nullopt;
  }
  return json::parse(text);
}

bool somebody_listens(int socket) {
  pollfd polled{socket, POLLRDHUP, 0};
  return ::poll(&polled, 1, 0) == 0;
}

ChatRequest request_from(const json& value) {
  ChatRequest request;
  request.agent = value.at("agent").get<std::string>();
  const json& body = value.at("request");
  request.model = body.at("model").get<std::string>();
  for (const json& message : body.at("messages")) {
    request.messages.push_back({message.at("role").get<std::string>(), message.at("content").get<std::string>()});
  }
  if (body.contains("temperature")) {
    request.temperature = body["temperature"].get<double>();
  }
  if (body.contains("max_output_tokens")) {
    request.max_output_tokens = body["max_output_tokens"].get<int>();
  }
  return request;
}

// Nothing of the optimizer's conversation, and of its process group, is left.
void stand_alone() {
  ::setsid();
  ::signal(SIGPIPE, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {0, 1, 2}) {
    ::dup2(nothing, stream);
  }
}

void serve(int socket, const AskingProcess::Make& make) {
  std::unique_ptr<Chat> chat;
  try {
    chat = make([socket] { return somebody_listens(socket); });
  } catch (const std::exception& error) {
    send_json(socket, {{"invalid", error.what()}});
    return;
  }
  if (!send_json(socket, {{"ready", true}})) {
    return;
  }
  while (const auto asked = receive_json(socket)) {
    json reply;
    try {
      reply = {{"answer", answer_json(chat->ask(request_from(*asked)))}};
    } catch (const ChatTooExpensive& error) {
      reply = {{"too_expensive", error.what()}};
    } catch (const std::exception& error) {
      reply = {{"failed", error.what()}};
    }
    if (!send_json(socket, reply)) {
      return;
    }
  }
}

}  // namespace

AskingProcess::AskingProcess(const Make& make) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error(std::string("no socket to ask over: ") + std::strerror(errno));
  }
  socket_ = UniqueFd(ends[0]);
  UniqueFd theirs(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) {
    throw std::runtime_error(std::string("no process to ask in: ") + std::strerror(errno));
  }
  if (child == 0) {
    socket_.reset();
    stand_alone();
    serve(theirs.get(), make);
    ::_exit(0);
  }
  theirs.reset();
  const auto first = receive_json(socket_.get());
  if (!first || !first->contains("ready")) {
    throw std::invalid_argument(first ? first->value("invalid", "") : "the process that asks has ended");
  }
}

ChatAnswer AskingProcess::ask(const ChatRequest& request) {
  const std::lock_guard hold(mutex_);
  std::optional<json> reply;
  if (send_json(socket_.get(), {{"agent", request.agent}, {"request", request_json(request)}})) {
    reply = receive_json(socket_.get());
  }
  if (!reply) {
    throw ChatFailed("the process that asks has ended");
  }
  if (reply->contains("too_expensive")) {
    throw ChatTooExpensive((*reply)["too_expensive"].get<std::string>());
  }
  if (reply->contains("failed")) {
    throw ChatFailed((*reply)["failed"].get<std::string>());
  }
  return answer_from_json(reply->at("answer"));
}

}  // namespace mskb::agents
