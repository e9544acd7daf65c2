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

// A bench at a smoke case of silu_and_mul, with the reference at its first seat and other candidates behind it; without a name the reference again.
class SmallBench {
 public:
  explicit SmallBench(const std::vector<std::string>& others) {
    candidates_.push_back(reference_candidate(problem_));
    for (const std::string& name : others) {
      candidates_.push_back(name.empty() ? candidates_.front() : candidate_from_file(std::string(MSKB_SOURCE_DIR) + "/tests/fixtures/kernels/" + name + ".cu", ""));
    }
    const Builder builder(MSKB_SOURCE_DIR, MSKB_TEST_CACHE, BuildOptions{});
    const UniqueFd module(::open(builder.task_module(problem_).c_str(), O_RDONLY | O_CLOEXEC));
    keeper_.ask(wire::LoadModule{}, module.get());
    WorkerClient::Options options;
    options.sandbox = strongest_sandbox();
    std::vector<Seat> seats(candidates_.size());
    for (std::size_t i = 0; i < seats.size(); ++i) {
      seats[i].candidate = &candidates_[i];
      seats[i].build = builder.candidate(problem_, *seats[i].candidate);
      EXPECT_EQ(seats[i].build.verdict, Verdict::passed) << seats[i].build.detail;
      seats[i].worker = std::make_unique<WorkerClient>(options, seats[i].build.object, std::vector<std::string>{});
    }
    bench_.emplace(keeper_, key_, Backend::cpu, std::move(seats));
    bench_->open(case_);
  }
  Bench& operator*() { return *bench_; }
  Bench* operator->() { return &*bench_; }
  bool runs(std::size_t seat) { return bench_->seats()[seat].worker->running(); }

 private:
  const Task task_ = load_task(std::string(MSKB_SOURCE_DIR) + "/tasks/silu_and_mul");
  const Problem problem_{&task_, Precision::fp32};
  const Case case_ = make_cases(problem_, "smoke").front();
  const RunKey key_ = RunKey::parse("0123456789abcdef0123456789abcdef");
  std::vector<Candidate> candidates_;
  KeeperClient keeper_{Backend::cpu, 0};
  std::optional<Bench> bench_;
};

TEST(Bench, EndsTheProcessesOfOthersWhereThereIsNoRoomForOneMore) {
  SmallBench bench({""});
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

constexpr std::uint64_t plenty = std::uint64_t{1} << 60;

// Whether a failure at the second seat ends the process at the first.
bool ends_the_others(std::uint64_t free_bytes, const std::string& second) {
  SmallBench bench({second});
  bench->set_free_memory([=] { return free_bytes; });
  EXPECT_EQ(bench->step(0, {}).observation.end, Observation::End::answered);
  const StepResult result = bench->step(1, {});
  EXPECT_EQ(result.observation.findings && judge_step(bench->current(), result.observation).verdict == Verdict::passed, second == "right");
  return !bench.runs(0);
}

TEST(Bench, AFailureIsRepeatedWithoutTheOthersWhereMemoryIsScarce) {
  EXPECT_TRUE(ends_the_others(0, "never_writes"));
  EXPECT_TRUE(ends_the_others(0, "host_crash"));
  EXPECT_FALSE(ends_the_others(0, "right")) << "nothing failed";
  EXPECT_FALSE(ends_the_others(plenty, "never_writes")) << "there is memory";
}

TEST(Bench, WhoHoardsMemoryEndsBeforeOthersDo) {
  SmallBench bench({"right", "", "never_writes"});
  constexpr std::size_t hoarder = 1, honest = 2, failing = 3;
  bench->set_free_memory([&] { return bench.runs(hoarder) ? 0 : plenty; });
  const auto all_step = [&] {
    for (const std::size_t seat : {hoarder, honest, failing}) {
      EXPECT_EQ(bench->step(seat, {}).observation.end, Observation::End::answered);
    }
  };
  EXPECT_EQ(bench->step(0, {}).observation.end, Observation::End::answered);
  all_step();
  EXPECT_FALSE(bench.runs(hoarder)) << "room was made for the one that failed";
  EXPECT_TRUE(bench.runs(honest)) << "it comes behind the hoarder";
  EXPECT_EQ(bench->step(0, {}).observation.end, Observation::End::answered);
  all_step();
  EXPECT_FALSE(bench.runs(hoarder));
  EXPECT_TRUE(bench.runs(0)) << "that the hoarder's end frees memory is known since";
}

}  // namespace

}  // namespace mskb::test
