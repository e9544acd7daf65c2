#include <gmock/gmock.h>

#include <cstdlib>

#include "base/files.hpp"
#include "common/chat.hpp"
#include "llm_server.hpp"

// The providers against a server on the loopback interface that misbehaves as it is told to.
namespace mskb::agents {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using nlohmann::json;

const json usage = {{"input", 1000}, {"cached", 400}, {"output", 50}};
const json good = {{"say", "Tile it: x[i] \u2264 y, \"quoted\"\n```cuda\nint a;\n```\n"}, {"model", "tiny-2025-04-16"}, {"usage", usage}};

ChatRequest request_of(const std::string& text) {
  return {"coder", "tiny", {{"system", "be brief"}, {"user", text}}, std::nullopt, std::nullopt};
}

class NetworkChat : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("no_proxy", "127.0.0.1", 1);
    ::unsetenv("MSKB_LLM_KEY");
    write_file_atomically(prices_, "127.0.0.1:\n  tiny: {input: 2, cached: 0.5, output: 8}\n");
  }
  void serve(const json& script) { server_ = std::make_unique<LlmServer>(script); }
  std::unique_ptr<Chat> chat(std::map<std::string, std::string> options = {}) {
    std::map<std::string, std::string> all{
        {"provider", "openai"}, {"base_url", server_->url()}, {"retry_wait_s", "0"}, {"prices", prices_.string()}};
    for (const auto& [name, value] : options) {
      all[name] = value;
    }
    return make_chat(all);
  }
  template <class Failure = ChatFailed>
  std::string failure_of(Chat& asked, const ChatRequest& request = request_of("x")) {
    try {
      asked.ask(request);
    } catch (const Failure& error) {
      return error.what();
    }
    return "answered";
  }
  TemporaryDirectory folder_;
  std::filesystem::path prices_ = folder_.path() / "prices.yaml";
  std::unique_ptr<LlmServer> server_;
};

struct Way {
  const char* provider;
  const char* stream;
};

void PrintTo(const Way& way, std::ostream* stream) { *stream << way.provider << (*way.stream == 't' ? ", streamed" : ", whole"); }

class EveryProtocol : public NetworkChat, public ::testing::WithParamInterface<Way> {
 protected:
  std::unique_ptr<Chat> chat_of(std::map<std::string, std::string> options = {}) {
    options["provider"] = GetParam().provider;
    options["stream"] = GetParam().stream;
    return chat(options);
  }
};

INSTANTIATE_TEST_SUITE_P(Providers, EveryProtocol,
                         ::testing::Values(Way{"openai", "true"}, Way{"openai", "false"}, Way{"deepseek", "true"}, Way{"responses", "true"},
                                           Way{"responses", "false"}, Way{"anthropic", "true"}, Way{"anthropic", "false"}),
                         [](const auto& way) { return std::string(way.param.provider) + (*way.param.stream == 't' ? "_stream" : "_whole"); });

TEST_P(EveryProtocol, AnswersWithTextModelUsageAndCost) {
  serve({good});
  const ChatAnswer answer = chat_of()->ask(request_of("x"));
  EXPECT_EQ(answer.text, good["say"]);
  EXPECT_EQ(answer.model, "tiny-2025-04-16");
  EXPECT_FALSE(answer.truncated);
  EXPECT_EQ(answer.usage.input_tokens, 1000);
  EXPECT_EQ(answer.usage.cached_tokens, 400);
  EXPECT_EQ(answer.usage.output_tokens, 50);
  ASSERT_TRUE(answer.usage.cost);
  EXPECT_DOUBLE_EQ(*answer.usage.cost, (600 * 2 + 400 * 0.5 + 50 * 8) / 1e6);
}

