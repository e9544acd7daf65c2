#include <gmock/gmock.h>

#include <fstream>

#include "base/files.hpp"
#include "common/chat_json.hpp"
#include "common/journal_chat.hpp"
#include "common/replay_chat.hpp"

// Transcripts: answers from them, and how they come to be.
namespace mskb::agents {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using nlohmann::json;

ChatRequest request_of(const std::string& agent, const std::string& text) { return {agent, "m", {{"system", "be brief"}, {"user", text}}, {}, {}}; }

// Answers "<text> #<number>", and counts.
struct CountingChat : Chat {
  int& asked;
  explicit CountingChat(int& count) : asked(count) {}
  ChatAnswer ask(const ChatRequest& request) override {
    ChatAnswer answer;
    answer.text = request.messages.back().content + " #" + std::to_string(++asked);
    answer.usage.output_tokens = 5;
    return answer;
  }
};

class StoredAnswers : public ::testing::Test {
 protected:
  std::unique_ptr<Chat> journal() { return std::make_unique<JournalChat>(file_, std::make_unique<CountingChat>(asked_), nullptr); }
  std::string failure_of(Chat& chat, const ChatRequest& request) {
    try {
      chat.ask(request);
    } catch (const ChatFailed& error) {
      return error.what();
    }
    return "";
  }
  TemporaryDirectory folder_;
  std::filesystem::path file_ = folder_.path() / "sub/journal.jsonl";
  int asked_ = 0;
};

TEST_F(StoredAnswers, AJournalReplaysInOrderPerAgent) {
  auto chat = journal();
  chat->ask(request_of("planner", "p1"));
  chat->ask(request_of("coder", "c1"));
  chat->ask(request_of("planner", "p2"));
  ReplayChat replay(file_);
  EXPECT_EQ(replay.ask(request_of("coder", "c1")).text, "c1 #2");
  EXPECT_EQ(replay.ask(request_of("planner", "p1")).text, "p1 #1");
  const ChatAnswer last = replay.ask(request_of("planner", "p2"));
  EXPECT_EQ(last.text, "p2 #3");
  EXPECT_EQ(last.usage.output_tokens, 5);
  EXPECT_FALSE(last.usage.input_tokens);
  EXPECT_FALSE(last.usage.cost);
  EXPECT_THAT(failure_of(replay, request_of("planner", "p3")), HasSubstr("request 3 of agent planner has no recorded answer (2 are there)"));
}

TEST_F(StoredAnswers, AReplayThatDiffersSaysWhere) {
  journal()->ask(request_of("coder", "one\ntwo\nthree"));
  ReplayChat replay(file_);
  EXPECT_EQ(failure_of(replay, request_of("coder", "one\ntwa\nthree")),
            file_.string() + ":1: request 1 of agent coder differs from the recorded one: message 2 (user), line 2: recorded \"two\", now \"twa\"");
  ChatRequest other = request_of("coder", "one\ntwo\nthree");
  other.model = "n";
  EXPECT_THAT(failure_of(replay, other), HasSubstr("model: recorded \"m\", now \"n\""));
  other = request_of("coder", "one\ntwo\nthree");
  other.messages.push_back({"user", "more"});
  EXPECT_THAT(failure_of(replay, other), HasSubstr("recorded 2 messages, now 3"));
  other = request_of("coder", "one\ntwo\nthree");
  other.max_output_tokens = 7;
  EXPECT_THAT(failure_of(replay, other), HasSubstr("max_output_tokens: recorded null, now 7"));
  EXPECT_THAT(failure_of(replay, request_of("debugger", "x")), HasSubstr("request 1 of agent debugger has no recorded answer (0 are there)"));
}

TEST_F(StoredAnswers, ASessionsTranscriptIsATranscript) {
  const json note = {{"type", "note"}, {"role", "coder"}, {"request", request_json(request_of("coder", "x"))}, {"answer", {{"text", "y"}}}};
  write_file_atomically(folder_.path() / "t", json{{"run", "r"}}.dump() + "\n" +
                                                  json{{"n", 1}, {"from", "harness"}, {"message", {{"type", "start"}}}}.dump() + "\n" +
                                                  json{{"n", 2}, {"from", "optimizer"}, {"message", note}}.dump() + "\n");
  EXPECT_EQ(ReplayChat(folder_.path() / "t").ask(request_of("coder", "x")).text, "y");
}

TEST_F(StoredAnswers, BadTranscriptsAreRefusedInOneLine) {
  const auto refusal = [&](const std::string& text) -> std::string {
    write_file_atomically(folder_.path() / "t", text);
    try {
      ReplayChat chat(folder_.path() / "t");
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(""), HasSubstr("holds no answer"));
  EXPECT_THAT(refusal("{}\nhello\n{}\n"), HasSubstr(":2: is not a JSON object"));
  EXPECT_THAT(refusal("{\"agent\": \"a\", \"request\": {}, \"answer\": {}}\n"), HasSubstr(":1: no recorded answer"));
  EXPECT_THROW(ReplayChat(folder_.path() / "missing"), std::invalid_argument);
}

TEST_F(StoredAnswers, WhatWasAnsweredIsNotAskedAgain) {
  journal()->ask(request_of("planner", "p1"));
  journal()->ask(request_of("coder", "c1"));
  EXPECT_EQ(asked_, 2);
  auto chat = journal();
  EXPECT_EQ(chat->ask(request_of("coder", "c1")).text, "c1 #2");
  EXPECT_EQ(chat->ask(request_of("planner", "p1")).text, "p1 #1");
  EXPECT_EQ(asked_, 2);
  EXPECT_EQ(chat->ask(request_of("planner", "p1")).text, "p1 #3") << "a second equal request is one of its own";
  EXPECT_EQ(chat->ask(request_of("planner", "changed")).text, "changed #4");
}

TEST_F(StoredAnswers, AJournalCutAnywhereGoesOn) {
  journal()->ask(request_of("planner", "p1"));
  journal()->ask(request_of("planner", "p2"));
  const std::string whole = read_file(file_);
  const std::size_t first_line = whole.find('\n') + 1;
  std::vector<std::size_t> cuts{first_line - 1, first_line, whole.size() - 2, whole.size() - 1, whole.size()};
  for (std::size_t cut = 0; cut <= whole.size(); cut += 13) {
    cuts.push_back(cut);
  }
  for (const std::size_t cut : cuts) {
    write_file_atomically(file_, whole.substr(0, cut));
    asked_ = 10;
    {
      auto chat = journal();
      chat->ask(request_of("planner", "p1"));
      chat->ask(request_of("planner", "p2"));
    }
    EXPECT_EQ(asked_, 10 + (cut < first_line - 1) + (cut < whole.size() - 1)) << cut << ": a line that lacks its newline alone is whole";
    ReplayChat replay(file_);
    replay.ask(request_of("planner", "p1"));
    replay.ask(request_of("planner", "p2"));
  }
}

TEST_F(StoredAnswers, AJournalWithAWrongLineIsRefusedAndLeftAsItIs) {
  journal()->ask(request_of("planner", "p1"));
  const std::string right = read_file(file_);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string line = right;
    EXPECT_NE(line.find(from), std::string::npos) << from;
    return line.replace(line.find(from), from.size(), to);
  };
  for (const std::string& wrong : {std::string("\xff\xfe\n"), std::string("{}\n"), std::string("5\n"), changed("\"request\"", "\"requst\""),
                                   changed("\"text\":\"p1 #1\"", "\"text\":7"), changed("\"agent\":\"planner\"", "\"agent\":[]"),
                                   changed("\"messages\":[", "\"messages\":[5,"), changed("\"content\":\"p1\"", "\"content\":null"),
                                   changed("p1 #1", "p1 \xe9")}) {
    write_file_atomically(file_, right + wrong + right);
    try {
      journal();
      ADD_FAILURE() << wrong;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), AllOf(::testing::StartsWith(file_.string() + ":2: "), HasSubstr("correct or remove the line"))) << wrong;
    }
    EXPECT_THROW(check_chat({{"provider", "exchange"}, {"journal", file_.string()}}), std::invalid_argument) << wrong;
    EXPECT_EQ(read_file(file_), right + wrong + right);
  }
  EXPECT_EQ(asked_, 1) << "nothing was asked again";
}

