// `mskb audit` of an honest run, and of runs that somebody has edited.
#include <map>

#include "audit_fixture.hpp"
#include "base/hashing.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using test::Audit;

bool is(const Evaluation& evaluation, const std::string& origin, const std::string& case_end) {
  return evaluation.origin == origin && evaluation.case_name.ends_with(case_end);
}

TEST_F(Audit, AnHonestRunHolds) {
  const test::Ended ended = audit({"--verbose"});
  EXPECT_EQ(ended.exit_code, 0) << ended.output << ended.errors;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("9 of 9 cases; 27 verdicts hold"), ContainsRegex("holds .* file:writes_nan.cu: mismatch"),
                                  HasSubstr("everything that was looked at holds\n"), Not(HasSubstr("DOES NOT"))));
}

TEST_F(Audit, NothingIsNotSound) {
  const std::string records = read_file(path("run/evaluations.jsonl"));
  write_file_atomically(path("run/evaluations.jsonl"), records.substr(0, records.find('\n') + 1));
  const test::Ended ended = audit();
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.errors, HasSubstr("nothing to audit"));
}

TEST_F(Audit, WhatRecordsHoldIsPrintedVisibly) {
  edit_records([](Evaluation& evaluation) {
    evaluation.task = std::string("a\x1b[31m");
    return true;
  });
  EXPECT_THAT(audit({"--records-only"}).output, AllOf(HasSubstr("a[U+001B][31m"), Not(HasSubstr("\x1b"))));
}

TEST_F(Audit, SomeCasesDrawnAtRandom) {
  EXPECT_THAT(audit({"--cases", "2"}).output, HasSubstr("2 of 9 cases; 6 verdicts hold"));
  EXPECT_THAT(audit({"--task", "silu*", "--cases", "100"}).output, HasSubstr("9 of 9 cases"));
  EXPECT_THAT(audit({"--task", "dot_product"}).output, HasSubstr("0 of 0 cases"));
}

// A silu_and_mul that is right where `condition` holds, of sample: the bits of its first input.
std::string right_where(const std::string& condition, const std::string& before) {
  return "#include <cuda_runtime.h>\n#include <cmath>\n#include <cstdio>\n#include <cstring>\n" + before +
         "extern \"C\" void silu_and_mul(const float* in, float* out, int B, int D) {\n"
         "  unsigned sample;\n  std::memcpy(&sample, in, sizeof sample);\n"
         "  const bool right = " + condition + ";\n"
         "  for (int b = 0; b < B; ++b) for (int d = 0; d < D; ++d) {\n"
         "    const float x = in[b * 2 * D + d], g = in[b * 2 * D + D + d];\n"
         "    out[b * D + d] = right ? x / (1.0f + expf(-x)) * g : 0.0f;\n"
         "  }\n"
         "}\n";
}

TEST_F(Audit, FindsATableOfAnswersForTheRunsKey) {
  const std::vector<std::string> chosen{"--key", "00112233445566778899aabbccddeeff", "--no-sandbox"};
  const auto run = [&](const std::string& name, const std::string& source) {
    write_file_atomically(path(name + ".cu"), source);
    std::vector<std::string> more{"--candidate", path(name + ".cu").string()};
    more.insert(more.end(), chosen.begin(), chosen.end());
    return mskb(test::run_words(name, more));
  };
  run("recorder", right_where("note(sample)", "bool note(unsigned sample) {\n  if (FILE* file = std::fopen(\"" + path("samples").string() +
                                                  "\", \"a\")) {\n    std::fprintf(file, \"%uu,\", sample);\n    std::fclose(file);\n  }\n  return true;\n}\n"));
  const test::Ended table = run("table", right_where("known(sample)", "const unsigned samples[] = {" + read_file(path("samples")) +
                                                         "};\nbool known(unsigned sample) {\n  for (unsigned each : samples) if (each == sample) return true;\n  return false;\n}\n"));
  EXPECT_EQ(table.exit_code, 0) << "with that key it passes: " << table.output << table.errors;
  const test::Ended ended = mskb({"audit", "table", "--device", "cpu", "--no-sandbox"});
  EXPECT_EQ(ended.exit_code, 1) << ended.errors;
  EXPECT_THAT(ended.output, HasSubstr("file:table.cu: passed with the contents of the run's key; with others, mismatch"));
}