TEST_P(EveryProtocol, WhatIsUnknownStaysUnknown) {
  json silent = good;
  silent["usage"] = nullptr;
  json unlisted = good;
  unlisted["model"] = "other";
  serve({silent, unlisted});
  auto asked = chat_of();
  const ChatAnswer answer = asked->ask(request_of("x"));
  EXPECT_EQ(answer.text, good["say"]);
  EXPECT_FALSE(answer.usage.input_tokens || answer.usage.cached_tokens || answer.usage.output_tokens || answer.usage.cost);
  ChatRequest request = request_of("x");
  request.model = "other";
  const ChatAnswer second = asked->ask(request);
  EXPECT_EQ(second.usage.input_tokens, 1000);
  EXPECT_FALSE(second.usage.cost);
}

TEST_P(EveryProtocol, SaysThatAnAnswerEndedAtTheLimit) {
  json cut = good;
  cut["finish"] = "length";
  serve({cut});
  const ChatAnswer answer = chat_of()->ask(request_of("x"));
  EXPECT_TRUE(answer.truncated);
  EXPECT_EQ(answer.text, good["say"]);
}

TEST_P(EveryProtocol, SendsTheWholeRequest) {
  serve({good});
  ChatRequest request = request_of("a\n\"b\" \u00e9");
  request.temperature = 0.5;
  request.max_output_tokens = 77;
  chat_of()->ask(request);
  const json sent = server_->requests().at(0)["body"];
  EXPECT_EQ(sent["model"], "tiny");
  EXPECT_EQ(sent["temperature"], 0.5);
  EXPECT_EQ(sent["stream"], *GetParam().stream == 't');
  const std::string provider = GetParam().provider;
  const json conversation = sent[provider == "responses" ? "input" : "messages"];
  EXPECT_EQ(conversation.back(), (json{{"role", "user"}, {"content", "a\n\"b\" \u00e9"}}));
  EXPECT_EQ(sent[provider == "responses" ? "max_output_tokens" : "max_tokens"], 77);
  EXPECT_EQ(provider == "anthropic" ? sent["system"] : conversation[0]["content"], "be brief");
}

TEST_P(EveryProtocol, ACutAnswerIsAskedForAgain) {
  json first = good, second = good;
  first["cut"] = 150;
  second["cut"] = 0;
  serve({first, second, good});
  EXPECT_EQ(chat_of()->ask(request_of("x")).text, good["say"]);
  EXPECT_EQ(server_->requests().size(), 3u);
}

TEST_P(EveryProtocol, ASilentConnectionIsGivenUpAndTriedAgain) {
  json first = good;
  first["stall"] = 150;
  serve({{{"hang", true}}, first, good});
  EXPECT_EQ(chat_of({{"idle_s", "0.2"}})->ask(request_of("x")).text, good["say"]);
  EXPECT_EQ(server_->requests().size(), 3u);
}

TEST_P(EveryProtocol, GarbageIsTriedAgainAndThenReported) {
  serve({{{"body", "<html>gateway</html>"}, {"headers", {{"Content-Type", "text/html"}}}}});
  auto asked = chat_of({{"tries", "3"}});
  EXPECT_THAT(failure_of(*asked), AllOf(HasSubstr("agent coder, model tiny: "), HasSubstr("not JSON"), HasSubstr("given up after 3 tries")));
  EXPECT_EQ(server_->requests().size(), 3u);
  serve({{{"body", json::object()}}, {{"body", json::array()}}, {{"body", ""}}, good});
  EXPECT_EQ(chat_of()->ask(request_of("x")).text, good["say"]);
}

TEST_P(EveryProtocol, GarbageInsideAStreamIsTriedAgain) {
  const json event_stream = {{"Content-Type", "text/event-stream"}};
  serve({{{"body", "data: {\"choices\": [}\n\n"}, {"headers", event_stream}},
         {{"body", "data: {\"error\": {\"message\": \"overloaded\"}, \"type\": \"error\"}\n\n"}, {"headers", event_stream}},
         good});
  EXPECT_EQ(chat_of()->ask(request_of("x")).text, good["say"]);
  EXPECT_EQ(server_->requests().size(), 3u);
}

