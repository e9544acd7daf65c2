// Processes ended from outside: a worker, a keeper, and mskb itself between any two lines of its records.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "program.hpp"

namespace mskb {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* key = "00112233445566778899aabbccddeeff";

class Killed : public test::Program {
 protected:
  std::size_t lines_on_record() const {
    return std::filesystem::exists(path("run/evaluations.jsonl")) ? test::lines_of(read_file(path("run/evaluations.jsonl"))).size() : 0;
  }

  // A run whose candidate hangs at its second case, check/1; returns when check/0 is on record.
  std::unique_ptr<test::Running> start_hanging_run(const std::string& hang_limit) {
    std::unique_ptr<test::Running> run =
        start(test::run_words("run", {"--candidate", test::kernel("hangs_at_five_rows"), "--hang-limit", hang_limit}));
    EXPECT_TRUE(test::eventually([&] { return lines_on_record() == 3; })) << "a header, and two records of check/0";
    return run;
  }

  // The worker that spins; the others only wait.
  static int busy_worker(const test::Running& run) {
    for (const test::ProcessFacts& process : run.descendants()) {
      if (process.name == "mskb-worker-cpu" && process.cpu_s > 0.4) {
        return process.pid;
      }
    }
    return 0;
  }

  static int keeper(const test::Running& run) {
    for (const test::ProcessFacts& process : run.descendants()) {
      if (process.name == "mskb-keeper-cpu") {
        return process.pid;
      }
    }
    return 0;
  }

