#include <gtest/gtest.h>

#include <cstring>

#include "worker/launch_inventory.hpp"

namespace mskb::worker {
namespace {

wire::LaunchEntry launch(const char* name, std::uint32_t grid) {
  wire::LaunchEntry entry{};
  std::strcpy(entry.kernel, name);
  entry.grid[0] = grid;
  entry.block[0] = 256;
  return entry;
}

TEST(LaunchInventory, MergesEqualLaunchesInOrderOfAppearance) {
  LaunchInventory inventory;
  for (const auto& [name, grid] : {std::pair{"b", 1u}, {"a", 1u}, {"b", 2u}, {"b", 1u}, {"a", 1u}, {"b", 1u}}) {
    inventory.add(launch(name, grid));
  }
  ASSERT_EQ(inventory.entries().size(), 3u);
  EXPECT_STREQ(inventory.entries()[0].kernel, "b");
  EXPECT_EQ(inventory.entries()[0].count, 3u);
  EXPECT_STREQ(inventory.entries()[1].kernel, "a");
  EXPECT_EQ(inventory.entries()[1].count, 2u);
  EXPECT_EQ(inventory.entries()[2].grid[0], 2u);
  EXPECT_EQ(inventory.entries()[2].count, 1u);
  inventory.clear();
  EXPECT_TRUE(inventory.entries().empty());
}

}  // namespace
}  // namespace mskb::worker
