#include "optimize/mcp_channel.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

#include "optimize/mcp_tools.hpp"

namespace mskb {

namespace {

constexpr std::array versions{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};  // newest first
constexpr int parse_error = -32700, invalid_request = -32600, method_not_found = -32601, invalid_params = -32602;

std::vector<std::string> sets_of(const Json& start) {
  std::vector<std::string> sets;
  for (const auto& entry : start.at("cases").items()) {
    sets.push_back(entry.key());
  }
  return sets;
}

std::string text_of(const Json& value) { return value.dump(1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

McpChannel::Waiting McpChannel::read_line(std::optional<Clock::time_point> until, std::string& line) {
  for (;;) {
    if (auto next = lines_.take()) {
      line = std::move(*next);
      return Waiting::line;
    }
    if (lines_.too_long()) {
      return Waiting::too_long;
    }
    if (closed_) {
      return Waiting::closed;
    }
    int patience = -1;
    if (until) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - Clock::now()).count();
      if (left <= 0) {
        return Waiting::timed_out;
      }
      patience = static_cast<int>(std::min<long long>(left, 1000000));
    }
    pollfd waiting{input_, POLLIN, 0};
    if (::poll(&waiting, 1, patience) <= 0) {
      continue;
    }
    char bytes[65536];
    const ssize_t count = ::read(input_, bytes, sizeof bytes);
    if (count > 0) {
      lines_.add({bytes, static_cast<std::size_t>(count)});
    } else if (count == 0 || errno != EINTR) {
      closed_ = true;
    }
  }
}

ReceivedLine McpChannel::receive(Clock::time_point until) {
  std::string line;
  for (;;) {
    switch (read_line(until, line)) {
      case Waiting::timed_out:
        return {ReceivedLine::Kind::timed_out, ""};
      case Waiting::closed:
        return {ReceivedLine::Kind::closed, ""};
      case Waiting::too_long:
        return {ReceivedLine::Kind::too_long, ""};
      case Waiting::line:
        if (auto message = handle(line)) {
          return {ReceivedLine::Kind::line, std::move(*message)};
        }
    }
  }
}

bool McpChannel::send(const std::string& line, Clock::time_point) {
  const Json message = Json::parse(line);
  const std::string type = message.at("type").get<std::string>();
  if (type == "start") {
    start_ = message;
  } else if (pending_) {  // a `stop` that nobody has asked for is said again to the next who asks
    const Json id = std::exchange(pending_, std::nullopt).value();
    if (type == "error") {
      tool_result(id, message.at("message").get<std::string>(), nullptr, true);
    } else if (type == "stop") {
      tool_result(id, message.at("reason").get<std::string>(), nullptr, true);
    } else {
      tool_result(id, text_of(message), message, false);
    }
  }
  return !gone_;
}

void McpChannel::answer_submission(const std::string& text, bool is_error) {
  over_ = true;
  if (pending_) {
    tool_result(std::exchange(pending_, std::nullopt).value(), text, nullptr, is_error);
  }
}

void McpChannel::serve_the_rest() {
  over_ = true;
  std::string line;
  while (!gone_ && read_line(std::nullopt, line) == Waiting::line) {
    handle(line);
  }
}

std::optional<std::string> McpChannel::handle(const std::string& line) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) {
    return std::nullopt;
  }
  Json message;
  try {
    message = parse_shallow(line);
  } catch (const Json::exception&) {
    fail(nullptr, parse_error, "not a line of JSON; send one JSON-RPC message on one line");
    return std::nullopt;
  } catch (const Nested&) {
    fail(nullptr, invalid_request, fmt::format("a message may nest {} levels at most", Nested::most));
    return std::nullopt;
  }
  const bool request = message.is_object() && message.contains("id");
  const Json id = request ? message["id"] : Json();
  if (!message.is_object() || message.value("jsonrpc", Json()) != "2.0" || (request && !id.is_string() && !id.is_number())) {
    fail(nullptr, invalid_request, "not a JSON-RPC 2.0 message; batches are not part of this protocol");
    return std::nullopt;
  }
  if (!message.value("method", Json()).is_string()) {
    if (!message.contains("result") && !message.contains("error")) {  // nothing is ever asked of the client
      fail(id, invalid_request, "a message needs a method");
    }
    return std::nullopt;
  }
  const std::string method = message["method"].get<std::string>();
  const Json params = message.value("params", Json::object());
  if (!request) {
    return std::nullopt;  // notifications: initialized, cancelled; nothing follows from them
  }
  if (method == "initialize") {
    initialize(id, params);
  } else if (method == "ping") {
    reply(id, Json::object());
  } else if (!initialized_) {
    fail(id, invalid_request, "initialize comes first");
  } else if (method == "tools/list") {
    reply(id, {{"tools", mcp_tools(sets_of(start_))}});
  } else if (method == "tools/call") {
    return call(id, params);
  } else {
    fail(id, method_not_found, "there is no method " + method + " here; this server has tools");
  }
  return std::nullopt;
}

void McpChannel::initialize(const Json& id, const Json& params) {
  if (!params.is_object() || !params.value("protocolVersion", Json()).is_string()) {
    fail(id, invalid_params, "initialize needs the protocolVersion that the client speaks");
    return;
  }
  const auto known = std::find(versions.begin(), versions.end(), params["protocolVersion"].get<std::string>());
  initialized_ = true;
  reply(id, {{"protocolVersion", known == versions.end() ? versions.front() : *known},
             {"capabilities", {{"tools", Json::object()}}},
             {"serverInfo", {{"name", "mskb"}, {"title", "MSKernelBench"}, {"version", version_}}},
             {"instructions", "Optimize the CUDA kernel of `task`: evaluate candidates as often as the budget allows, then submit the id of the best one."}});
}

std::optional<std::string> McpChannel::call(const Json& id, const Json& params) {
  const Json name = params.is_object() ? params.value("name", Json()) : Json();
  const std::string tool = name.is_string() ? name.get<std::string>() : "";
  if (tool != "task" && tool != "evaluate" && tool != "profile" && tool != "submit") {
    fail(id, invalid_params, "there is no tool '" + tool + "'; the tools are task, evaluate, profile and submit");
    return std::nullopt;
  }
  if (tool == "task") {
    tool_result(id, text_of(start_), start_, false);
    return std::nullopt;
  }
  if (over_) {
    tool_result(id, "the session is over", nullptr, true);
    return std::nullopt;
  }
  try {
    const Json message = mcp_message(tool, params.value("arguments", Json::object()));
    pending_ = id;
    return one_line(message);
  } catch (const std::invalid_argument& error) {
    tool_result(id, error.what(), nullptr, true);
    return std::nullopt;
  }
}

void McpChannel::tool_result(const Json& id, const std::string& text, const Json& structured, bool is_error) {
  Json result = {{"content", Json::array({{{"type", "text"}, {"text", text}}})}, {"isError", is_error}};
  if (structured.is_object()) {
    result["structuredContent"] = structured;
  }
  reply(id, result);
}

void McpChannel::reply(const Json& id, const Json& result) { write({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}}); }

void McpChannel::fail(const Json& id, int code, const std::string& message) {
  write({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void McpChannel::write(const Json& message) {
  const std::string line = one_line(message) + "\n";
  for (std::size_t at = 0; at < line.size() && !gone_;) {
    const ssize_t count = ::write(output_, line.data() + at, line.size() - at);
    if (count > 0) {
      at += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      gone_ = true;
    }
  }
}

}  // namespace mskb
