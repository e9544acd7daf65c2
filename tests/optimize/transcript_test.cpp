#include "optimize/transcript.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "optimize/session.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;

TEST(Transcript, ReadsBackWhatWasSaid) {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "transcripts/task/fp32.jsonl";
  {
    Transcript transcript(file, {{"run", "abc"}});
    transcript.from_harness(R"({"type":"start"})");
    transcript.from_optimizer(R"({ "type": "note",  "b": 1, "a": 2.50 })");
    transcript.malformed("rubbish \xff");
    transcript.end({{"ending", "died"}});
  }
  EXPECT_NE(read_file(file).find(R"({ "type": "note",  "b": 1, "a": 2.50 })"), std::string::npos) << "kept as it was sent";
  const StoredTranscript stored = read_transcript(file);
  EXPECT_EQ(stored.head.at("run"), "abc");
  EXPECT_EQ(stored.head.at("schema"), transcript_schema);
  ASSERT_EQ(stored.lines.size(), 3u);
  EXPECT_TRUE(stored.lines[0].from_harness);
  EXPECT_EQ(stored.lines[1].message.at("a"), 2.5);
  EXPECT_TRUE(stored.lines[2].message.is_null());
  EXPECT_EQ(stored.end->at("ending"), "died");
}

TEST(Transcript, WrongTypesAreAFaultOfTheFile) {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "edited.jsonl";
  for (const char* line : {R"({"n":"x","from":"harness","message":{}})", R"({"n":1,"t":[1],"from":"harness","message":{}})",
                           R"({"n":1,"t":1,"from":7,"message":{}})", R"({"n":1,"t":1,"from":"harness","message":5})",
                           R"({"n":1,"t":1,"from":"session","end":5})", R"({"n":1,"t":1,"from":"session","suspended":3})"}) {
    std::ofstream(file, std::ios::trunc) << "{\"schema\":1,\"run\":\"abc\"}\n" << line << "\n";
    try {
      read_transcript(file);
      ADD_FAILURE() << line;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("edited.jsonl:2: "), std::string::npos) << error.what();
    }
  }
}

TEST(Transcript, WhatNestsWithoutMeasureIsAFaultOfTheFile) {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "deep.jsonl";
  std::ofstream(file) << "{\"schema\":1}\n{\"n\":1,\"from\":\"optimizer\",\"message\":{\"a\":" << std::string(100000, '[') << std::string(100000, ']') << "}}\n";
  EXPECT_THROW(read_transcript(file), InputError);
}

TEST(Transcript, ASessionCutOffAnywhereIsReadWithoutItsLastPart) {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "whole.jsonl";
  {
    Transcript transcript(file, {{"run", "abc"}});
    transcript.from_harness(R"({"type":"start"})");
    transcript.from_optimizer(R"({"type":"note"})");
    transcript.end({{"ending", "died"}});
  }
  const std::string text = read_file(file);
  for (std::size_t size = text.find('\n') + 1; size < text.size(); ++size) {
    std::ofstream(folder.path() / "cut.jsonl", std::ios::trunc) << text.substr(0, size);
    const StoredTranscript stored = read_transcript(folder.path() / "cut.jsonl");
    EXPECT_EQ(stored.lines.size(), static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(size), '\n')) - 1);
    EXPECT_EQ(stored.end, std::nullopt);
  }
}

TEST(Transcript, ACutOffSessionIsMovedAside) {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "fp32.jsonl";
  { Transcript transcript(file, {{"run", "first"}}); }
  { Transcript transcript(file, {{"run", "second"}}); }
  { Transcript transcript(file, {{"run", "third"}}); }
  EXPECT_EQ(read_transcript(file).head.at("run"), "third");
  EXPECT_EQ(read_transcript(folder.path() / "fp32.jsonl.cut-1").head.at("run"), "first");
  EXPECT_EQ(read_transcript(folder.path() / "fp32.jsonl.cut-2").head.at("run"), "second");
}

TEST(Transcript, RefusesWhatIsNone) {
  const TemporaryDirectory folder;
  for (const char* text : {"", "hello\n", "{\"schema\": 99}\n", "{\"schema\": 1}\nhello\n{}\n"}) {
    std::ofstream(folder.path() / "file", std::ios::trunc) << text;
    EXPECT_THROW(read_transcript(folder.path() / "file"), InputError) << text;
  }
}

TEST(SessionOutcome, SurvivesTheTranscript) {
  SessionOutcome outcome;
  outcome.ending = SessionEnding::submitted;
  outcome.submitted = Candidate{.origin = "optimizer:x#2", .main_source = "a.cu", .sources = {{"a.cu", "text"}}, .flags = {"-O3"},
                                .libraries = {}, .allowed_loads = {}};
  outcome.spending = {2, std::nullopt, 0.25, 1.5, 10};
  const SessionOutcome back = outcome_from_json(Json::parse(one_line(to_json(outcome))));
  EXPECT_EQ(back.ending, outcome.ending);
  EXPECT_EQ(back.submitted->id(), outcome.submitted->id());
  EXPECT_EQ(back.submitted->origin, "optimizer:x#2");
  EXPECT_EQ(back.spending.tokens, std::nullopt);
  EXPECT_EQ(back.spending.money, 0.25);
}

}  // namespace
}  // namespace mskb
