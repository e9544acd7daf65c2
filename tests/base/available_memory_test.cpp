#include "base/available_memory.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files.hpp"

namespace mskb {
namespace {

class AvailableMemory : public ::testing::Test {
 protected:
  AvailableMemory() { write("proc/meminfo", "MemTotal:       8000 kB\nMemAvailable:   4000 kB\nBuffers: 7 kB\n"); }

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::uint64_t available() const { return available_memory(folder_.path()); }

 private:
  TemporaryDirectory folder_;
};

TEST_F(AvailableMemory, IsTheMachinesWithoutGroups) { EXPECT_EQ(available(), 4000u * 1024); }

TEST_F(AvailableMemory, IsWhatTheGroupLeaves) {
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/b/memory.max", "max\n");
  write("sys/fs/cgroup/a/b/memory.current", "500\n");
  EXPECT_EQ(available(), 4000u * 1024);
  write("sys/fs/cgroup/a/b/memory.max", "1000\n");
  EXPECT_EQ(available(), 500u);
  write("sys/fs/cgroup/a/b/memory.stat", "anon 1\ninactive_file 200\nactive_file 3\n");
  EXPECT_EQ(available(), 700u);
}

TEST_F(AvailableMemory, IsNoMoreThanAGroupAboveLeaves) {
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/memory.max", "600\n");
  write("sys/fs/cgroup/a/memory.current", "650\n");
  EXPECT_EQ(available(), 0u);
}

TEST_F(AvailableMemory, KnowsTheFirstVersionOfGroupsInAContainersView) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/0123\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "3000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
  EXPECT_EQ(available(), 2000u);
}

}  // namespace
}  // namespace mskb