TEST_F(StoredAnswers, ACheckMendsNothing) {
  journal()->ask(request_of("planner", "p1"));
  const std::string cut = read_file(file_) + "{\"agent\":";
  write_file_atomically(file_, cut);
  EXPECT_NO_THROW(check_chat({{"provider", "exchange"}, {"exchange", (folder_.path() / "exchange").string()}, {"journal", file_.string()}}));
  EXPECT_EQ(read_file(file_), cut);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "exchange"));
  EXPECT_THROW(check_chat({{"provider", "replay"}}), std::invalid_argument);
  EXPECT_THROW(check_chat({{"provider", "replay"}, {"transcript", (folder_.path() / "missing").string()}}), std::invalid_argument);
}

TEST_F(StoredAnswers, TwoWritersOfOneJournalAreRefused) {
  const auto first = journal();
  EXPECT_THROW(journal(), std::invalid_argument);
}

TEST_F(StoredAnswers, TextThatIsNotUtf8IsStoredAndFoundAgain) {
  const ChatRequest request = request_of("coder", "a\xff\xfe z");
  journal()->ask(request);
  journal()->ask(request);
  EXPECT_EQ(asked_, 1);
  EXPECT_NO_THROW(ReplayChat(file_).ask(request));
}

}  // namespace
}  // namespace mskb::agents
