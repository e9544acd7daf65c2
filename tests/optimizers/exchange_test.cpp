#include <gmock/gmock.h>

#include <thread>

#include "base/files.hpp"
#include "common/chat_json.hpp"
#include "common/exchange_chat.hpp"

namespace mskb::agents {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using nlohmann::json;
namespace fs = std::filesystem;

ChatRequest request_of(const std::string& agent, const std::string& text) { return {agent, "m", {{"system", "rules"}, {"user", text}}, {}, {}}; }

class Exchange : public ::testing::Test {
 protected:
  // Does not wait: what is not there is awaited.
  ExchangeChat chat() const { return ExchangeChat(folder_, {0.0, 0.01, 0.0}); }
  void answer(const std::string& stem, const std::string& text) { write_file_atomically(folder_ / (stem + ".answer.md"), text); }
  std::vector<std::string> requests() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(".request.json")) {
        names.push_back(name);
      }
    }
    return names;
  }
  std::string failure_of(ExchangeChat& asked, const ChatRequest& request) {
    try {
      asked.ask(request);
    } catch (const ChatFailed& error) {
      return error.what();
    }
    return "";
  }
  TemporaryDirectory temporary_;
  fs::path folder_ = temporary_.path() / "exchange";
};

TEST_F(Exchange, WritesTheRequestForProgramsAndForPeople) {
  auto asked = chat();
  EXPECT_THROW(asked.ask(request_of("planner", "tile it\n")), AnswerAwaited);
  const json file = json::parse(read_file(folder_ / "0001-planner.request.json"));
  EXPECT_EQ(file["agent"], "planner");
  EXPECT_EQ(file["messages"][1]["content"], "tile it\n");
  const std::string page = read_file(folder_ / "0001-planner.request.md");
  EXPECT_THAT(page, HasSubstr("## system\n\nrules\n"));
  EXPECT_THAT(page, HasSubstr("## user\n\ntile it\n"));
  const std::string for_the_model = page.substr(0, page.find("\n---\n"));
  EXPECT_EQ(for_the_model.find("answer"), std::string::npos) << "where the answer goes is for the operator";
  EXPECT_THAT(page, HasSubstr("agent planner, model m. The answer goes to `0001-planner.answer.md`"));
}

TEST_F(Exchange, TakesTheTextAsItIsAndLeavesTheRestUnknown) {
  auto asked = chat();
  failure_of(asked, request_of("coder", "x"));
  answer("0001-coder", "```cuda\r\nint a;\n```\n");
  const ChatAnswer got = chat().ask(request_of("coder", "x"));
  EXPECT_EQ(got.text, "```cuda\r\nint a;\n```\n");
  EXPECT_EQ(got.model, "");
  EXPECT_FALSE(got.usage.input_tokens || got.usage.output_tokens || got.usage.cost);
}

TEST_F(Exchange, TakesAnswersAsJson) {
  auto asked = chat();
  failure_of(asked, request_of("coder", "x"));
  write_file_atomically(folder_ / "0001-coder.answer.json",
                        R"({"text": "y", "model": "somebody", "usage": {"input_tokens": 3, "output_tokens": null}})");
  const ChatAnswer got = chat().ask(request_of("coder", "x"));
  EXPECT_EQ(got.text, "y");
  EXPECT_EQ(got.model, "somebody");
  EXPECT_EQ(got.usage.input_tokens, 3);
  EXPECT_FALSE(got.usage.output_tokens);
}

TEST_F(Exchange, ABrokenAnswerIsNamed) {
  auto asked = chat();
  failure_of(asked, request_of("coder", "x"));
  for (const std::string text : {"{\"text\":", "{\"txt\": 1}", "[]", "{\"text\": \"a\", \"usage\": {\"input_tokens\": \"many\"}}"}) {
    write_file_atomically(folder_ / "0001-coder.answer.json", text);
    auto again = chat();
    EXPECT_THAT(failure_of(again, request_of("coder", "x")), HasSubstr("0001-coder.answer.json: ")) << text;
  }
}

TEST_F(Exchange, AnAnswerTooLongForTheProtocolIsAwaitedShorter) {
  auto asked = chat();
  failure_of(asked, request_of("coder", "x"));
  write_file_atomically(folder_ / "0001-coder.answer.md", std::string((4 << 20) + 1, 'a'));
  auto again = chat();
  EXPECT_THAT(failure_of(again, request_of("coder", "x")), HasSubstr("0001-coder.answer.md: is longer than 4 MiB"));
}

TEST_F(Exchange, ARestartWritesNothingTwice) {
  for (int run = 0; run < 3; ++run) {
    auto asked = chat();
    failure_of(asked, request_of("planner", "a"));
    failure_of(asked, request_of("coder", "a"));
  }
  EXPECT_THAT(requests(), UnorderedElementsAre("0001-planner.request.json", "0002-coder.request.json"));
  answer("0001-planner", "A");
  auto asked = chat();
  EXPECT_EQ(asked.ask(request_of("planner", "a")).text, "A");
  failure_of(asked, request_of("coder", "b"));
  EXPECT_EQ(requests().size(), 3u);
}

TEST_F(Exchange, EqualRequestsOfOneProcessAreDifferentRequests) {
  for (int run = 0; run < 2; ++run) {
    auto asked = chat();
    failure_of(asked, request_of("coder", "a"));
    failure_of(asked, request_of("coder", "a"));
  }
  EXPECT_EQ(requests().size(), 2u);
  answer("0002-coder", "second");
  auto asked = chat();
  EXPECT_THAT(failure_of(asked, request_of("coder", "a")), HasSubstr("0001-coder"));
  EXPECT_EQ(asked.ask(request_of("coder", "a")).text, "second");
}

TEST_F(Exchange, AnAnswerThatComesWhileWaitingIsTaken) {
  ExchangeChat asked(folder_, {std::nullopt, 0.01, 0.0});
  std::thread somebody([&] {
    while (!fs::exists(folder_ / "0001-coder.request.json")) {
      std::this_thread::yield();
    }
    answer("0001-coder", "late");
  });
  EXPECT_EQ(asked.ask(request_of("coder", "a")).text, "late");
  somebody.join();
}

TEST_F(Exchange, AnEmptyAnswerIsNotYetOne) {
  auto asked = chat();
  failure_of(asked, request_of("coder", "x"));
  answer("0001-coder", "");
  auto again = chat();
  EXPECT_THROW(again.ask(request_of("coder", "x")), AnswerAwaited);
}

TEST_F(Exchange, SeveralProcessesShareAFolder) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      auto asked = chat();
      failure_of(asked, request_of("coder", std::to_string(i)));
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(requests().size(), 8u);
}

TEST_F(Exchange, AnAgentsNameStaysWithinTheFolder) {
  auto asked = chat();
  failure_of(asked, request_of("../up/coder", "x"));
  EXPECT_THAT(requests(), UnorderedElementsAre("0001-___up_coder.request.json"));
}

TEST_F(Exchange, AFolderThatCannotBeIsRefused) {
  write_file_atomically(temporary_.path() / "file", "x");
  EXPECT_THROW(ExchangeChat(temporary_.path() / "file", {}), std::invalid_argument);
}

}  // namespace
}  // namespace mskb::agents
