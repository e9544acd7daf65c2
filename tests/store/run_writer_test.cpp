#include "store/run_writer.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "samples.hpp"
#include "store/run_reader.hpp"

namespace mskb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace fs = std::filesystem;

class RunWriterTest : public testing::Test {
 protected:
  TemporaryDirectory temporary_;
  fs::path directory_ = temporary_.path() / "device" / "run";
  fs::path records_ = directory_ / "evaluations.jsonl";
};

TEST_F(RunWriterTest, WritesWhatReadRunReads) {
  {
    RunWriter writer = RunWriter::create(directory_, samples::run());
    writer.append(samples::group("alpha", 0, 3));
    EXPECT_TRUE(writer.has_group("group of alpha/fp32/paper/0"));
    EXPECT_FALSE(writer.has_group("group of beta/fp32/paper/0"));
    writer.append(samples::group("beta", 0, 1));
    writer.finish({{"measuring_share", "0.5"}});
  }
  const StoredRun stored = read_run(directory_);
  EXPECT_EQ(stored.run.id, samples::run().id);
  EXPECT_EQ(stored.run.figures.at("measuring_share"), "0.5");
  EXPECT_THAT(stored.evaluations, SizeIs(4));
  EXPECT_THAT(stored.notes, IsEmpty());
  EXPECT_TRUE(stored.valid());
}

TEST(StoredRun, SecondsOfTimedCasesCountEachGroupOnce) {
  StoredRun stored;
  for (const auto& [index, origin, set, seconds] : {std::tuple(0, "reference", "paper", 1.5), {0, "file:x", "paper", 1.5}, {1, "reference", "large", 0.0},
                                                    {1, "file:x", "large", 2.0}, {2, "reference", "check", 100.0}}) {
    stored.evaluations.push_back(samples::passed("a", index, origin, 2, set));
    stored.evaluations.back().wall_s = seconds;
  }
  EXPECT_DOUBLE_EQ(seconds_of_timed_cases(stored), 3.5) << "what was not run has no seconds of its own";
}

TEST_F(RunWriterTest, CreateRefusesADirectoryThatHoldsARun) {
  RunWriter::create(directory_, samples::run());
  EXPECT_THROW(RunWriter::create(directory_, samples::run()), InputError);
  EXPECT_TRUE(holds_run(directory_));
}

TEST_F(RunWriterTest, CreateRefusesRecordsWithoutARun) {
  RunWriter::create(directory_, samples::run()).append(samples::group("alpha", 0, 1));
  fs::remove(directory_ / "run.yaml");
  const std::string before = read_file(records_);
  EXPECT_THROW(RunWriter::create(directory_, samples::run()), InputError);
  EXPECT_EQ(read_file(records_), before);
}

TEST_F(RunWriterTest, CreateTakesOverWhatAKilledCreateLeft) {
  RunWriter::create(directory_, samples::run());
  fs::remove(directory_ / "run.yaml");
  RunWriter::create(directory_, samples::run()).append(samples::group("alpha", 0, 1));
  EXPECT_THAT(read_run(directory_).evaluations, SizeIs(1));
}

TEST_F(RunWriterTest, CreateRefusesAnEnvironmentWithoutDeviceDriverOrToolkit) {
  for (std::string Environment::*field : {&Environment::device, &Environment::driver, &Environment::toolkit, &Environment::backend}) {
    mskb::Run run = samples::run();
    (run.environment.*field).clear();
    EXPECT_THROW(RunWriter::create(directory_, run), std::logic_error);
  }
  mskb::Run run = samples::run("strict", "cpu");
  run.environment.driver.clear();
  run.environment.toolkit.clear();
  EXPECT_NO_THROW(RunWriter::create(directory_, run));
}

TEST_F(RunWriterTest, AppendRefusesWhatMustNotBeStored) {
  RunWriter writer = RunWriter::create(directory_, samples::run());
  const std::string before = read_file(records_);
  const auto refused = [&](std::vector<Evaluation> group) {
    EXPECT_THROW(writer.append(group), std::logic_error);
    EXPECT_EQ(read_file(records_), before);
  };
  refused({});
  auto group = samples::group("alpha", 0, 2);
  group[1] = samples::failed(samples::timed(group[1], "span", 1, 1), Verdict::crashed, "");
  refused(group);
  group = samples::group("alpha", 0, 2);
  group[0].device.clear();
  refused(group);
  group = samples::group("alpha", 0, 2);
  group.pop_back();
  refused(group);
  group = samples::group("alpha", 0, 2);
  group[1].group = "another";
  refused(group);
  group = samples::group("alpha", 0, 2);
  group[1].id = group[0].id;
  refused(group);
}

