#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>
#include <set>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "samples.hpp"
#include "store/run_reader.hpp"
#include "store/run_writer.hpp"

namespace mskb {
namespace {

constexpr int groups = 4000, group_size = 3, kills = 50;

// A group whose lines fill several pages, so that a kill can fall inside its write.
std::vector<Evaluation> long_group(int index) {
  std::vector<Evaluation> group = samples::group("alpha" + std::to_string(index), 0, group_size);
  for (Evaluation& evaluation : group) {
    evaluation.build_log = std::string(static_cast<std::size_t>(4000 + 97 * (index % 41)), 'x');
  }
  return group;
}

// Appends every group that is missing; after each tells the pipe that it stands.
[[noreturn]] void write_groups(const std::filesystem::path& directory, int pipe) {
  try {
    RunWriter writer = holds_run(directory) ? RunWriter::resume(directory) : RunWriter::create(directory, samples::run());
    for (int i = 0; i < groups; ++i) {
      const auto group = long_group(i);
      if (writer.has_group(group[0].group)) {
        continue;
      }
      writer.append(group);
      if (::write(pipe, &i, sizeof i) != sizeof i) {
        ::_exit(2);
      }
    }
  } catch (...) {
    ::_exit(3);
  }
  ::_exit(0);
}

TEST(Kill, ARunKilledAtAnyPointLosesNothingAndRepeatsNothing) {
  TemporaryDirectory temporary;
  const std::filesystem::path directory = temporary.path() / "run";
  std::mt19937 random(20010203);
  std::set<int> acknowledged;
  int killed = 0;
  for (int round = 0; round < kills; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(ends[0]);
      write_groups(directory, ends[1]);
    }
    ::close(ends[1]);
    // The kill falls at a random moment after 0 to 3 groups; groups acknowledged until then and until the child is gone are read.
    const unsigned wanted = random() % 4;
    bool open = true;
    const auto read_one = [&] {
      int index = 0;
      open = ::read(ends[0], &index, sizeof index) == sizeof index;
      if (open) {
        EXPECT_TRUE(acknowledged.insert(index).second) << "group " << index << " was appended twice";
      }
    };
    for (unsigned i = 0; i < wanted && open; ++i) {
      read_one();
    }
    ::usleep(random() % 4000);
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself: " << status;
    ++killed;
    while (open) {
      read_one();
    }
    ::close(ends[0]);
    if (!holds_run(directory)) {
      ASSERT_TRUE(acknowledged.empty());
      continue;
    }
    const StoredRun stored = read_run(directory);
    ASSERT_TRUE(stored.valid()) << stored.damage.front();
    std::set<std::string> ids;
    std::map<std::string, int> tasks;
    for (const Evaluation& evaluation : stored.evaluations) {
      ASSERT_TRUE(ids.insert(evaluation.id).second) << evaluation.id;
      ++tasks[evaluation.task];
    }
    for (const int index : acknowledged) {
      ASSERT_EQ(tasks["alpha" + std::to_string(index)], group_size) << "round " << round;
    }
    // A group may stand without its acknowledgement (killed in between), at most one for each kill; it must not be appended again.
    ASSERT_LE(tasks.size(), acknowledged.size() + static_cast<std::size_t>(killed));
  }
  EXPECT_GE(static_cast<int>(acknowledged.size()), kills / 2);
}

}  // namespace
}  // namespace mskb
