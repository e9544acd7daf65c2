// Rounds on the CPU backend, whose times say nothing: who runs, stops, changes places and falls out.
#include "evaluate/rounds.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/files.hpp"
#include "evaluate/turns.hpp"
#include "evaluate/verification.hpp"
#include "model/task_file.hpp"

namespace mskb::test {

namespace {

class RoundsTest : public ::testing::Test {
 protected:
  // Seats of the reference and of a candidate with this text before a right kernel, each with two processes, at a smoke case.
  void sit(const std::string& text) {
    const std::string source = text +
                               "extern \"C\" void silu_and_mul(const float* in, float* out, int B, int D) {\n"
                               "  before();\n"
                               "  for (int b = 0; b < B; ++b) for (int d = 0; d < D; ++d) {\n"
                               "    const float x = in[b * 2 * D + d], g = in[b * 2 * D + D + d];\n"
                               "    out[b * D + d] = x / (1.0f + expf(-x)) * g;\n"
                               "  }\n"
                               "}\n";
    candidates_ = {reference_candidate(problem_), reference_candidate(problem_)};
    candidates_[1].origin = "file:silu_and_mul.cu";
    candidates_[1].main_source = "silu_and_mul.cu";
    candidates_[1].sources = {{"silu_and_mul.cu", source}};
    const Builder builder(MSKB_SOURCE_DIR, MSKB_TEST_CACHE, BuildOptions{});
    const UniqueFd module(::open(builder.task_module(problem_).c_str(), O_RDONLY | O_CLOEXEC));
    keeper_.ask(wire::LoadModule{}, module.get());
    WorkerClient::Options options;
    options.sandbox = strongest_sandbox();
    std::vector<Seat> seats(2);
    for (std::size_t i = 0; i < 2; ++i) {
      seats[i].candidate = &candidates_[i];
      seats[i].build = builder.candidate(problem_, candidates_[i]);
      ASSERT_EQ(seats[i].build.verdict, Verdict::passed) << seats[i].build.detail;
      seats[i].worker = std::make_unique<WorkerClient>(options, seats[i].build.object, std::vector<std::string>{});
      seats[i].spare = std::make_unique<WorkerClient>(options, seats[i].build.object, std::vector<std::string>{});
    }
    bench_ = std::make_unique<Bench>(keeper_, key_, Backend::cpu, std::move(seats));
    launch_workers(bench_->seats());
    bench_->open(case_);
    states_ = verify_case(*bench_);
  }

  Task task_ = load_task(std::string(MSKB_SOURCE_DIR) + "/tasks/silu_and_mul");
  Problem problem_{&task_, Precision::fp32};
  Case case_ = make_cases(problem_, "smoke").front();
  RunKey key_ = RunKey::parse("0123456789abcdef0123456789abcdef");
  std::vector<Candidate> candidates_;
  KeeperClient keeper_{Backend::cpu, 0};
  std::unique_ptr<Bench> bench_;
  std::vector<CaseState> states_;
};

TEST_F(RoundsTest, BothProcessesTakeTurns) {
  sit("#include <cuda_runtime.h>\n#include <cmath>\nvoid before() {}\n");
  Rounds rounds(*bench_, states_, key_);
  const WorkerClient* const first = bench_->seats()[1].worker.get();
  std::vector<bool> is_first;
  for (int number = 0; number < 8; ++number) {
    rounds.run();
    is_first.push_back(bench_->seats()[1].worker.get() == first);
  }
  rounds.check_testimony();
  EXPECT_EQ(is_first, (std::vector<bool>{true, true, true, true, false, false, false, false}));
  EXPECT_TRUE(rounds.active(0));
  EXPECT_TRUE(rounds.active(1));
  EXPECT_EQ(rounds.of(0).call.size(), 8u);
  EXPECT_EQ(rounds.of(1).call.size(), 8u);
}

TEST_F(RoundsTest, WhoRestsTakesPartInNoFurtherRound) {
  sit("#include <cuda_runtime.h>\n#include <cmath>\nvoid before() {}\n");
  Rounds rounds(*bench_, states_, key_);
  rounds.run();
  rounds.run();
  rounds.rest(1);
  rounds.run();
  rounds.check_testimony();
  EXPECT_TRUE(rounds.active(1));
  EXPECT_EQ(rounds.of(0).call.size(), 3u);
  EXPECT_EQ(rounds.of(1).call.size(), 2u);
}

TEST(Suffices, IsAnIntervalOfOnePercentOrASlowerCopyThatIsSlower) {
  SpeedupEstimate estimate;
  estimate.verdict = "slower";
  EXPECT_FALSE(suffices(estimate, "file:a.cu"));
  EXPECT_FALSE(suffices(estimate, "selftest:identity"));
  EXPECT_TRUE(suffices(estimate, "selftest:slower"));
  estimate.verdict = "faster";
  EXPECT_FALSE(suffices(estimate, "selftest:slower"));
  estimate.decided = true;
  EXPECT_TRUE(suffices(estimate, "file:a.cu"));
}

TEST_F(RoundsTest, AFailureInTheSecondProcessAloneIsSeen) {
  // Steps of verification: three. Whoever has made none of them before its first timed one is the second process.
  sit("#include <cuda_runtime.h>\n#include <cmath>\n#include <unistd.h>\n#include <ctime>\n#include <cstdlib>\n"
      "static int calls = 0;\nstatic timespec loaded;\n"
      "__attribute__((constructor)) static void load() { clock_gettime(CLOCK_MONOTONIC, &loaded); }\n"
      "void before() {\n"
      "  timespec now;\n  clock_gettime(CLOCK_MONOTONIC, &now);\n"
      "  if (calls++ == 0 && now.tv_sec - loaded.tv_sec >= 2) abort();\n"
      "}\n");
  Rounds rounds(*bench_, states_, key_);
  for (int number = 0; number < 4; ++number) {
    rounds.run();
  }
  EXPECT_TRUE(rounds.active(1));
  ::sleep(3);
  rounds.run();
  EXPECT_FALSE(rounds.active(1));
  EXPECT_EQ(states_[1].judge.verdict(), Verdict::crashed);
  EXPECT_TRUE(rounds.active(0));
}

}  // namespace

}  // namespace mskb::test
