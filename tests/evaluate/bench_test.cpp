// A bench on the CPU backend whose machine has no room for one more process.
#include "evaluate/bench.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

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

TEST(Bench, EndsTheProcessesOfOthersWhereThereIsNoRoomForOneMore) {
  const Task task = load_task(std::string(MSKB_SOURCE_DIR) + "/tasks/silu_and_mul");
  const Problem problem{&task, Precision::fp32};
  const Case test_case = make_cases(problem, "smoke").front();
  const RunKey key = RunKey::parse("0123456789abcdef0123456789abcdef");
  const Candidate candidate = reference_candidate(problem);
  const Builder builder(MSKB_SOURCE_DIR, MSKB_TEST_CACHE, BuildOptions{});
  KeeperClient keeper(Backend::cpu, 0);
  const UniqueFd module(::open(builder.task_module(problem).c_str(), O_RDONLY | O_CLOEXEC));
  keeper.ask(wire::LoadModule{}, module.get());
  WorkerClient::Options options;
  options.sandbox = strongest_sandbox();
  std::vector<Seat> seats(2);
  for (Seat& seat : seats) {
    seat.candidate = &candidate;
    seat.build = builder.candidate(problem, candidate);
    ASSERT_EQ(seat.build.verdict, Verdict::passed) << seat.build.detail;
    seat.worker = std::make_unique<WorkerClient>(options, seat.build.object, std::vector<std::string>{});
  }
  Bench bench(keeper, key, Backend::cpu, std::move(seats));
  bench.open(test_case);
  ASSERT_EQ(bench.step(0, {}).observation.end, Observation::End::answered);
  {
    const FewDescriptors few(7);
    EXPECT_EQ(bench.step(1, {}).observation.end, Observation::End::answered);
    EXPECT_FALSE(bench.seats()[0].worker->release()) << "it was to be ended";
    EXPECT_EQ(bench.step(0, {}).observation.end, Observation::End::answered);
    EXPECT_FALSE(bench.seats()[1].worker->release());
  }
  EXPECT_EQ(bench.step(1, {}).observation.end, Observation::End::answered);
  EXPECT_TRUE(bench.seats()[0].worker->release()) << "with room both run";
}

}  // namespace

}  // namespace mskb::test
