#include "profile/profile_json.hpp"

#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "fixture.hpp"

namespace mskb {
namespace {

using Json = nlohmann::ordered_json;

// A class and its metrics as a stored page must come out.
struct Known {
  const char* page;
  const char* bottleneck;
  std::vector<std::pair<const char*, double>> metrics;
};

const Known known[] = {
    {"synthetic-compute", "compute bound", {{"SM throughput", 78.25}, {"issue slots busy", 71.5}, {"executed IPC active", 2.86}, {"SM busy", 74}}},
    {"synthetic-latency",
     "memory latency bound",
     {{"L2 hit rate", 62.5}, {"L1/TEX hit rate", 18.75}, {"executed IPC elapsed", 0.11}, {"mem busy", 12.75}}},
    {"synthetic-bandwidth",
     "memory bandwidth bound",
     {{"DRAM throughput", 88.75}, {"memory throughput", 88.75}, {"max bandwidth", 88.75}, {"mem pipes busy", 12.25}}},
};

TEST(FilteredProfile, GivesEachClassThePapersMetricsAndNoOthers) {
  for (const Known& one : known) {
    const Json filtered = filtered_profile(test::profile_of(one.page), {});
    EXPECT_EQ(filtered.at("class"), one.bottleneck) << one.page;
    ASSERT_EQ(filtered.at("metrics").size(), one.metrics.size());
    auto entry = filtered.at("metrics").items().begin();
    for (const auto& [name, value] : one.metrics) {
      EXPECT_EQ(entry.key(), name);
      EXPECT_DOUBLE_EQ(entry.value().at("value").get<double>(), value) << name;
      ++entry;
    }
  }
}

TEST(FilteredProfile, IsAtMostFourTenthsOfTheFullOne) {
  for (const char* page : {"matrix_mul-reference-h200", "silu_and_mul-reference-h200", "spmv_csr-reference-h200", "rms_norm-h200", "synthetic-compute",
                           "synthetic-latency", "synthetic-bandwidth"}) {
    const Profile profile = test::profile_of(page);
    EXPECT_LE(filtered_profile(profile, {}).dump().size(), 0.4 * static_cast<double>(full_profile(profile).dump().size())) << page;
  }
}

TEST(FilteredProfile, OfARealKernelSaysWhatIsMissing) {
  const Json filtered = filtered_profile(test::profile_of("silu_and_mul-h200"), {});
  EXPECT_EQ(filtered.at("class"), "memory latency bound");
  EXPECT_TRUE(filtered.at("metrics").at("executed IPC elapsed").at("value").is_null());
  EXPECT_FALSE(filtered.at("metrics").at("executed IPC elapsed").at("reason").get<std::string>().empty());
}

TEST(FilteredProfile, ShowsEveryKernelOfSeveral) {
  const Json filtered = filtered_profile(test::profile_of("synthetic-two-kernels"), {});
  EXPECT_EQ(filtered.at("class"), "memory bandwidth bound");
  ASSERT_EQ(filtered.at("kernels").size(), 2u);
  EXPECT_EQ(filtered.at("kernels")[0].at("class"), "memory bandwidth bound");
  EXPECT_EQ(filtered.at("kernels")[1].at("class"), "memory latency bound");
  EXPECT_EQ(filtered.at("kernels")[1].at("metrics").at("L2 hit rate").at("value"), 90);
  EXPECT_EQ(filtered.at("kernels")[0].at("launches"), 2);
}

TEST(FilteredProfile, HasNoClassWithoutTheThroughputs) {
  Profile profile = test::profile_of("synthetic-compute");
  profile.kernels[0].counters->metrics.erase("sm__throughput.avg.pct_of_peak_sustained_elapsed");
  const Json filtered = filtered_profile(profile, {});
  EXPECT_TRUE(filtered.at("class").is_null());
  EXPECT_FALSE(filtered.at("class_reason").get<std::string>().empty());
  EXPECT_FALSE(filtered.contains("metrics"));
}

TEST(FullProfile, HoldsEveryMetricAndNeverAZeroForAMissingOne) {
  const Profile profile = test::profile_of("silu_and_mul-h200");
  const Json full = full_profile(profile);
  const Json& metrics = full.at("kernels").at(0).at("metrics");
  EXPECT_EQ(metrics.size(), profile.kernels[0].counters->metrics.size());
  EXPECT_TRUE(metrics.at("derived__local_spilling_requests_pct").at("value").is_null());
  EXPECT_EQ(metrics.at("launch__cluster_scheduling_policy").at("text"), "PolicySpread");
}

TEST(FullProfile, SurvivesItsFile) {
  const Profile profile = test::profile_of("synthetic-two-kernels");
  const Profile again = read_full_profile(Json::parse(full_profile(profile).dump()));
  EXPECT_EQ(full_profile(again), full_profile(profile));
  EXPECT_EQ(filtered_profile(again, {}), filtered_profile(profile, {}));
  EXPECT_THROW(read_full_profile(filtered_profile(profile, {})), InputError);
  EXPECT_THROW(read_full_profile(Json::parse(R"({"kind":"full"})")), InputError);
}

TEST(ProfileKinds, AreThree) {
  EXPECT_EQ(parse_profile_kind("full", "option profile"), ProfileKind::full);
  EXPECT_EQ(parse_profile_kind("none", "option profile"), ProfileKind::none);
  EXPECT_THROW(parse_profile_kind("some", "option profile"), InputError);
}

}  // namespace
}  // namespace mskb
