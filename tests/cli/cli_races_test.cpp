// `mskb run --device cpu --races`.
#include "program.hpp"

namespace mskb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Races : public test::Program {
 protected:
  std::vector<Evaluation> judge(const std::string& kernel, int exit_code) {
    const test::Ended ended = mskb({"run", "--task", "dot_product", "--precision", "fp32", "--device", "cpu", "--races", "--sizes", "smoke", "--out",
                                    kernel, "--candidate", test::kernel(kernel)});
    EXPECT_EQ(ended.exit_code, exit_code) << ended.output << ended.errors;
    std::vector<Evaluation> own;
    for (const Evaluation& evaluation : read_run(path(kernel)).evaluations) {
      if (evaluation.origin != "reference") {
        own.push_back(evaluation);
      }
    }
    return own;
  }
};

TEST_F(Races, AMissingBarrierIsNamedByBothLines) {
  const std::vector<Evaluation> own = judge("sum_without_barrier", 1);
  ASSERT_FALSE(own.empty());
  bool told = false;
  for (const Evaluation& evaluation : own) {
    told = told || (evaluation.detail.find("race in kernel block_sum") != std::string::npos);
    if (evaluation.verdict != Verdict::passed) {
      EXPECT_EQ(evaluation.verdict, Verdict::launch_failed);
      EXPECT_THAT(evaluation.detail, AllOf(HasSubstr("sum_without_barrier.cu:"), HasSubstr("no barrier lies between the two")));
    }
  }
  EXPECT_TRUE(told);
}

TEST_F(Races, RerunLooksForRacesWhereItsRunDid) {
  for (const Evaluation& evaluation : judge("sum_without_barrier", 1)) {
    if (evaluation.verdict == Verdict::launch_failed) {
      const test::Ended again = mskb({"rerun", evaluation.id, "--from", "sum_without_barrier", "--device", "cpu"});
      EXPECT_EQ(again.exit_code, 1) << again.errors;
      EXPECT_THAT(again.output, HasSubstr("now:  launch_failed"));
      return;
    }
  }
  FAIL() << "no race was seen";
}

TEST_F(Races, TheSameWithBarriersPasses) {
  for (const Evaluation& evaluation : judge("sum_with_barrier", 0)) {
    EXPECT_EQ(evaluation.verdict, Verdict::passed) << evaluation.case_name << " " << evaluation.detail;
  }
}

TEST_F(Races, GoesWithTheCpuAndWithoutSanitizers) {
  expect_refused({"run", "--task", "dot_product", "--device", "cpu", "--races", "--sanitize"}, HasSubstr("--races: another build than --sanitize"));
}

}  // namespace
}  // namespace mskb
