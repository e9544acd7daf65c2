#include "optimize/messages.hpp"

#include <gmock/gmock.h>

#include "fake_harness.hpp"

namespace mskb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::vector<std::string> sets{"smoke", "check", "paper"};

OptimizerMessage parse(const std::string& text) { return parse_message(Json::parse(text), sets); }

std::string refusal(const std::string& text) {
  try {
    parse(text);
    return "";
  } catch (const MalformedMessage& malformed) {
    return malformed.what();
  }
}

TEST(ParseMessage, ReadsAnEvaluate) {
  const auto request = std::get<EvaluateRequest>(parse(
      R"({"type":"evaluate","sources":{"a.cu":"x","sub/b.cuh":"y"},"main":"a.cu","flags":["-O3"],"cases":["paper","check"],"profile":true})"));
  EXPECT_EQ(request.candidate.main_source, "a.cu");
  EXPECT_EQ(request.candidate.sources.at("sub/b.cuh"), "y");
  EXPECT_THAT(request.candidate.flags, ElementsAre("-O3"));
  EXPECT_THAT(request.sets, ElementsAre("paper", "check"));
  EXPECT_TRUE(request.profile);
}

TEST(ParseMessage, FillsInWhatAnEvaluateLeavesOut) {
  const auto request = std::get<EvaluateRequest>(parse(R"({"type":"evaluate","sources":{"a.cu":""}})"));
  EXPECT_EQ(request.candidate.main_source, "a.cu");
  EXPECT_THAT(request.sets, ElementsAre("smoke"));
  EXPECT_FALSE(request.profile);
  EXPECT_THAT(std::get<EvaluateRequest>(parse(R"({"type":"evaluate","sources":{"a.cu":""},"cases":"paper"})")).sets,
              ElementsAre("paper"));
}

TEST(ParseMessage, EveryRefusalNamesTheFieldAndTheMend) {
  EXPECT_THAT(refusal("[]"), HasSubstr("a JSON object with a 'type'"));
  EXPECT_THAT(refusal(R"({"type":7})"), HasSubstr("'type'"));
  EXPECT_THAT(refusal(R"({"type":"launch"})"), HasSubstr("'launch' is unknown; send evaluate, note, suspend or submit"));
  EXPECT_THAT(refusal(R"({"type":"evaluate"})"), HasSubstr("'sources' must map at least one file name"));
  EXPECT_THAT(refusal(R"({"type":"evaluate","sources":{"a.cu":5}})"), HasSubstr("the text of 'a.cu' must be a string"));
  EXPECT_THAT(refusal(R"({"type":"evaluate","sources":{"a":"","b":""}})"), HasSubstr("'main' must be the name"));
  EXPECT_THAT(refusal(R"({"type":"evaluate","sources":{"a":""},"main":"b"})"), HasSubstr("'main'"));
  EXPECT_THAT(refusal(R"({"type":"evaluate","sources":{"a":""},"flags":"-O3"})"), HasSubstr("'flags' must be a list"));
  EXPECT_THAT(refusal(R"({"type":"evaluate","sources":{"a":""},"cases":"huge"})"), HasSubstr("the sets are smoke, check, paper"));
  EXPECT_THAT(refusal(R"({"type":"evaluate","sources":{"a":""},"cases":[]})"), HasSubstr("'cases' is empty"));
  EXPECT_THAT(refusal(R"({"type":"evaluate","sources":{"a":""},"profile":"yes"})"), HasSubstr("'profile' must be true or false"));
  EXPECT_THAT(refusal(R"({"type":"evaluate","sources":{"a":""},"flag":[]})"), HasSubstr("field 'flag' is unknown"));
  EXPECT_THAT(refusal(R"({"type":"submit"})"), HasSubstr("'id' must be"));
  EXPECT_THAT(refusal(R"({"type":"submit","id":3})"), HasSubstr("'id' must be"));
  EXPECT_THAT(refusal(R"({"type":"note","cost":-1})"), HasSubstr("'cost' must be a number from 0 to 1e15"));
  EXPECT_THAT(refusal(R"({"type":"note","tokens":12})"), HasSubstr("'tokens' must be an object"));
  EXPECT_THAT(refusal(R"({"type":"note","tokens":{"input":"many"}})"), HasSubstr("'tokens.input'"));
}

