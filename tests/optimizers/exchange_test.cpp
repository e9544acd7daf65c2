#include <gmock/gmock.h>
#include <sys/stat.h>

#include <functional>
#include <thread>

#include "base/files.hpp"
#include "common/chat_json.hpp"
#include "common/exchange_chat.hpp"

namespace mskb::agents {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
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
  // Of the request with that text.
  std::string stem_of(const std::string& text) const {
    for (const std::string& name : requests()) {
      if (json::parse(read_file(folder_ / name))["messages"][1]["content"] == text) {
        return name.substr(0, name.find(".request"));
      }
    }
    return "none";
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

// Ways in which an answer's file can be wrong, each with what is said of it.
struct WrongAnswer {
  const char* ending;
  std::function<void(const fs::path&)> make;
  const char* said;
};
std::vector<WrongAnswer> wrong_answers() {
  const auto text = [](std::string words) { return [words](const fs::path& file) { write_file_atomically(file, words); }; };
  return {{".md", text(""), "is empty; write the answer there"},
          {".json", text(""), "is empty"},
          {".md", text("caf\xe9"), "is not UTF-8"},
          {".json", text("{\"text\": \"caf\xe9\"}"), "is not JSON in UTF-8"},
          {".json", text("{\"text\": \"half"), "is not JSON in UTF-8; correct it, or remove it"},
          {".json", text(std::string(1000000, '[')), "is not JSON in UTF-8"},
          {".json", text(std::string(1000000, '[') + std::string(1000000, ']')), "an answer is an object"},
          {".md", text(std::string((4 << 20) + 1, 'a')), "is longer than 4 MiB; shorten it"},
          {".md", [](const fs::path& file) { fs::create_directory(file); }, "is a directory"},
          {".json", [](const fs::path& file) { fs::create_symlink("nowhere", file); }, "cannot be read"},
          {".md", [](const fs::path& file) { ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0); }, "is not a regular file"}};
}

TEST_F(Exchange, AnAnswerThatCannotBeTakenIsNamedAndAwaited) {
  for (const WrongAnswer& wrong : wrong_answers()) {
    auto first = chat();
    failure_of(first, request_of("coder", wrong.said));
    const std::string request = (folder_ / (stem_of(wrong.said) + ".request.json")).string();
    const fs::path file = folder_ / (stem_of(wrong.said) + ".answer" + wrong.ending);
    wrong.make(file);
    auto again = chat();
    try {
      again.ask(request_of("coder", wrong.said));
      ADD_FAILURE() << wrong.said;
    } catch (const AnswerAwaited& awaited) {
      EXPECT_THAT(awaited.what(), AllOf(::testing::StartsWith(file.string() + ": "), HasSubstr(wrong.said), Not(HasSubstr("\n"))));
      EXPECT_EQ(awaited.request_file, request);
    }
    fs::remove(file);
    write_file_atomically(folder_ / (stem_of(wrong.said) + ".answer.md"), "right");
    EXPECT_EQ(chat().ask(request_of("coder", wrong.said)).text, "right") << "the request is still there";
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
}

TEST_F(Exchange, AnAnswerThatIsCorrectedWhileItIsAwaitedIsTaken) {
  ExchangeChat asked(folder_, {std::nullopt, 0.01, 0.0});
  ::testing::internal::CaptureStderr();
  std::thread somebody([&] {
    while (!fs::exists(folder_ / "0001-coder.request.json")) {
      std::this_thread::yield();
    }
    answer("0001-coder", "caf\xe9");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    answer("0001-coder", "corrected");
  });
  EXPECT_EQ(asked.ask(request_of("coder", "a")).text, "corrected");
  somebody.join();
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_LE(std::count(log.begin(), log.end(), '\n'), 1) << log;
}

TEST_F(Exchange, AnEmptyFileDoesNotHideTheAnswerBesideIt) {
  auto asked = chat();
  failure_of(asked, request_of("coder", "x"));
  write_file_atomically(folder_ / "0001-coder.answer.json", "");
  answer("0001-coder", "words");
  EXPECT_EQ(chat().ask(request_of("coder", "x")).text, "words");
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
