// A bench on the CPU backend whose machine has no room for one more process.
#include "evaluate/bench.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "judge/step_verdict.hpp"
#include "model/task_file.hpp"

namespace mskb::test {

namespace {

// Nothing beyond these many more descriptors can be opened while it lives.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t more) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    int highest = 1000;  // beyond the numbers that a new process gives its own
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      highest = std::max(highest, std::stoi(entry.path().filename().string()));
    }
    // The lower ones that are free are taken.
    for (int fd = one_more(); fd >= 0 && fd < highest; fd = one_more()) {
      taken_.emplace_back(fd);
    }
    const rlimit few{static_cast<rlim_t>(highest) + 1 + more, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  static int one_more() { return ::fcntl(0, F_DUPFD_CLOEXEC, 0); }

  rlimit before_{};
  std::vector<UniqueFd> taken_;
};

// A bench at a smoke case of silu_and_mul, with the reference at its first seat and another candidate at its second.
class BenchOfTwo {
 public:
  explicit BenchOfTwo(const std::string& second) : second_(second.empty() ? reference_ : candidate_from_file(std::string(MSKB_SOURCE_DIR) + "/tests/fixtures/kernels/" + second + ".cu", "")) {
    const Builder builder(MSKB_SOURCE_DIR, MSKB_TEST_CACHE, BuildOptions{});
    const UniqueFd module(::open(builder.task_module(problem_).c_str(), O_RDONLY | O_CLOEXEC));
    keeper_.ask(wire::LoadModule{}, module.get());
    WorkerClient::Options options;
    options.sandbox = strongest_sandbox();
    std::vector<Seat> seats(2);
    for (std::size_t i = 0; i < seats.size(); ++i) {
      seats[i].candidate = i == 0 ? &reference_ : &second_;
      seats[i].build = builder.candidate(problem_, *seats[i].candidate);
      EXPECT_EQ(seats[i].build.verdict, Verdict::passed) << seats[i].build.detail;
      seats[i].worker = std::make_unique<WorkerClient>(options, seats[i].build.object, std::vector<std::string>{});
    }
    bench_.emplace(keeper_, key_, Backend::cpu, std::move(seats));
    bench_->open(case_);
  }
  Bench& operator*() { return *bench_; }
  Bench* operator->() { return &*bench_; }

 private:
  const Task task_ = load_task(std::string(MSKB_SOURCE_DIR) + "/tasks/silu_and_mul");
  const Problem problem_{&task_, Precision::fp32};
  const Case case_ = make_cases(problem_, "smoke").front();
  const RunKey key_ = RunKey::parse("0123456789abcdef0123456789abcdef");
  const Candidate reference_ = reference_candidate(problem_);
  const Candidate second_;
  KeeperClient keeper_{Backend::cpu, 0};
  std::optional<Bench> bench_;
};

TEST(Bench, EndsTheProcessesOfOthersWhereThereIsNoRoomForOneMore) {
  BenchOfTwo bench("");
  ASSERT_EQ(bench->step(0, {}).observation.end, Observation::End::answered);
  {
    const FewDescriptors few(7);
    EXPECT_EQ(bench->step(1, {}).observation.end, Observation::End::answered);
    EXPECT_FALSE(bench->seats()[0].worker->release()) << "it was to be ended";
    EXPECT_EQ(bench->step(0, {}).observation.end, Observation::End::answered);
    EXPECT_FALSE(bench->seats()[1].worker->release());
  }
  EXPECT_EQ(bench->step(1, {}).observation.end, Observation::End::answered);
  EXPECT_TRUE(bench->seats()[0].worker->release()) << "with room both run";
}

// Whether a failure at the second seat ends the process at the first.
bool ends_the_others(double scarce_share, const std::string& second) {
  BenchOfTwo bench(second);
  bench->set_scarce_share(scarce_share);
  EXPECT_EQ(bench->step(0, {}).observation.end, Observation::End::answered);
  const StepResult result = bench->step(1, {});
  EXPECT_EQ(result.observation.findings && judge_step(bench->current(), result.observation).verdict == Verdict::passed, second == "right");
  return !bench->seats()[0].worker->release();
}

TEST(Bench, AFailureIsRepeatedWithoutTheOthersWhereMemoryIsScarce) {
  EXPECT_TRUE(ends_the_others(1000, "never_writes"));
  EXPECT_TRUE(ends_the_others(1000, "host_crash"));
  EXPECT_FALSE(ends_the_others(1000, "right")) << "nothing failed";
  EXPECT_FALSE(ends_the_others(0, "never_writes")) << "there is memory";
}

}  // namespace

}  // namespace mskb::test
