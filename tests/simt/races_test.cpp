// Kernels of the flavour `races`: what is reported, with the line of the .cu file, and what is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "candidate.hpp"
#include "evaluate/code_places.hpp"
#include "simt/runtime.hpp"

namespace mskb::simt {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Races : public ::testing::Test {
 protected:
  void SetUp() override {
    reset();
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 7);
  }
  std::vector<Fault> run(const std::string& name) {
    EXPECT_EQ((candidate.call<int, const float*, float*, int*>(("run_" + name).c_str(), in.data(), out.data(), &lock)), 0);
    return take_report().faults;
  }
  // At least one race, the first of them between the marked line and another; returns all that is said.
  std::string expect_race(const std::string& name, const std::string& mark) {
    const std::vector<Fault> faults = run(name);
    if (faults.empty()) {
      ADD_FAILURE() << "no race";
      return "";
    }
    const Fault& fault = faults.front();
    EXPECT_EQ(fault.kind, FaultKind::race);
    EXPECT_FALSE(fault.abandoned);
    const std::string line = "races.cu:" + std::to_string(testing::marked_line("races", mark));
    const std::string object = testing::build_candidate("races", Flavour::races);
    const std::string text = name_code_places(fault.file + ": " + fault.message, object);
    EXPECT_THAT(text, AnyOf(StartsWith(line + ": "), HasSubstr(" at " + line + ";")));
    return text;
  }

  const testing::Candidate candidate{"races", Flavour::races};
  std::vector<float> in = std::vector<float>(512), out = std::vector<float>(1024);
  int lock = 0;
};

TEST_F(Races, AReductionWithoutABarrierIsReportedWithItsLine) {
  EXPECT_THAT(expect_race("reduce_without_barrier", "reduce_without_barrier"),
              AllOf(HasSubstr("4 bytes of __shared__ sums that thread ("), HasSubstr("of the same block "), HasSubstr("races.cu:6"), HasSubstr("races.cu:9"),
                    HasSubstr("no barrier lies between the two")));
}
TEST_F(Races, AReductionWithBarriersIsNot) { EXPECT_THAT(run("reduce"), IsEmpty()); }

TEST_F(Races, AHistogramAcrossBlocksWithoutAtomicsIsReported) {
  EXPECT_THAT(expect_race("histogram_without_atomics", "histogram_without_atomics"),
              AllOf(HasSubstr("4 bytes of global memory that block ("), HasSubstr("blocks run in any order")));
}
TEST_F(Races, AtomicsAreNot) { EXPECT_THAT(run("histogram"), IsEmpty()); }

TEST_F(Races, ReadingBinsBeforeAllHaveBeenUpdatedIsReported) {
  const std::vector<Fault> faults = run("shared_histogram_without_barrier");
  ASSERT_FALSE(faults.empty());
  EXPECT_THAT(faults.front().message, HasSubstr("__shared__ bins"));
}
TEST_F(Races, ABarrierBetweenAtomicsAndReadsIsEnough) { EXPECT_THAT(run("shared_histogram"), IsEmpty()); }

TEST_F(Races, BlocksThatWriteTheSameElementAreReported) { expect_race("overlapping_tiles", "overlapping_tiles"); }

TEST_F(Races, LanesThatRelyOnLockstepAreReported) { expect_race("warp_exchange_without_sync", "warp_exchange_without_sync"); }
TEST_F(Races, WarpOperationsOrderTheirLanes) { EXPECT_THAT(run("warp_exchange"), IsEmpty()); }
TEST_F(Races, WarpOperationsDoNotOrderOtherWarps) {
  EXPECT_THAT(expect_race("across_warps_with_warp_sync", "across_warps_with_warp_sync"), HasSubstr("dynamic shared memory"));
}

TEST_F(Races, TheLastBlockMayReadWhatTheOthersLeft) { EXPECT_THAT(run("last_block_adds_up"), IsEmpty()); }
TEST_F(Races, WithoutTheCounterItMayNot) { expect_race("adds_up_what_may_not_be_there", "adds_up_what_may_not_be_there"); }

TEST_F(Races, ALockOrdersWhatItGuards) { EXPECT_THAT(run("locked_update"), IsEmpty()); }
TEST_F(Races, TheReadBeforeACompareAndSwapIsNone) { EXPECT_THAT(run("compare_and_swap"), IsEmpty()); }
TEST_F(Races, EqualStoresAreNone) { EXPECT_THAT(run("equal_stores"), IsEmpty()); }
TEST_F(Races, NeighboursInOneWordAreNone) { EXPECT_THAT(run("neighbours_of_two_bytes"), IsEmpty()); }
TEST_F(Races, LaunchesAreOrdered) { EXPECT_THAT(run("two_launches"), IsEmpty()); }
TEST_F(Races, AScalarInsideAnothersVectorIsReported) { expect_race("vector_and_scalar", "vector_and_scalar"); }

}  // namespace
}  // namespace mskb::simt