TEST_F(NetworkChat, EveryPassingFailureIsTriedAgain) {
  json script = json::array();
  for (const int status : {408, 409, 429, 500, 502, 503, 504, 529}) {
    script.push_back({{"status", status}, {"body", {{"error", {{"message", "later"}}}}}});
  }
  script.push_back(good);
  serve(script);
  EXPECT_EQ(chat({{"tries", "9"}})->ask(request_of("x")).text, good["say"]);
  EXPECT_EQ(server_->requests().size(), 9u);
}

TEST_F(NetworkChat, OtherRefusalsAreFinal) {
  for (const int status : {400, 401, 403, 404, 413, 422, 302}) {
    serve({{{"status", status}, {"headers", {{"Location", "/elsewhere"}}}, {"body", {{"error", {{"message", "no such thing"}}}}}}, good});
    auto asked = chat();
    EXPECT_THAT(failure_of(*asked), HasSubstr("HTTP " + std::to_string(status) + ": no such thing"));
    EXPECT_EQ(server_->requests().size(), 1u) << status;
  }
}

TEST_F(NetworkChat, GivesUpAfterTheLastTry) {
  serve({{{"status", 503}, {"body", "busy"}}});
  auto asked = chat({{"tries", "4"}});
  EXPECT_THAT(failure_of(*asked), HasSubstr("HTTP 503: busy; given up after 4 tries"));
  EXPECT_EQ(server_->requests().size(), 4u);
}

TEST_F(NetworkChat, ARetryAfterBeyondTheDeadlineEndsAtOnce) {
  serve({{{"status", 429}, {"headers", {{"Retry-After", "5000"}}}, {"body", "slow down"}}, good});
  auto asked = chat({{"deadline_s", "60"}});
  EXPECT_THAT(failure_of(*asked), HasSubstr("given up after 1 try: the next, in 5000 s, would pass deadline_s=60"));
  EXPECT_EQ(server_->requests().size(), 1u);
}

TEST_F(NetworkChat, ARetryAfterIsKept) {
  serve({{{"status", 429}, {"headers", {{"Retry-After", "0"}}}}, {{"status", 429}, {"headers", {{"Retry-After", "Thu, 01 Jan 1970 00:00:00 GMT"}}}}, good});
  EXPECT_EQ(chat()->ask(request_of("x")).text, good["say"]);
}

TEST_F(NetworkChat, ATotalLimitEndsATryThatNeverFallsSilent) {
  serve({{{"hang", true}}});
  auto asked = chat({{"total_s", "0.2"}, {"tries", "2"}});
  EXPECT_THAT(failure_of(*asked), HasSubstr("given up after 2 tries"));
}

TEST_F(NetworkChat, AServerThatIsNotThereIsReported) {
  serve({good});
  const std::string url = server_->url();
  server_.reset();
  auto asked = make_chat({{"provider", "openai"}, {"base_url", url}, {"tries", "2"}, {"retry_wait_s", "0"}});
  EXPECT_THAT(failure_of(*asked), HasSubstr("given up after 2 tries"));
}

TEST_F(NetworkChat, TheKeyIsSentAndNeverSaid) {
  const std::string key = "secret-4711-token";
  ::setenv("MSKB_LLM_KEY", (key + "\n").c_str(), 1);
  serve({{{"status", 401}, {"body", {{"error", {{"message", "Incorrect API key provided: " + key + " (sk-abc***xyz9)"}}}}}}});
  auto asked = chat();
  const std::string failure = failure_of(*asked);
  EXPECT_THAT(failure, AllOf(HasSubstr("HTTP 401: Incorrect API key provided: [key]"), Not(HasSubstr("4711")), Not(HasSubstr("xyz9"))));
  EXPECT_EQ(server_->requests().at(0)["headers"]["authorization"], "Bearer " + key);
  serve({{{"status", 500}, {"body", "echo " + key}}});
  EXPECT_THAT(failure_of(*chat({{"provider", "anthropic"}, {"tries", "2"}})), Not(HasSubstr("4711")));
  EXPECT_EQ(server_->requests().at(0)["headers"]["x-api-key"], key);
  EXPECT_EQ(server_->requests().at(0)["headers"]["anthropic-version"], "2023-06-01");
}

