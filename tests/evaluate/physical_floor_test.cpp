#include "evaluate/physical_floor.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "store/run_reader.hpp"

namespace mskb::test {

namespace {

CaseArgument buffer(Role role, std::uint64_t elements, ElementType type = ElementType::f32) {
  CaseArgument argument;
  argument.role = role;
  argument.elements = elements;
  argument.type = type;
  return argument;
}

Environment device() {
  Environment environment;
  environment.memory_bandwidth = 1e12;  // a megabyte takes a microsecond
  environment.l2_bytes = 8e6;
  return environment;
}

Timing timing(double span_us, double call_us) {
  Timing made;
  made.clocks["span"].median = span_us;
  made.clocks["call"].median = call_us;
  return made;
}

}  // namespace

TEST(PhysicalFloor, CountsWhatIsReadAndWhatIsWrittenBeyondTheCache) {
  Case copy;
  copy.arguments = {buffer(Role::in, 1000000), buffer(Role::out, 1000000)};
  copy.bytes = 8e6;
  EXPECT_DOUBLE_EQ(physical_floor_us(copy, device()), 0.95 * 4) << "the output may stay in the cache";
  copy.arguments = {buffer(Role::in, 10000000), buffer(Role::out, 10000000)};
  copy.bytes = 80e6;
  EXPECT_DOUBLE_EQ(physical_floor_us(copy, device()), 0.95 * (40 + 32));
  copy.arguments[1].type = ElementType::bf16;
  copy.bytes = 60e6;
  EXPECT_DOUBLE_EQ(physical_floor_us(copy, device()), 0.95 * (40 + 12));
}

TEST(PhysicalFloor, NeverCountsMoreThanTheFewestBytes) {
  Case sparse;  // an output that the fewest bytes do not count wholly
  sparse.arguments = {buffer(Role::out, 10000000)};
  sparse.bytes = 10e6;
  EXPECT_DOUBLE_EQ(physical_floor_us(sparse, device()), 0.95 * 2);
}

TEST(PhysicalFloor, IsNothingWithoutTheBandwidth) {
  Case copy;
  copy.arguments = {buffer(Role::in, 1000000)};
  copy.bytes = 4e6;
  EXPECT_EQ(physical_floor_us(copy, Environment()), 0);
}

TEST(PhysicalFloor, RefusesATimeBelowIt) {
  EXPECT_EQ(implausible_time(timing(4, 10), 3.9), "");
  EXPECT_EQ(implausible_time(timing(3.8, 10), 3.9), "span is 3.8 us, but the device cannot move the data in less than 3.9 us");
  EXPECT_EQ(implausible_time(timing(4, 3), 3.9), "call is 3 us, but the device cannot move the data in less than 3.9 us");
  Timing published = timing(1, 1);
  published.protocol = "paper";
  EXPECT_EQ(implausible_time(published, 3.9), "") << "its caches are warm";
}

TEST(PhysicalFloor, AccusesNothingInTheStoredRuns) {
  int judged = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(MSKB_SOURCE_DIR) + "/results/h200")) {
    if (!std::filesystem::exists(entry.path() / "run.yaml")) {
      continue;
    }
    const StoredRun stored = read_run(entry.path());
    for (const Evaluation& evaluation : stored.evaluations) {
      if (evaluation.timing && evaluation.timing->protocol == "strict") {
        Case all_read;  // the strictest floor: nothing stays in the cache
        all_read.bytes = evaluation.bytes;
        EXPECT_EQ(implausible_time(*evaluation.timing, physical_floor_us(all_read, stored.run.environment)), "")
            << evaluation.case_name << " " << evaluation.origin;
        ++judged;
      }
    }
  }
  EXPECT_GT(judged, 1000);
}

}  // namespace mskb::test
