// `mskb profile` as a user types it, on the CPU or on stored profiles.
#include <fstream>
#include <nlohmann/json.hpp>

#include "../cli/program.hpp"
#include "fixture.hpp"
#include "profile/profile_json.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class ProfileCommand : public test::Program {
 protected:
  nlohmann::json stored(const std::string& file) const { return nlohmann::json::parse(read_file(path(file))); }

  // A stored profile as the command writes it.
  void store(const std::string& folder, const std::string& page) const {
    Profile profile = test::profile_of(page);
    profile.case_name = page;
    fs::create_directories(path(folder));
    std::ofstream(path(folder + "/full.json")) << nlohmann::ordered_json{{"profile", full_profile(profile)}};
  }
};

TEST_F(ProfileCommand, OnTheCpuStoresTheReasonInPlaceOfAProfile) {
  const test::Ended ended = mskb({"profile", "--device", "cpu", "--task", "silu_and_mul", "--precision", "fp32", "--sizes", "smoke", "--case", "0", "--out", "p"});
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  EXPECT_EQ(ended.output, "silu_and_mul/fp32/smoke/0 reference: no profile: the cpu backend has no hardware counters\nprofiles: p\n");
  for (const char* file : {"p/silu_and_mul/fp32/smoke/0/reference/full.json", "p/silu_and_mul/fp32/smoke/0/reference/filtered.json"}) {
    EXPECT_TRUE(stored(file).at("profile").is_null());
    EXPECT_EQ(stored(file).at("profile_reason"), "the cpu backend has no hardware counters");
    EXPECT_EQ(stored(file).at("verdict"), "passed");
  }
}

TEST_F(ProfileCommand, DoesNotProfileWhatFails) {
  std::ofstream(path("silu_and_mul.cu")) << "extern \"C\" void silu_and_mul(const float*, float*, int, int) {}\n";
  const test::Ended ended = mskb({"profile", "--device", "cpu", "--task", "silu_and_mul", "--precision", "fp32", "--sizes", "smoke", "--candidate",
                                  "silu_and_mul.cu", "--out", "p"});
  EXPECT_EQ(ended.exit_code, 1) << ended.errors;
  EXPECT_THAT(ended.output, HasSubstr("only candidates that passed are profiled; this one: incomplete"));
  EXPECT_TRUE(fs::exists(path("p/silu_and_mul/fp32/smoke/1/file-silu_and_mul.cu/full.json"))) << "the largest case by default";
}

TEST_F(ProfileCommand, CalibratesFromStoredProfiles) {
  fs::create_directories(path("home/tasks"));
  set_variable("MSKB_HOME", path("home").string());
  store("p/a", "synthetic-compute");
  store("p/b", "synthetic-latency");
  store("q", "synthetic-bandwidth");
  const test::Ended ended = mskb({"profile", "--calibrate", "p", "q"});
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("NVIDIA H200: 3 references\n"), HasSubstr("stored: configs/devices/h200.yaml\n")));
  EXPECT_THAT(read_file(path("home/configs/devices/h200.yaml")), AllOf(HasSubstr("bottleneck:"), HasSubstr("originals: 3")));
}

TEST_F(ProfileCommand, RefusesWhatCannotBe) {
  expect_refused({"profile", "--task", "silu_and_mul", "--case", "99", "--device", "cpu"}, HasSubstr("--case 99: silu_and_mul/fp32 has"));
  expect_refused({"profile", "--task", "silu_and_mul", "--time-limit", "never"}, HasSubstr("--time-limit: 'never' is not a time"));
  expect_refused({"profile", "--calibrate", "nowhere"}, HasSubstr("--calibrate nowhere: no such directory"));
}

}  // namespace
}  // namespace mskb