TEST_F(RunWriterTest, AppendRefusesAGroupThatIsStored) {
  RunWriter::create(directory_, samples::run()).append(samples::group("alpha", 0, 2));
  RunWriter writer = RunWriter::resume(directory_);
  EXPECT_THROW(writer.append(samples::group("alpha", 0, 2)), std::logic_error);
  EXPECT_THAT(read_run(directory_).evaluations, SizeIs(2));
}

TEST_F(RunWriterTest, ResumeNeedsARun) {
  EXPECT_THROW(RunWriter::resume(directory_), InputError);
  EXPECT_FALSE(holds_run(directory_));
}

TEST_F(RunWriterTest, ARunThatWentOnWithRecordsSaysSo) {
  RunWriter::create(directory_, samples::run());
  RunWriter::resume(directory_).finish({{"wall_s", "1.0"}});
  EXPECT_FALSE(read_run(directory_).run.figures.contains("parts")) << "nothing was on record";
  RunWriter::resume(directory_).append(samples::group("alpha", 0, 1));
  RunWriter::resume(directory_).finish({{"wall_s", "1.0"}});
  EXPECT_TRUE(read_run(directory_).run.figures.contains("parts"));
}

TEST_F(RunWriterTest, ARunWithoutAKeyGetsOne) {
  const std::string key = "0123456789abcdef0123456789abcdef";
  mskb::Run without = samples::run();
  without.key = "";
  RunWriter::create(directory_, without);
  EXPECT_EQ(read_run(directory_).run.key, "");
  RunWriter::resume(directory_).give_key(key, "abc");
  EXPECT_EQ(read_run(directory_).run.key, key);
  EXPECT_EQ(read_run(directory_).run.figures.at("submissions"), "abc");
  EXPECT_THROW(RunWriter::resume(directory_).give_key(std::string(32, '0'), ""), std::logic_error);
}

TEST_F(RunWriterTest, ResumeRefusesWhileAnotherWrites) {
  RunWriter writer = RunWriter::create(directory_, samples::run());
  EXPECT_THROW(RunWriter::resume(directory_), InputError);
}

TEST_F(RunWriterTest, ResumeRefusesAnotherSchema) {
  RunWriter::create(directory_, samples::run());
  write_file_atomically(records_, "{\"schema\":2,\"run\":\"0123456789ab\"}\n");
  EXPECT_THROW(RunWriter::resume(directory_), InputError);
  EXPECT_THROW(read_run(directory_), InputError);
}

TEST_F(RunWriterTest, ResumeRefusesADamagedRunAndLeavesItAlone) {
  RunWriter::create(directory_, samples::run()).append(samples::group("alpha", 0, 1));
  const std::string text = read_file(records_) + "a stray line\n";
  write_file_atomically(records_, text);
  try {
    RunWriter::resume(directory_);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("evaluations.jsonl:3: is not a record"));
  }
  EXPECT_EQ(read_file(records_), text);
  EXPECT_FALSE(read_run(directory_).valid());
}

// Cut at every byte, resumed, and the missing groups appended again: always the same file.
TEST_F(RunWriterTest, ResumeAfterEveryCutLosesNothingAndRepeatsNothing) {
  {
    RunWriter writer = RunWriter::create(directory_, samples::run());
    writer.append(samples::group("alpha", 0, 2));
    writer.append(samples::group("beta", 0, 2));
  }
  const std::string whole = read_file(records_);
  for (std::size_t cut = 0; cut <= whole.size(); cut += cut < 60 || cut + 60 > whole.size() ? 1 : 23) {
    write_file_atomically(records_, whole.substr(0, cut));
    RunWriter writer = RunWriter::resume(directory_);
    for (const char* task : {"alpha", "beta"}) {
      if (const auto group = samples::group(task, 0, 2); !writer.has_group(group[0].group)) {
        writer.append(group);
      }
    }
    ASSERT_EQ(read_file(records_), whole) << cut;
  }
}

// The kernel itself stops the write half-way (a limit on the file's size stands for the disk's end).
TEST_F(RunWriterTest, AFullDiskLeavesTheRunWholeAndResumable) {
  RunWriter::create(directory_, samples::run()).append(samples::group("alpha", 0, 2));
  const std::string before = read_file(records_);
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{before.size() + 100, before.size() + 100};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int result = 0;
    try {
      RunWriter::resume(directory_).append(samples::group("beta", 0, 2));
    } catch (const HarnessError& error) {
      result = std::string(error.what()).starts_with("disk full: ") ? 7 : 8;
    }
    ::_exit(result);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(read_file(records_), before);
  RunWriter::resume(directory_).append(samples::group("beta", 0, 2));
  EXPECT_THAT(read_run(directory_).evaluations, SizeIs(4));
}