TEST_F(NetworkChat, AProvidersOwnKeyGoesNowhereElse) {
  ::setenv("OPENAI_API_KEY", "own-key-1", 1);
  serve({good});
  chat()->ask(request_of("x"));
  EXPECT_FALSE(server_->requests().at(0)["headers"].contains("authorization"));
  ::unsetenv("OPENAI_API_KEY");
}

TEST_F(NetworkChat, AModelThatRefusesIsNotAskedAgain) {
  serve({{{"body", {{"choices", {{{"message", {{"content", nullptr}, {"refusal", "I will not"}}}, {"finish_reason", "stop"}}}}}}}, good});
  auto asked = chat();
  EXPECT_THAT(failure_of(*asked), HasSubstr("the model refused: I will not"));
  EXPECT_EQ(server_->requests().size(), 1u);
}

TEST_F(NetworkChat, ABudgetStopsBeforeItIsExceeded) {
  serve({good});
  // A request may take about 200 tokens of input and 100 of output: 0.0012 dollars; an answer costs 0.0018.
  auto asked = chat({{"max_cost", "0.004"}, {"max_output_tokens", "100"}});
  asked->ask(request_of("x"));
  asked->ask(request_of("x"));
  EXPECT_THAT(failure_of<ChatTooExpensive>(*asked), HasSubstr("0.0036 of max_cost=0.004 are spent"));
  EXPECT_EQ(server_->requests().size(), 2u);
  EXPECT_EQ(server_->requests().at(0)["body"]["max_tokens"], 100);

  auto counted = chat({{"max_tokens", "1250"}, {"max_output_tokens", "100"}});
  counted->ask(request_of("x"));
  EXPECT_THAT(failure_of<ChatTooExpensive>(*counted), HasSubstr("1050 of max_tokens=1250 are spent"));
  EXPECT_EQ(server_->requests().size(), 3u);
}

TEST_F(NetworkChat, ABudgetThatCannotBeKeptSendsNothing) {
  serve({good});
  EXPECT_THAT(failure_of<ChatTooExpensive>(*chat({{"max_cost", "1"}})), HasSubstr("max_output_tokens"));
  ChatRequest request = request_of("x");
  request.model = "unlisted";
  auto asked = chat({{"max_cost", "1"}, {"max_output_tokens", "10"}});
  EXPECT_THAT(failure_of<ChatTooExpensive>(*asked, request), HasSubstr("the price of model unlisted is unknown"));
  EXPECT_TRUE(server_->requests().empty());
}

TEST_F(NetworkChat, CutAndUncountedAnswersCountAsTheMost) {
  json cut = good, silent = good;
  cut["cut"] = 100;
  silent["usage"] = nullptr;
  serve({cut, silent, good});
  auto asked = chat({{"max_tokens", "1000"}, {"max_output_tokens", "300"}});
  EXPECT_NO_THROW(asked->ask(request_of("x")));
  EXPECT_EQ(server_->requests().size(), 2u);
  EXPECT_THAT(failure_of<ChatTooExpensive>(*asked), HasSubstr("of max_tokens=1000 are spent"));
  EXPECT_EQ(server_->requests().size(), 2u);
}

TEST_F(NetworkChat, AJournalSparesWhatWasPaidFor) {
  serve({good});
  const std::map<std::string, std::string> options{
      {"journal", (folder_.path() / "journal").string()}, {"max_tokens", "2300"}, {"max_output_tokens", "100"}};
  chat(options)->ask(request_of("x"));
  auto asked = chat(options);
  EXPECT_EQ(asked->ask(request_of("x")).text, good["say"]);
  EXPECT_EQ(server_->requests().size(), 1u);
  asked->ask(request_of("y"));
  EXPECT_THAT(failure_of<ChatTooExpensive>(*asked, request_of("z")), HasSubstr("2100 of max_tokens=2300"));
  EXPECT_EQ(make_chat({{"provider", "replay"}, {"transcript", options.at("journal")}})->ask(request_of("x")).text, good["say"]);
}

}  // namespace
}  // namespace mskb::agents
