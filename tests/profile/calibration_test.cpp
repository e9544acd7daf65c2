#include <gmock/gmock.h>

#include <fstream>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "fixture.hpp"
#include "profile/thresholds_file.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::vector<Profile> originals() {
  std::vector<Profile> all;
  for (const char* page : {"synthetic-compute", "synthetic-latency", "synthetic-bandwidth", "synthetic-two-kernels"}) {
    all.push_back(test::profile_of(page));
    all.back().case_name = page;
  }
  return all;
}

std::string refusal(const std::vector<Profile>& profiles) {
  try {
    calibrate(profiles);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceFile, IsNamedAfterTheDevice) {
  EXPECT_EQ(device_file("/home", "NVIDIA H200"), "/home/configs/devices/h200.yaml");
  EXPECT_EQ(device_file("/home", "NVIDIA GeForce RTX 4090"), "/home/configs/devices/rtx-4090.yaml");
  EXPECT_EQ(device_file("/home", "../x"), "/home/configs/devices/x.yaml");
}

TEST(Thresholds, AreThePapersWhereTheDeviceHasNone) {
  const TemporaryDirectory home;
  const Thresholds thresholds = device_thresholds(home.path(), "NVIDIA H200");
  EXPECT_EQ(thresholds.compute, 30);
  EXPECT_EQ(thresholds.dram, 30);
  EXPECT_EQ(thresholds.memory, 30);
}

TEST(Thresholds, SurviveTheirFile) {
  const TemporaryDirectory home;
  const Calibration found = calibrate(originals());
  EXPECT_EQ(found.originals, 4u);
  EXPECT_GT(found.thresholds.compute, 19);
  EXPECT_LT(found.thresholds.compute, 78);
  store_calibration(home.path(), found);
  const Thresholds again = device_thresholds(home.path(), "NVIDIA H200");
  EXPECT_DOUBLE_EQ(again.compute, found.thresholds.compute);
  EXPECT_DOUBLE_EQ(again.dram, found.thresholds.dram);
  EXPECT_DOUBLE_EQ(again.memory, found.thresholds.memory);
  EXPECT_EQ(again.source, "configs/devices/h200.yaml");
}

TEST(Thresholds, LeaveTheRestOfTheFileAlone) {
  const TemporaryDirectory home;
  const fs::path file = device_file(home.path(), "NVIDIA H200");
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "limits:\n  bandwidth: 5\n";
  EXPECT_EQ(device_thresholds(home.path(), "NVIDIA H200").compute, 30);
  store_calibration(home.path(), calibrate(originals()));
  EXPECT_THAT(read_file(file), HasSubstr("bandwidth: 5"));
}

TEST(Thresholds, ThatCannotBeAreRefusedWithTheirLine) {
  const TemporaryDirectory home;
  const fs::path file = device_file(home.path(), "NVIDIA H200");
  fs::create_directories(file.parent_path());
  const auto refusal = [&](const std::string& text) -> std::string {
    std::ofstream(file) << text;
    try {
      device_thresholds(home.path(), "NVIDIA H200");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal("bottleneck:\n  compute: 30\n  dram: 130\n  memory: 30\n"), HasSubstr("configs/devices/h200.yaml:3: dram is 130"));
  EXPECT_THAT(refusal("just text"), HasSubstr("configs/devices/h200.yaml:1: a device's file must be a map"));
  EXPECT_THAT(refusal("bottleneck: {}\nbottleneck: {}\n"), HasSubstr("configs/devices/h200.yaml:2: key 'bottleneck' appears twice"));
  EXPECT_THROW(store_calibration(home.path(), calibrate(originals())), InputError);
}

TEST(Calibration, CountsEachReferenceOnceAndNothingElse) {
  std::vector<Profile> profiles = originals();
  profiles.push_back(profiles[0]);
  profiles.push_back(profiles[1]);
  profiles.back().case_name = "another";
  profiles.back().origin = "file:x.cu";
  EXPECT_EQ(calibrate(profiles).originals, 4u);
}

TEST(Calibration, NamesProfilesThatLackAThroughput) {
  std::vector<Profile> profiles = originals();
  profiles[2].kernels[0].counters->metrics.erase("sm__throughput.avg.pct_of_peak_sustained_elapsed");
  const Calibration found = calibrate(profiles);
  EXPECT_EQ(found.originals, 3u);
  EXPECT_THAT(found.not_usable, ::testing::ElementsAre(HasSubstr("synthetic-bandwidth: sm__throughput")));
}

TEST(Calibration, RefusesWhatItCannotUse) {
  std::vector<Profile> profiles = originals();
  profiles[1].device = "NVIDIA L4";
  EXPECT_THAT(refusal(profiles), HasSubstr("give those of one device"));
  EXPECT_THAT(refusal({originals()[0]}), HasSubstr("1 usable profiles"));
  profiles = {originals()[0], originals()[0]};
  profiles[1].case_name = "another";
  EXPECT_THAT(refusal(profiles), HasSubstr("is the same within 1 %"));
}

}  // namespace
}  // namespace mskb