TEST_F(RunWriterTest, KeepsCandidatesAndReadsThemBack) {
  RunWriter writer = RunWriter::create(directory_, samples::run());
  Candidate candidate;
  candidate.origin = "file:mine.cu";
  candidate.main_source = "mine.cu";
  candidate.sources = {{"mine.cu", "void f() {}\n"}, {"inc/part.cuh", "// \"part\"\n"}};
  candidate.flags = {"--use_fast_math", "-DX=\"a b\""};
  writer.keep_candidate(candidate);
  writer.keep_candidate(candidate);
  const Candidate read = read_candidate(directory_, candidate.id());
  EXPECT_EQ(read.origin, candidate.origin);
  EXPECT_EQ(read.main_source, candidate.main_source);
  EXPECT_EQ(read.sources, candidate.sources);
  EXPECT_EQ(read.flags, candidate.flags);
  EXPECT_THROW(read_candidate(directory_, "0000000000000000"), InputError);
}

TEST_F(RunWriterTest, ACandidatesFileThatIsNoneIsRefusedWithItsLine) {
  RunWriter writer = RunWriter::create(directory_, samples::run());
  Candidate candidate;
  candidate.origin = "file:mine.cu";
  candidate.main_source = "mine.cu";
  candidate.sources = {{"mine.cu", "void f() {}\n"}};
  writer.keep_candidate(candidate);
  const std::filesystem::path file = directory_ / "candidates" / candidate.id() / "candidate.yaml";
  const std::string whole = read_file(file);
  const auto refusal = [&](const std::string& text) -> std::string {
    write_file_atomically(file, text);
    try {
      read_candidate(directory_, candidate.id());
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(refusal(whole), "accepted");
  EXPECT_THAT(refusal(""), HasSubstr("candidate.yaml:1: the candidate must be a map"));
  EXPECT_THAT(refusal("just text"), HasSubstr("candidate.yaml:1: the candidate must be a map"));
  EXPECT_THAT(refusal(replaced("flags: []", "flags: none")), HasSubstr("candidate.yaml:4: flags must be a list"));
  EXPECT_THAT(refusal(replaced("flags: []", "flags: [[a]]")), HasSubstr("candidate.yaml:4: flags is not one value"));
  EXPECT_THAT(refusal(replaced("flags: []\n", "")), HasSubstr("key 'flags' is missing in the candidate"));
  EXPECT_THAT(refusal(whole + "flags: []\n"), HasSubstr("key 'flags' appears twice"));
  EXPECT_THAT(refusal(whole + "flag: []\n"), HasSubstr("unknown key 'flag' in the candidate; did you mean 'flags'?"));
  EXPECT_THAT(refusal(std::string(100000, '[')), HasSubstr("candidate.yaml:1: "));
}

// H45: a stored row counts only with the sources that earned it.
TEST_F(RunWriterTest, NoticesSourcesThatWereChangedAfterTheRun) {
  RunWriter writer = RunWriter::create(directory_, samples::run());
  Candidate candidate;
  candidate.origin = "file:mine.cu";
  candidate.main_source = "mine.cu";
  candidate.sources = {{"mine.cu", "void f() {}\n"}};
  writer.keep_candidate(candidate);
  write_file_atomically(directory_ / "candidates" / candidate.id() / "mine.cu", "None");
  try {
    read_candidate(directory_, candidate.id());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("changed after the run"));
  }
}

TEST_F(RunWriterTest, KeepsEveryFileInsideTheRun) {
  RunWriter writer = RunWriter::create(directory_, samples::run());
  for (const char* name : {"../escaped", "/tmp/escaped", "a/../../escaped", "", "dir/"}) {
    EXPECT_THROW(writer.keep_log(name, "text"), InputError) << name;
    Candidate candidate;
    candidate.sources = {{name, "text"}};
    EXPECT_THROW(writer.keep_candidate(candidate), InputError) << name;
  }
}

TEST_F(RunWriterTest, KeepsLogsOnceAndShortensLongOnes) {
  RunWriter writer = RunWriter::create(directory_, samples::run());
  EXPECT_EQ(writer.keep_log("x/build.log", "text"), "logs/x/build.log");
  EXPECT_EQ(writer.keep_log("x/build.log", "other"), "logs/x/build.log");
  EXPECT_EQ(read_file(directory_ / "logs/x/build.log"), "text");
  const std::string kept = writer.keep_log("long.log", std::string(100, 'a') + std::string(100 << 20, 'b') + std::string(100, 'c'));
  const std::string text = read_file(directory_ / kept);
  EXPECT_LT(text.size(), 70000u);
  EXPECT_THAT(text, testing::StartsWith(std::string(100, 'a')));
  EXPECT_THAT(text, testing::EndsWith(std::string(100, 'c')));
  EXPECT_THAT(text, HasSubstr("bytes left out]"));
}

}  // namespace
}  // namespace mskb