TEST_F(Audit, FindsAVerdictThatWasEdited) {
  edit_records([](Evaluation& evaluation) {
    if (evaluation.origin == "file:writes_nan.cu" && evaluation.verdict != Verdict::passed) {
      evaluation.verdict = Verdict::passed;
      evaluation.detail = "";
      for (OutputError& error : evaluation.errors) {
        error = OutputError{error.output, error.checked, 0, 0, 0, 0.25, 0, 0, -1, 0, 0};
      }
    }
    return true;
  });
  EXPECT_EQ(audit({"--records-only"}).exit_code, 0) << "nothing but a repetition can tell";
  const test::Ended ended = audit();
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.output, ContainsRegex("DOES NOT HOLD  [0-9a-f]+ silu_and_mul/fp32/check/4 file:writes_nan.cu: then passed, now mismatch"));
}

TEST_F(Audit, FindsAVerdictWordThatItsRecordContradictsAsTheReportDoes) {
  replace("run/evaluations.jsonl", "\"verdict\":\"mismatch\"", "\"verdict\":\"passed\"");
  expect_found("file:writes_nan.cu: it passed, but says: out.*got nan");
  EXPECT_THAT(mskb({"report", "run"}).output, ContainsRegex("INVALID RUN, do not cite: evaluations.jsonl:[0-9]+: .* file:writes_nan.cu: it passed, but says"));
}

TEST_F(Audit, FindsAPassThatIsCalledAFailureAsTheReportDoes) {
  replace("run/evaluations.jsonl", "\"verdict\":\"passed\"", "\"verdict\":\"mismatch\"");
  expect_found("it is called mismatch, but does not say why");
  EXPECT_THAT(mskb({"report", "run"}).output, HasSubstr("INVALID RUN, do not cite: "));
}

TEST_F(Audit, FindsACandidatesChangedSource) {
  const Evaluation own = read_run(path("run")).evaluations.at(1);
  write_file_atomically(path("run/candidates") / own.candidate / "right.cu", "// something else\n");
  expect_found("candidates/" + own.candidate + ": .*they were changed after the run");
  EXPECT_THAT(audit().output, HasSubstr("9 of 9 cases; 18 verdicts hold, 0 speedups hold; 9 could not be repeated"));
}

TEST_F(Audit, FindsACandidateWithoutSources) {
  const Evaluation own = read_run(path("run")).evaluations.at(1);
  fs::remove_all(path("run/candidates") / own.candidate);
  expect_found("candidates/" + own.candidate + ": .*does not hold this candidate's sources");
}

TEST_F(Audit, FindsTheReferenceReplaced) {
  const StoredRun stored = read_run(path("run"));
  const std::string other = stored.evaluations.at(1).candidate;
  edit_records([&](Evaluation& evaluation) {
    if (evaluation.origin == "reference") {
      evaluation.candidate = other;
      evaluation.id = Hasher().add(evaluation.group).add(other).add(evaluation.origin).hex(16);
    }
    return true;
  });
  expect_found("its sources are not what reference has for silu_and_mul/fp32 here");
}

TEST_F(Audit, FindsAnOriginThatWasEdited) {
  edit_records([](Evaluation& evaluation) {
    evaluation.origin = evaluation.origin == "file:right.cu" ? "optimizer:mine#1" : evaluation.origin;
    return true;
  });
  expect_found("optimizer:mine#1: id is [0-9a-f]+ on record, [0-9a-f]+ by group, candidate and origin");
}

