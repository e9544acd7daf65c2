#include "evaluate/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace mskb {
namespace {

TEST(Lanes, DoEveryItemOnceAndTellInOrderOnThisThread) {
  constexpr std::size_t count = 200;
  std::vector<std::atomic<int>> times(count);
  std::atomic<int> made{0};
  std::vector<std::size_t> told;
  const auto me = std::this_thread::get_id();
  run_lanes(
      count, 3,
      [&] {
        ++made;
        return [&](std::size_t item) { ++times[item]; };
      },
      [&](std::size_t item) {
        EXPECT_EQ(std::this_thread::get_id(), me);
        EXPECT_EQ(times[item], 1);
        told.push_back(item);
      });
  EXPECT_EQ(made, 3);
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(told, all);
}

TEST(Lanes, AreNoMoreThanItems) {
  std::atomic<int> made{0};
  const auto make = [&] {
    ++made;
    return [](std::size_t) {};
  };
  run_lanes(2, 8, make, [](std::size_t) {});
  EXPECT_EQ(made, 2);
  run_lanes(0, 8, make, [](std::size_t) { FAIL(); });
  EXPECT_EQ(made, 2);
}

TEST(Lanes, EndWithTheFirstException) {
  std::mutex mutex;
  std::set<std::size_t> begun;
  const auto make = [&] {
    return [&](std::size_t item) {
      const std::lock_guard hold(mutex);
      begun.insert(item);
      if (item == 5) {
        throw std::runtime_error("item 5");
      }
    };
  };
  std::vector<std::size_t> told;
  try {
    run_lanes(1000, 1, make, [&](std::size_t item) { told.push_back(item); });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "item 5");
  }
  EXPECT_EQ(begun.size(), 6u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(std::count(told.begin(), told.end(), 5u), 0);
}

TEST(Lanes, EndWhenALaneCannotBeMadeOrTheListenerThrows) {
  EXPECT_THROW(run_lanes(10, 2, []() -> Lane { throw std::runtime_error("no lane"); }, [](std::size_t) {}), std::runtime_error);
  EXPECT_THROW(run_lanes(10, 2, [] { return [](std::size_t) {}; }, [](std::size_t) { throw std::logic_error("enough"); }), std::logic_error);
}

}  // namespace
}  // namespace mskb
