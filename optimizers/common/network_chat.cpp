#include "common/network_chat.hpp"

#include <chrono>
#include <cstdlib>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "common/chat_json.hpp"
#include "common/endpoint.hpp"
#include "common/http.hpp"
#include "common/retry.hpp"
#include "common/server_events.hpp"

namespace mskb::agents {

using nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

namespace {

// What became of one try.
struct Try {
  std::optional<ChatAnswer> answer;
  std::string problem;
  bool again = false;         // another try may help
  bool may_be_paid = false;   // the server may have worked for it
  std::optional<double> retry_after;
};

class NetworkChat : public Chat {
 public:
  NetworkChat(Endpoint endpoint, Prices prices, std::shared_ptr<Spending> spending, const ChatOptions& options,
              std::function<bool()> wanted)
      : endpoint_(std::move(endpoint)), prices_(std::move(prices)), spending_(std::move(spending)), wanted_(std::move(wanted)) {
    stream_ = options.flag("stream", true);
    limits_.connect_s = options.number("connect_s").value_or(limits_.connect_s);
    limits_.idle_s = options.number("idle_s").value_or(limits_.idle_s);
    limits_.total_s = options.number("total_s").value_or(limits_.total_s);
    policy_.tries = static_cast<int>(options.number("tries", 1).value_or(policy_.tries));
    policy_.first_wait_s = options.number("retry_wait_s").value_or(policy_.first_wait_s);
    policy_.deadline_s = options.number("deadline_s").value_or(policy_.deadline_s);
    if (const auto tokens = options.number("max_output_tokens", 1)) {
      max_output_tokens_ = static_cast<int>(*tokens);
    }
  }

  ChatAnswer ask(const ChatRequest& original) override {
    ChatRequest request = original;
    if (!request.max_output_tokens) {
      request.max_output_tokens = max_output_tokens_;
    }
    const std::string who = endpoint_.provider + " at " + endpoint_.host + ": agent " + request.agent + ", model " + request.model + ": ";
    if (request.model.empty()) {
      throw ChatFailed(endpoint_.provider + " at " + endpoint_.host + ": no model is named; set the option model");
    }
    const Price* price = prices_.find(endpoint_.host, request.model);
    const double most_input = most_input_tokens(request);
    const auto start = SteadyClock::now();
    for (int tried = 1;; ++tried) {
      spending_->admit(request.model, most_input, request.max_output_tokens, price);
      const double left = policy_.deadline_s - std::chrono::duration<double>(SteadyClock::now() - start).count();
      Try result = try_once(request, left);
      if (result.answer) {
        return settled(std::move(*result.answer), request, most_input);
      }
      if (result.may_be_paid) {
        spending_->charge(Usage{}, most_input, request.max_output_tokens, price);
      }
      const std::string problem = who + presentable(result.problem, endpoint_.key);
      if (!result.again) {
        throw ChatFailed(problem);
      }
      const double wait = wait_before_next(policy_, tried, result.retry_after, std::uniform_real_distribution<double>()(random_));
      const double passed = std::chrono::duration<double>(SteadyClock::now() - start).count();
      if (tried >= policy_.tries || passed + wait >= policy_.deadline_s) {
        std::ostringstream text;
        text << problem << "; given up after " << tried << (tried == 1 ? " try" : " tries");
        if (tried < policy_.tries) {
          text << ": the next, in " << wait << " s, would pass deadline_s=" << policy_.deadline_s;
        }
        throw ChatFailed(text.str());
      }
      pause(wait);
      if (!wanted_()) {
        throw ChatFailed(problem + "; nobody waits for another try");
      }
    }
  }

 private:
  void pause(double seconds) const {
    const auto until = SteadyClock::now() + std::chrono::duration<double>(seconds);
    while (SteadyClock::now() < until && wanted_()) {
      std::this_thread::sleep_for(std::min<std::chrono::duration<double>>(until - SteadyClock::now(), std::chrono::milliseconds(100)));
    }
  }

  // No token is shorter than a byte; roles and separators take a few more.
  static double most_input_tokens(const ChatRequest& request) {
    double bytes = 64;
    for (const Message& message : request.messages) {
      bytes += static_cast<double>(message.content.size()) + 32;
    }
    return bytes;
  }