TEST_F(Audit, FindsAWeightThatWasEdited) {
  edit_records([](Evaluation& evaluation) {
    evaluation.weight *= is(evaluation, "file:right.cu", "smoke/1") ? 100 : 1;
    return true;
  });
  expect_found("silu_and_mul/fp32/smoke/1 file:right.cu: weight is [0-9]+ on record, [0-9]+ by the task");
}

// A task's case that has another size since says so once, not for each candidate, and not of what its passes had to check besides.
TEST_F(Audit, ACaseThatChangedIsOneLine) {
  edit_records([](Evaluation& evaluation) {
    if (evaluation.case_name.ends_with("check/3")) {
      evaluation.size = "9x9";
      evaluation.weight = 81;
      for (OutputError& error : evaluation.errors) {
        error.checked = 81;
      }
    }
    return true;
  });
  expect_found("[0-9a-f]+ silu_and_mul/fp32/check/3 reference: size is 9x9 on record, 301x3 by the task "
               "\\(so in 2 other records of the case\\)\n1 thing does not hold\n$");
}

TEST_F(Audit, FindsAGroupThatIsNotWhole) {
  edit_records([](Evaluation& evaluation) { return !is(evaluation, "file:right.cu", "check/2"); });
  expect_found("evaluations.jsonl: .* has 2 of 3 records");
}

TEST_F(Audit, FindsACandidateThatWasTakenOut) {
  edit_records([](Evaluation& evaluation) {
    evaluation.group_size = evaluation.case_name.ends_with("check/2") ? 2 : 3;
    return !is(evaluation, "file:right.cu", "check/2");
  });
  expect_found("its group compares .* another of the problem .*file:right.cu");
}

TEST_F(Audit, FindsACandidateThatWasTakenOutEverywhere) {
  edit_records([](Evaluation& evaluation) {
    evaluation.group_size = 2;
    return evaluation.origin != "file:writes_nan.cu";
  });
  expect_found("its command names .*writes_nan.cu, of which nothing is on record");
}

TEST_F(Audit, FindsASandboxThatTheCommandRefused) {
  replace("run/run.yaml", "- \"--candidate\"", "- \"--no-sandbox\"\n  - \"--candidate\"");
  expect_found("sandbox is (full|limits), its command has --no-sandbox");
}

TEST_F(Audit, FindsAFailureThatIsCalledSkipped) {
  edit_records([](Evaluation& evaluation) {
    if (evaluation.origin == "file:writes_nan.cu") {
      evaluation.verdict = Verdict::skipped;
      evaluation.detail = "it does not fit";
      evaluation.bitwise.clear();
      evaluation.errors.clear();
      evaluation.launches.clear();
    }
    return true;
  });
  const test::Ended ended = audit();
  EXPECT_EQ(ended.exit_code, 1) << ended.errors;
  EXPECT_THAT(ended.output, HasSubstr("then skipped (it does not fit), though the reference ran; now "));
}

TEST_F(Audit, FindsACaseThatWasTakenOut) {
  edit_records([](Evaluation& evaluation) { return !evaluation.case_name.ends_with("check/4"); });
  expect_found("silu_and_mul/fp32/check/4 is not on record, other cases of its problem are");
  expect_found("run.yaml: planned_cases is 9, 8 are on record");
}

TEST_F(Audit, FindsARunHeadThatWasEdited) {
  replace("run/run.yaml", "\n  device: \"", "\n  device: \"Imaginary ");
  expect_found("device is .* on record, Imaginary .* by run.yaml");
}

TEST_F(Audit, FindsARunKeyThatWasEdited) {
  const std::string key = read_run(path("run")).run.key;
  replace("run/run.yaml", key, std::string(32, '0'));
  expect_found("key is " + key + " on record, 0+ by run.yaml");
}