TEST(ParseMessage, SourceNamesStayInTheCandidatesFolder) {
  for (const char* name : {"../a.cu", "/etc/passwd", "", "a/../../b", "./a.cu", "a//b.cu", "dir/", }) {
    EXPECT_THAT(refusal(std::string(R"({"type":"evaluate","sources":{")") + name + R"(":""}})"), HasSubstr("relative path inside"))
        << name;
  }
}

TEST(ParseMessage, WhatCannotBeKeptIsRefused) {
  for (const char* names : {R"("candidate.yaml":"")", R"("a":"","a/b":"")", R"("a\u0000b":"")", R"("a\u202eb":"")"}) {
    EXPECT_THAT(refusal(std::string(R"({"type":"evaluate","main":"k.cu","sources":{"k.cu":"",)") + names + "}}"), StartsWith("evaluate: file name '"))
        << names;
  }
}

TEST(ParseMessage, UnknownCostsStayUnknown) {
  EXPECT_EQ(std::get<NoteMessage>(parse(R"({"type":"note","text":"hm","anything":{"else":1}})")).tokens, std::nullopt);
  const auto note = std::get<NoteMessage>(parse(R"({"type":"note","tokens":{"input":100,"output":null},"cost":0})"));
  EXPECT_EQ(note.tokens, 100);
  EXPECT_EQ(note.cost, 0);
}

TEST(Excerpt, IsValidAndShortAndKeepsBothEnds) {
  EXPECT_EQ(excerpt("short", 100), "short");
  EXPECT_EQ(excerpt("a\xff" "b", 100), "a\xef\xbf\xbd" "b");
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += "\xc3\xa4";
  }
  for (std::size_t limit = 40; limit < 80; ++limit) {
    const std::string cut = excerpt("A" + text + "Z", limit);
    EXPECT_LE(cut.size(), limit);
    EXPECT_EQ(Json::parse(Json(cut).dump()).get<std::string>(), cut);
    EXPECT_EQ(cut.front(), 'A');
    EXPECT_EQ(cut.back(), 'Z');
  }
  EXPECT_LE(excerpt(text, 5).size(), 5u);
}

TEST(OverallVerdict, IsTheFirstFailuresElseSkippedElsePassed) {
  const auto report = [](std::vector<Verdict> verdicts) {
    CandidateReport result;
    for (const Verdict verdict : verdicts) {
      result.cases.emplace_back().verdict = verdict;
    }
    return result;
  };
  EXPECT_EQ(overall_verdict(report({Verdict::passed, Verdict::passed})), Verdict::passed);
  EXPECT_EQ(overall_verdict(report({Verdict::passed, Verdict::skipped, Verdict::passed})), Verdict::skipped);
  EXPECT_EQ(overall_verdict(report({Verdict::skipped, Verdict::mismatch, Verdict::crashed})), Verdict::mismatch);
  CandidateReport unbuilt = report({});
  unbuilt.build = Verdict::build_failed;
  EXPECT_EQ(overall_verdict(unbuilt), Verdict::build_failed);
}

TEST(EvaluationMessage, HoldsVerdictsErrorsTimesAndTheReferencesTimes) {
  Candidate candidate;
  candidate.main_source = "a.cu";
  candidate.sources["a.cu"] = "fast";
  const Json message = evaluation_message(test::fake_report(candidate, {"smoke"}, true), 3, true, Json::object());
  EXPECT_EQ(message.at("id"), candidate.id());
  EXPECT_EQ(message.at("number"), 3);
  EXPECT_EQ(message.at("verdict"), "passed");
  EXPECT_TRUE(message.at("profile").is_null());
  EXPECT_FALSE(message.at("profile_reason").get<std::string>().empty());
  const Json& first = message.at("cases").at(0);
  EXPECT_EQ(first.at("timing").at("median_us").at("span"), 5);
  EXPECT_EQ(first.at("timing").at("reference_median_us").at("span"), 10);
  EXPECT_EQ(first.at("timing").at("speedup").at("span").at("value"), 2);
  EXPECT_EQ(first.at("errors").at(0).at("output"), "out");
}

TEST(EvaluationMessage, AFailureHasItsDetailAndNoTimes) {
  Candidate candidate;
  candidate.main_source = "a.cu";
  candidate.sources["a.cu"] = "wrong";
  const Json message = evaluation_message(test::fake_report(candidate, {"smoke"}, true), 1, false, Json::object());
  EXPECT_EQ(message.at("verdict"), "mismatch");
  EXPECT_EQ(message.at("detail"), "out[3]: got 0, want 0.25");
  EXPECT_TRUE(message.at("cases").at(0).at("timing").is_null());
}

}  // namespace
}  // namespace mskb