  // The candidate's verdict is `at_hang` at check/1, and everything else passed.
  void expect_only_the_hang(Verdict at_hang, const std::string& detail) const {
    const StoredRun stored = read_run(path("run"));
    EXPECT_THAT(stored.damage, IsEmpty());
    EXPECT_THAT(stored.notes, IsEmpty());
    EXPECT_EQ(stored.evaluations.size(), 18u);
    for (const Evaluation& evaluation : stored.evaluations) {
      if (evaluation.origin != "reference" && evaluation.case_name == "silu_and_mul/fp32/check/1") {
        EXPECT_EQ(evaluation.verdict, at_hang);
        EXPECT_THAT(evaluation.detail, StartsWith(detail));
      } else {
        EXPECT_EQ(evaluation.verdict, Verdict::passed) << evaluation.origin << " " << evaluation.case_name << ": " << evaluation.detail;
      }
    }
  }
};

TEST_F(Killed, AWorkerKilledFromOutsideIsThatCaseAlone) {
  const auto run = start_hanging_run("10m");
  ASSERT_TRUE(test::eventually([&] { return busy_worker(*run) > 0; })) << "no worker hangs";
  ::kill(busy_worker(*run), SIGKILL);
  const test::Ended ended = run->wait();
  EXPECT_EQ(ended.exit_code, 1) << ended.errors;
  expect_only_the_hang(Verdict::crashed, "signal 9 (Killed) during the call");
}

TEST_F(Killed, AKeeperKilledFromOutsideIsReplacedAndTheCaseRepeated) {
  const auto run = start_hanging_run("4s");
  ::kill(keeper(*run), SIGKILL);
  const test::Ended ended = run->wait();
  EXPECT_EQ(ended.exit_code, 1) << ended.errors;
  EXPECT_THAT(test::lines_of(ended.errors),
              ::testing::ElementsAre(AllOf(StartsWith("mskb: silu_and_mul/fp32/check/1: the keeper ended (signal 9)"),
                                           EndsWith("a new keeper repeats the case"))));
  expect_only_the_hang(Verdict::timed_out, "the call had not ended after 4");
}

TEST_F(Killed, ASignalThatEndsARunIsToldHowTheRunGoesOn) {
  for (const int number : {SIGINT, SIGTERM}) {
    const auto run = start_hanging_run("10m");
    ::kill(run->pid(), number);
    const test::Ended ended = run->wait();
    EXPECT_EQ(ended.signal, number);
    EXPECT_EQ(ended.errors, "mskb: stopped; what is on record in run stays, and the same mskb run with --out run --resume goes on\n");
    std::filesystem::remove_all(path("run"));
  }
}

TEST_F(Killed, KeepersKilledAgainAndAgainEndTheRunWhichCanBeResumed) {
  const auto run = start_hanging_run("3s");
  std::set<int> keepers;
  while (!run->ended()) {
    if (const int pid = keeper(*run); pid > 0) {
      ::kill(pid, SIGKILL);
      keepers.insert(pid);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const test::Ended ended = run->wait();
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_EQ(keepers.size(), 3u) << "a case is tried three times";
  EXPECT_THAT(test::lines_of(ended.errors).back(), ::testing::MatchesRegex("mskb: the harness failed: silu_and_mul/fp32/check/[0-9]+, 3 times: the keeper ended \\(signal 9\\)"));
  EXPECT_EQ(lines_on_record(), 3u) << "the case before it stays";
  const test::Ended resumed =
      mskb(test::run_words("run", {"--candidate", test::kernel("hangs_at_five_rows"), "--hang-limit", "3s", "--resume"}));
  EXPECT_EQ(resumed.exit_code, 1) << resumed.errors;
  expect_only_the_hang(Verdict::timed_out, "the call had not ended after 3");
}

// What an evaluation says that does not differ between runs of one key.
std::set<std::string> contents_of(const StoredRun& run) {
  std::set<std::string> contents;
  for (const Evaluation& evaluation : run.evaluations) {
    contents.insert(evaluation.case_name + " " + evaluation.origin + " " + evaluation.candidate + " " +
                    std::string(to_string(evaluation.verdict)) + " " + evaluation.detail);
  }
  return contents;
}

std::set<std::string> ids_of(const StoredRun& run) {
  std::set<std::string> ids;
  for (const Evaluation& evaluation : run.evaluations) {
    EXPECT_TRUE(ids.insert(evaluation.id).second) << evaluation.id << " is on record twice";
  }
  return ids;
}

TEST_F(Killed, MskbKilledAnywhereAndResumedHasWhatAnUnbrokenRunHas) {
  const auto words = [](const std::string& out, bool resume) {
    std::vector<std::string> all{"run", "--device", "cpu", "--key", key, "--out", out, "--optimizer", "identity"};
    for (const char* task : {"silu_and_mul", "dot_product", "rms_norm"}) {
      all.insert(all.end(), {"--task", task});
    }
    if (resume) {
      all.push_back("--resume");
    }
    return all;
  };
  ASSERT_EQ(mskb(words("first", false)).exit_code, 0);  // compiles, so that the next takes as long as those to come
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(mskb(words("unbroken", false)).exit_code, 0);
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);

  std::mt19937 random(20260307);
  std::set<std::string> known;
  int killed = 0;
  for (int round = 0; round < 20; ++round) {
    const auto run = start(words("run", true));
    if (round % 2 == 0) {  // at a random moment
      std::this_thread::sleep_for(whole / 64 * (random() % 16));
    } else {  // as soon as there are more lines, however many are in one write
      const std::size_t before = lines_on_record();
      test::eventually([&] { return run->ended() || lines_on_record() > before; });
    }
    const std::vector<test::ProcessFacts> family = run->descendants();
    run->kill();
    const bool was_killed = run->wait().signal == SIGKILL;
    killed += was_killed ? 1 : 0;
    EXPECT_TRUE(test::eventually([&] {
      return std::none_of(family.begin(), family.end(), [](const test::ProcessFacts& process) { return test::is_alive(process.pid); });
    })) << "keepers, workers or compilers outlive mskb";
    if (!std::filesystem::exists(path("run/run.yaml"))) {
      continue;  // before the run had begun
    }
    const StoredRun stored = read_run(path("run"));
    EXPECT_THAT(stored.damage, IsEmpty());
    const std::set<std::string> ids = ids_of(stored);
    EXPECT_TRUE(std::includes(ids.begin(), ids.end(), known.begin(), known.end())) << "a record was lost";
    known = ids;
    if (!was_killed) {
      break;
    }
  }
  EXPECT_GE(killed, 4) << "the run is too short to be killed within it";

  const test::Ended last = mskb(words("run", true));
  EXPECT_EQ(last.exit_code, 0);
  EXPECT_EQ(last.errors, "");
  const StoredRun stored = read_run(path("run")), unbroken = read_run(path("unbroken"));
  EXPECT_THAT(stored.damage, IsEmpty());
  EXPECT_THAT(stored.notes, IsEmpty());
  EXPECT_EQ(ids_of(stored).size(), unbroken.evaluations.size());
  EXPECT_EQ(contents_of(stored), contents_of(unbroken));
  for (const auto& [name, size] : test::listing(path("run"))) {
    EXPECT_THAT(name, Not(HasSubstr(".tmp."))) << "left over from a kill";
  }
  for (const auto& [name, size] : test::listing(path("unbroken"))) {
    const auto inner = std::filesystem::path(name).lexically_relative(path("unbroken"));
    EXPECT_TRUE(std::filesystem::exists(path("run") / inner)) << inner;
  }
  const test::Ended report = mskb({"report", "run"});
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_THAT(report.output, AllOf(Not(HasSubstr("unfinished")), Not(HasSubstr("UNFINISHED")), Not(HasSubstr("left out")), Not(HasSubstr("INVALID"))));
}

TEST_F(Killed, ResumingACompleteRunChangesNothing) {
  const std::vector<std::string> words = test::run_words("run", {"--sizes", "check"});
  const test::Ended first = mskb(words);
  ASSERT_EQ(first.exit_code, 0);
  const std::string run = read_file(path("run/run.yaml")), records = read_file(path("run/evaluations.jsonl"));
  const test::Ended again = mskb(test::run_words("run", {"--sizes", "check", "--resume"}));
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_EQ(again.output, first.output);
  EXPECT_EQ(read_file(path("run/run.yaml")), run);
  EXPECT_EQ(read_file(path("run/evaluations.jsonl")), records);
}

TEST_F(Killed, ResumingWithOtherCandidatesOrConditionsIsRefused) {
  ASSERT_EQ(mskb(test::run_words("run", {"--sizes", "check"})).exit_code, 0);
  const auto refused = [&](const std::vector<std::string>& more, const std::string& line) {
    expect_refused(test::run_words("run", more), AllOf(HasSubstr("--resume: the run in run " + line), HasSubstr("choose another --out")));
  };
  refused({"--resume", "--sizes", "smoke"}, "compares 7 cases, this one 9");
  refused({"--resume", "--sizes", "check", "--candidate", test::kernel("right")}, "compares other candidates on silu_and_mul/fp32: reference ");
  refused({"--resume", "--sizes", "check", "--sanitize"}, "was made without --sanitize");
  if (read_run(path("run")).run.sandbox != "none") {
    refused({"--resume", "--sizes", "check", "--no-sandbox"}, "has the sandbox '");
  }
}

}  // namespace
}  // namespace mskb