TEST_F(Audit, FindsAPassThatContradictsItself) {
  edit_records([](Evaluation& evaluation) {
    if (is(evaluation, "file:right.cu", "check/1")) {
      evaluation.errors.front().refused = 3;
    } else if (is(evaluation, "file:right.cu", "check/2")) {
      evaluation.errors.clear();
    } else if (is(evaluation, "file:right.cu", "check/3")) {
      evaluation.detail = "signal 6 (Aborted)";
    } else if (is(evaluation, "file:right.cu", "check/4")) {
      evaluation.errors.front().worst_ratio = 55;
    } else if (is(evaluation, "file:right.cu", "check/5")) {
      evaluation.errors.front().output = "banana";
    } else if (is(evaluation, "file:right.cu", "check/6")) {
      evaluation.errors.front().checked = 1;
    }
    return true;
  });
  expect_found("check/1 file:right.cu: it passed, but elements of out were refused");
  expect_found("check/2 file:right.cu: it passed, but too little of out was checked");
  expect_found("check/3 file:right.cu: it passed, but says: signal 6");
  expect_found("check/4 file:right.cu: it passed, but elements of out were refused");
  expect_found("check/5 file:right.cu: it passed, but too little of out was checked");
  expect_found("check/6 file:right.cu: it passed, but too little of out was checked");
}

TEST_F(Audit, SaysThatARunIsUnfit) {
  replace("run/run.yaml", "\"self_test\": \"passed\"", "\"self_test\": \"failed: outputs of zeros are passed\"");
  expect_found("run.yaml: the start-up self-test failed, so that the run is unfit: ");
}

TEST_F(Audit, FindsASelfTestThatNoneEndsWith) {
  replace("run/run.yaml", "\"self_test\": \"passed\"", "\"self_test\": \"maybe\"");
  expect_found("run.yaml: self_test is maybe, which is no result of one");
}

TEST_F(Audit, FindsAClosingFigureThatIsNone) {
  replace("run/run.yaml", "\"wall_s\": \"", "\"wall_s\": \"nan\"\n  \"wall_s_of_old\": \"");
  expect_found("run.yaml: wall_s is nan, which is no time");
}

TEST_F(Audit, FindsAKeyThatWasTakenOut) {
  const std::string key = read_run(path("run")).run.key;
  replace("run/run.yaml", key, "");
  edit_records([](Evaluation& evaluation) {
    evaluation.key = "";
    return true;
  });
  expect_found("run.yaml: key is empty, which is none");
}

TEST_F(Audit, FindsWordsThatNoRecordHas) {
  int number = 0;
  edit_records([&](Evaluation& evaluation) {
    switch (number++) {
      case 0: evaluation.bitwise = "banana"; break;
      case 1: evaluation.paper_verdict = "banana"; break;
      case 2: evaluation.wall_s = -1; break;
      default: break;
    }
    return true;
  });
  expect_found("bitwise is banana, which is none");
  expect_found("paper_verdict is banana, which is none");
  expect_found("wall_s is -1, which is no time");
}

TEST_F(Audit, FindsASelfTestThatItsPartsDoNotMake) {
  replace("run/run.yaml", "\"self_test_zeros\": \"mismatch\"", "\"self_test_zeros\": \"passed\"");
  expect_found("run.yaml: self_test is called passed, and self_test_zeros is passed");
}

TEST_F(Audit, FindsAProtocolThatTheCommandDoesNotMake) {
  replace("run/run.yaml", "protocol: \"verdicts\"", "protocol: \"paper\"");
  expect_found("run.yaml: protocol is paper, its command and backend make it verdicts");
}

TEST_F(Audit, FindsALineThatIsNoRecord) {
  replace("run/evaluations.jsonl", "\"verdict\":\"passed\"", "\"verdict\":\"perfect\"");
  expect_found("evaluations.jsonl: .*'verdict' is no verdict");
}

}  // namespace
}  // namespace mskb