  ChatAnswer settled(ChatAnswer answer, const ChatRequest& request, double most_input) {
    answer.model = answer.model.empty() ? request.model : answer.model;
    const Price* price = prices_.find(endpoint_.host, answer.model);
    if (price == nullptr) {
      price = prices_.find(endpoint_.host, request.model);
    }
    if (price != nullptr) {
      answer.usage.cost = price->cost(answer.usage);
    }
    spending_->charge(answer.usage, most_input, request.max_output_tokens, price);
    return answer;
  }

  Try try_once(const ChatRequest& request, double left_s) {
    const auto streamed = endpoint_.protocol->stream();
    ServerEvents events([&](const std::string& name, const std::string& data) {
      if (data == "[DONE]") {
        return;
      }
      const json value = json::parse(data, nullptr, false);
      if (value.is_discarded()) {
        throw BadAnswer("an event of the stream is not JSON: " + data);
      }
      streamed->event(name, value);
    });
    HttpLimits limits = limits_;
    limits.total_s = std::min(limits.total_s, std::max(left_s, 0.001));
    const std::string body = one_line(endpoint_.protocol->body(request, stream_));
    try {
      const HttpReply reply = http_post(endpoint_.base_url + endpoint_.protocol->path(), endpoint_.protocol->headers(endpoint_.key), body,
                                        limits, [&](std::string_view bytes) { events.feed(bytes); });
      return judged(reply, *streamed);
    } catch (const BadAnswer& error) {
      return {std::nullopt, error.what(), true, true, std::nullopt};
    } catch (const ChatFailed& error) {
      return {std::nullopt, error.what(), false, true, std::nullopt};
    }
  }

  Try judged(const HttpReply& reply, const StreamedAnswer& streamed) const {
    if (streamed.complete()) {
      return {streamed.answer(), "", false, true, std::nullopt};
    }
    if (!reply.failure.empty()) {
      return {std::nullopt, reply.failure, !reply.permanent, reply.sent, std::nullopt};
    }
    if (reply.status != 200) {
      const json value = json::parse(reply.body, nullptr, false);
      const std::string said = value.is_object() ? error_text(value) : reply.body;
      const std::string problem = "HTTP " + std::to_string(reply.status) + (said.empty() ? "" : ": " + said);
      return {std::nullopt, problem, is_worth_another_try(reply.status), false,
              retry_after_seconds(reply.retry_after, std::chrono::system_clock::now())};
    }
    if (reply.content_type == "text/event-stream") {
      throw BadAnswer("the stream ended before the answer did");
    }
    const json value = json::parse(reply.body, nullptr, false);
    if (value.is_discarded()) {
      throw BadAnswer("the answer is not JSON: " + reply.body);
    }
    return {endpoint_.protocol->parse(value), "", false, true, std::nullopt};
  }

  Endpoint endpoint_;
  Prices prices_;
  std::shared_ptr<Spending> spending_;
  std::function<bool()> wanted_;
  HttpLimits limits_;
  RetryPolicy policy_;
  bool stream_ = true;
  std::optional<int> max_output_tokens_;
  std::minstd_rand random_{std::random_device{}()};
};

// The option `prices`, else the table of the checkout that the optimizer belongs to; without either no cost is known.
Prices price_table(const ChatOptions& options) {
  try {
    if (const std::string file = options.text("prices"); !file.empty()) {
      return Prices(file);
    }
  } catch (const InputError& error) {
    throw std::invalid_argument(std::string("option prices: ") + error.what());
  }
  std::filesystem::path home;
  if (const char* optimizer = std::getenv("MSKB_OPTIMIZER_DIR")) {
    home = std::filesystem::path(optimizer) / "../..";
  } else {
    try {
      home = home_directory();
    } catch (const InputError&) {
      return {};
    }
  }
  const std::filesystem::path file = home / "configs/prices.yaml";
  try {
    return std::filesystem::exists(file) ? Prices(file) : Prices();
  } catch (const InputError& error) {
    throw std::invalid_argument(error.what());
  }
}

}  // namespace

std::unique_ptr<Chat> make_network_chat(const ChatOptions& options, std::shared_ptr<Spending> spending, std::function<bool()> wanted) {
  Endpoint endpoint = endpoint_of(options);
  return std::make_unique<NetworkChat>(std::move(endpoint), price_table(options), std::move(spending), options, std::move(wanted));
}

}  // namespace mskb::agents
