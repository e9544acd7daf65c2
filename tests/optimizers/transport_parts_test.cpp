#include <gmock/gmock.h>

#include <cstdlib>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "common/chat.hpp"
#include "common/endpoint.hpp"
#include "common/prices.hpp"
#include "common/retry.hpp"
#include "common/server_events.hpp"

namespace mskb::agents {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal_of(const std::map<std::string, std::string>& options) {
  try {
    make_chat(options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Retry, WaitsDoubleWithJitterUpToALimit) {
  const RetryPolicy policy{6, 1, 60, 3600};
  EXPECT_DOUBLE_EQ(wait_before_next(policy, 1, {}, 0), 0.5);
  EXPECT_DOUBLE_EQ(wait_before_next(policy, 1, {}, 0.5), 0.75);
  EXPECT_DOUBLE_EQ(wait_before_next(policy, 4, {}, 0), 4);
  EXPECT_DOUBLE_EQ(wait_before_next(policy, 50, {}, 0), 30);
  EXPECT_DOUBLE_EQ(wait_before_next(policy, 1, 20.0, 0), 20) << "never less than the server asks for";
  EXPECT_DOUBLE_EQ(wait_before_next(policy, 4, 0.0, 0), 4);
}

TEST(Retry, ReadsRetryAfter) {
  const auto now = std::chrono::system_clock::from_time_t(1445412480);  // 21 October 2015, 07:28:00
  EXPECT_EQ(retry_after_seconds("120", now), 120);
  EXPECT_EQ(retry_after_seconds("0.5", now), 0.5);
  EXPECT_EQ(retry_after_seconds("Wed, 21 Oct 2015 07:28:30 GMT", now), 30);
  EXPECT_EQ(retry_after_seconds("Wed, 21 Oct 2015 07:27:00 GMT", now), 0);
  EXPECT_EQ(retry_after_seconds("-3", now), 0);
  for (const char* bad : {"", "soon", "12 minutes", "nan"}) {
    EXPECT_FALSE(retry_after_seconds(bad, now)) << bad;
  }
}

TEST(ServerEvents, AreTheSameHoweverTheyAreCut) {
  const std::string stream = ": hello\r\nevent: a\r\ndata: {\"x\":1}\r\n\r\ndata: two\ndata:  lines\nid: 7\n\n\nevent: nothing\n\ndata\n\n";
  std::vector<std::string> whole;
  ServerEvents events([&](const std::string& name, const std::string& data) { whole.push_back(name + "|" + data); });
  events.feed(stream);
  EXPECT_THAT(whole, ElementsAre("a|{\"x\":1}", "|two\n lines", "|"));
  for (std::size_t piece = 1; piece < 9; ++piece) {
    std::vector<std::string> cut;
    ServerEvents pieces([&](const std::string& name, const std::string& data) { cut.push_back(name + "|" + data); });
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      pieces.feed(stream.substr(at, piece));
    }
    EXPECT_EQ(cut, whole) << piece;
  }
}

TEST(Prices, TheTableOfTheProductIsReadable) {
  const Prices prices(std::filesystem::path(MSKB_SOURCE_DIR) / "configs/prices.yaml");
  const Price* price = prices.find("api.openai.com", "o4-mini-2025-04-16");
  ASSERT_NE(price, nullptr);
  EXPECT_EQ(price, prices.find("api.openai.com", "o4-mini"));
  EXPECT_NE(prices.find("api.openai.com", "gpt-4o-2024-05-13"), prices.find("api.openai.com", "gpt-4o-2024-08-06"));
  EXPECT_EQ(prices.find("127.0.0.1", "o4-mini"), nullptr) << "elsewhere the same name costs something else";
  EXPECT_EQ(prices.find("api.openai.com", "o4"), nullptr);
}

TEST(Prices, CostNeedsEveryFigure) {
  const Price price{2, 8, 0.5};
  EXPECT_DOUBLE_EQ(*price.cost({1e6, 1e6, 5e5, {}}), 1 + 0.25 + 8);
  EXPECT_FALSE(price.cost({1e6, 1e6, {}, {}}));
  EXPECT_FALSE(price.cost({{}, 1e6, 0, {}}));
  EXPECT_FALSE(price.cost({1e6, {}, 0, {}}));
  EXPECT_DOUBLE_EQ(*(Price{2, 8, {}}.cost({1e6, 1e6, {}, {}})), 10);
}

TEST(Prices, MistakesAreNamedByLine) {
  TemporaryDirectory folder;
  const auto error_of = [&](const std::string& text) -> std::string {
    write_file_atomically(folder.path() / "p.yaml", text);
    try {
      Prices prices(folder.path() / "p.yaml");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of("h:\n  m: {input: 1, output: x}\n"), HasSubstr("p.yaml:2: output in US dollars per million tokens must be a number"));
  EXPECT_THAT(error_of("h:\n  m: {input: 1, output: .nan}\n"), HasSubstr("p.yaml:2: output in US dollars per million tokens must be a number"));
  EXPECT_THAT(error_of("h:\n  m: {input: 1}\n"), HasSubstr("p.yaml:2: key 'output' is missing in a price {input: ..., cached: ..., output: ...}"));
  EXPECT_THAT(error_of("h:\n  m:\n    input: -1\n    output: 2\n"), HasSubstr("p.yaml:3: input in US dollars per million tokens is -1; write"));
  EXPECT_THAT(error_of("h:\n  m: {input: 1, output: 2, cashed: 2}\n"), HasSubstr("p.yaml:2: unknown key 'cashed' in a price"));
  EXPECT_THAT(error_of("h:\n  m: {input: 1, output: 2}\n  m: {input: 1, output: 3}\n"), HasSubstr("p.yaml:3: key 'm' appears twice"));
  EXPECT_THAT(error_of("- a\n"), HasSubstr("p.yaml:1: the table of prices by host must be a map"));
  EXPECT_THAT(error_of(std::string(100000, '[')), HasSubstr("p.yaml:1: "));
  EXPECT_THAT(error_of("h: {\n"), HasSubstr("p.yaml:"));
}

TEST(MakeChat, SaysWhatToMend) {
  for (const char* variable : {"OPENAI_API_KEY", "DEEPSEEK_API_KEY", "ANTHROPIC_API_KEY", "MSKB_LLM_KEY"}) {
    ::unsetenv(variable);
  }
  EXPECT_THAT(refusal_of({}), HasSubstr("name one of openai"));
  EXPECT_THAT(refusal_of({{"provider", "oracle"}}), HasSubstr("provider=oracle: name one of"));
  EXPECT_THAT(refusal_of({{"provider", "openai"}}), HasSubstr("set the environment variable OPENAI_API_KEY"));
  EXPECT_THAT(refusal_of({{"provider", "responses"}}), HasSubstr("OPENAI_API_KEY"));
  EXPECT_THAT(refusal_of({{"provider", "deepseek"}}), HasSubstr("DEEPSEEK_API_KEY"));
  EXPECT_THAT(refusal_of({{"provider", "openai"}, {"base_url", "https://API.deepseek.com/"}}), HasSubstr("DEEPSEEK_API_KEY"));
  EXPECT_THAT(refusal_of({{"provider", "anthropic"}}), HasSubstr("ANTHROPIC_API_KEY"));
  EXPECT_THAT(refusal_of({{"provider", "replay"}}), HasSubstr("transcript=FILE"));
  EXPECT_THAT(refusal_of({{"provider", "exchange"}}), HasSubstr("exchange=FOLDER"));
  for (const char* url : {"ftp://a", "https://user:pass@a", "a.b", "https://", "http://a?key=1", "file:///etc/passwd"}) {
    EXPECT_THAT(refusal_of({{"provider", "openai"}, {"base_url", url}}), HasSubstr("base_url")) << url;
  }
  EXPECT_THAT(refusal_of({{"provider", "openai"}, {"base_url", "http://api.openai.com/v1"}}), HasSubstr("https only"));
  const std::map<std::string, std::string> local{{"provider", "openai"}, {"base_url", "http://127.0.0.1:9/v1"}};
  const auto with = [&](const std::string& name, const std::string& value) {
    auto options = local;
    options[name] = value;
    return options;
  };
  EXPECT_EQ(refusal_of(local), "accepted");
  EXPECT_THAT(refusal_of(with("idle_s", "long")), HasSubstr("option idle_s=long"));
  EXPECT_THAT(refusal_of(with("tries", "0")), HasSubstr("option tries=0"));
  EXPECT_THAT(refusal_of(with("stream", "maybe")), HasSubstr("give true or false"));
  EXPECT_THAT(refusal_of(with("prices", "/nowhere.yaml")), HasSubstr("option prices"));
  ::setenv("MSKB_LLM_KEY", "a\nInjected: yes", 1);
  EXPECT_THAT(refusal_of(local), HasSubstr("characters that no key has"));
  ::unsetenv("MSKB_LLM_KEY");
}

TEST(Presentable, KeepsKeysAndLinesOut) {
  EXPECT_EQ(presentable("a\nsecret b sk-proj-1234567", "secret"), "a [key] b [key]");
  const std::string cut = presentable(std::string(299, 'x') + "\u00e9\u00e9", "");
  EXPECT_EQ(cut, std::string(299, 'x') + "...");
}

}  // namespace
}  // namespace mskb::agents
