#include "profile/raw_page.hpp"

#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "fixture.hpp"

namespace mskb {
namespace {

using ::testing::HasSubstr;

const char* const busy = "sm__throughput.avg.pct_of_peak_sustained_elapsed";

TEST(RawPage, ReadsWhatTheExpertsKernelWasMeasuredAt) {
  const std::vector<LaunchProfile> launches = parse_raw_page(test::raw_page("silu_and_mul-h200"));
  ASSERT_EQ(launches.size(), 2u);
  const LaunchProfile& first = launches[0];
  EXPECT_EQ(first.kernel, "void <unnamed>::silu_and_mul_kernel<float4>(const T1 *, T1 *, int, int)");
  EXPECT_EQ(first.grid, "(24, 64, 1)");
  EXPECT_EQ(first.block, "(128, 1, 1)");
  EXPECT_EQ(first.compute_capability, "9.0");
  EXPECT_DOUBLE_EQ(*first.duration_us(), 4.86);
  EXPECT_DOUBLE_EQ(*first.metrics.at(busy).value, 16.34);
  EXPECT_EQ(first.metrics.at(busy).unit, "%");
  EXPECT_DOUBLE_EQ(*first.metrics.at("gpc__cycles_elapsed.max").value, 9504);
  EXPECT_EQ(first.metrics.at("launch__cluster_scheduling_policy").text, "PolicySpread");
  EXPECT_FALSE(first.metrics.at("derived__local_spilling_requests_pct").value) << "'no data' is not zero";
}

TEST(RawPage, FindsTheTableAmongTheToolsOwnLines) {
  const auto launches = parse_raw_page(
      "==PROF== Connected to process 7 (/x)\n==WARNING== Note, with a comma\n\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"\",\"\",\"ns\"\n"
      "\"0\",\"k\",\"1,500\"\n==PROF== Disconnected\n");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_DOUBLE_EQ(*launches[0].duration_us(), 1.5);
}

TEST(RawPage, TakesUnitsFromCellsWhereThereIsNoRowOfThem) {
  const auto launches = parse_raw_page("\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"dram__bytes.sum\"\n\"0\",\"k\",\"2.5 ms\",\"n/a\"\n");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_DOUBLE_EQ(*launches[0].duration_us(), 2500);
  EXPECT_FALSE(launches[0].metrics.at("dram__bytes.sum").value);
  EXPECT_EQ(launches[0].metrics.at("dram__bytes.sum").text, "n/a");
}

TEST(RawPage, ReadsAPageOfALocaleWithADecimalComma) {
  const auto launches = parse_raw_page("\"ID\",\"gpu__time_duration.sum\",\"a__b.c\",\"d__e.f\"\n\"\",\"us\",\"%\",\"\"\n\"0\",\"4,86\",\"27,1\",\"9.504\"\n");
  EXPECT_DOUBLE_EQ(*launches.at(0).duration_us(), 4.86);
  EXPECT_DOUBLE_EQ(*launches[0].metrics.at("d__e.f").value, 9504) << "one mark holds for the whole page";
}

TEST(RawPage, KnowsNoDurationOfAnUnknownUnit) {
  EXPECT_FALSE(parse_raw_page("ID,gpu__time_duration.sum\n,cycle\n0,12\n").at(0).duration_us());
}

TEST(RawPage, IsEmptyWithoutATable) {
  EXPECT_TRUE(parse_raw_page("").empty());
  EXPECT_TRUE(parse_raw_page("==WARNING== No kernels were profiled.\n").empty());
}

TEST(RawPage, RefusesAPageThatWasCutOff) {
  std::string page = test::raw_page("rms_norm-h200");
  page.resize(page.size() - 60);
  try {
    parse_raw_page(page);
    FAIL() << "a cut row was read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("it was cut off"));
  }
}

TEST(KernelsByTime, TakesTheLongestLaunchOfEachKernelAndWeighsByTime) {
  const auto kernels = kernels_by_time(parse_raw_page(test::raw_page("synthetic-two-kernels")));
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].kernel, "partial_sums(const float *, float *, int)");
  EXPECT_EQ(kernels[0].launches, 2);
  EXPECT_EQ(kernels[0].longest_launch, 2u);
  EXPECT_DOUBLE_EQ(kernels[0].longest_us, 45);
  EXPECT_DOUBLE_EQ(kernels[0].total_us, 75);
  EXPECT_DOUBLE_EQ(kernels[0].share, 75.0 / 80);
  EXPECT_EQ(kernels[1].longest_launch, 1u);
}

TEST(KernelsByTime, RefusesALaunchWithoutADuration) {
  EXPECT_THROW(kernels_by_time(parse_raw_page("ID,Kernel Name,gpu__time_duration.sum\n,,us\n0,k,n/a\n")), InputError);
}

}  // namespace
}  // namespace mskb
