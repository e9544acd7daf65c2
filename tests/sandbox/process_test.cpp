#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/errors.hpp"
#include "shell.hpp"

namespace mskb {
namespace {

using ::testing::HasSubstr;

std::vector<SandboxLevel> levels() {
  if (strongest_sandbox() == SandboxLevel::full) {
    return {SandboxLevel::full, SandboxLevel::limits, SandboxLevel::none};
  }
  return {SandboxLevel::limits, SandboxLevel::none};
}

std::string level_name(const ::testing::TestParamInfo<SandboxLevel>& information) { return to_string(information.param); }

class EveryLevel : public ::testing::TestWithParam<SandboxLevel> {};
INSTANTIATE_TEST_SUITE_P(Sandbox, EveryLevel, ::testing::ValuesIn(levels()), level_name);

// The state letter of /proc/<pid>/stat; 0 when there is no such process.
char process_state(pid_t pid) {
  std::ifstream stream("/proc/" + std::to_string(pid) + "/stat");
  std::stringstream text;
  text << stream.rdbuf();
  const std::size_t bracket = text.str().rfind(')');
  return bracket == std::string::npos ? '\0' : text.str()[bracket + 2];
}

// How many processes have `mark` in their command line; a zombie has none.
int count_marked(const std::string& mark) {
  int count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    std::ifstream stream(entry.path() / "cmdline");
    std::stringstream text;
    text << stream.rdbuf();
    count += text.str().find(mark) != std::string::npos;
  }
  return count;
}

std::string fresh_mark(const char* name) { return std::string("mark-") + name + "-" + std::to_string(::getpid()); }

TEST_P(EveryLevel, ReportsExitCodeAndOutput) {
  SandboxedProcess process = shell("echo to stdout; echo to stderr >&2; exit 7", GetParam());
  const ProcessEnd end = process.wait(plenty);
  EXPECT_TRUE(end.ended);
  EXPECT_EQ(end.exit_code, 7);
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(process.output(), "to stdout\nto stderr\n");
  EXPECT_FALSE(process.output_cut());
}

TEST_P(EveryLevel, ReportsTheSignal) {
  SandboxedProcess process = shell("kill -ABRT $$", GetParam());
  const ProcessEnd end = process.wait(plenty);
  EXPECT_TRUE(end.ended);
  EXPECT_EQ(end.exit_code, -1);
  EXPECT_EQ(end.signal, SIGABRT);
}

// Whoever reads the socket learns of the end at the same moment as the warden, and orders a kill that the warden may never read.
TEST_P(EveryLevel, AnOrderThatCrossesTheEndDoesNotHideIt) {
  for (int i = 0; i < 200; ++i) {
    int sockets[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
    const UniqueFd ours(sockets[0]);
    SandboxedProcess process("/bin/sh", {"-c", "kill -ABRT $$"}, UniqueFd(sockets[1]), GetParam());
    char byte = 0;
    ASSERT_EQ(::recv(ours.get(), &byte, 1, 0), 0);
    ASSERT_EQ(process.kill().signal, SIGABRT) << "after " << i << " tries";
  }
}

TEST_P(EveryLevel, LetsAChattyProcessGoOn) {
  SandboxedProcess process = shell("head -c 100000000 /dev/zero | tr '\\0' x; exit 3", GetParam());
  EXPECT_EQ(process.wait(plenty).exit_code, 3);
  EXPECT_EQ(process.output(), std::string(65536, 'x'));
  EXPECT_TRUE(process.output_cut());
}

// `tail` keeps the whole of a line that has not ended.
std::string holding(const char* size) { return std::string("head -c ") + size + " /dev/zero | (sleep 0.2; tail) | wc -c"; }

constexpr std::uint64_t mib = 1 << 20;

TEST_P(EveryLevel, EndsWhatHoldsMoreMemoryThanItMay) {
  SandboxedProcess process = shell(holding("2G"), GetParam());
  process.limit_memory(100 * mib);
  const ProcessEnd end = process.wait(plenty);
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_GT(end.memory, 100 * mib);
  EXPECT_LT(end.memory, 2048 * mib);
}

TEST_P(EveryLevel, CountsTheMemoryOfAllTogether) {
  // Each `tail` has read its 60 MiB and cannot write them.
  SandboxedProcess process = shell("for i in 1 2 3; do head -c 60M /dev/zero | tail | sleep 1000 & done; sleep 1000", GetParam());
  process.limit_memory(100 * mib);
  const ProcessEnd end = process.wait(plenty);
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_GT(end.memory, 100 * mib);
}

TEST_P(EveryLevel, LetsLiveWhatHoldsLessMemoryThanItMay) {
  SandboxedProcess process = shell(holding("20M"), GetParam());
  process.limit_memory(100 * mib);
  const ProcessEnd end = process.wait(plenty);
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.memory, 0u);
  EXPECT_EQ(process.output(), "20971520\n");
}

// At level none, where the kernel's own limit of processes does not hold for anybody, as elsewhere for root.
TEST(Sandbox, EndsWhatHasMoreThreadsThanItMay) {
  SandboxedProcess process = shell(R"(exec python3 -c '
import threading, time
threading.stack_size(65536)
for i in range(6000):
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
print("all of them", flush=True)
time.sleep(1000)')", SandboxLevel::none);
  process.limit_memory(10000 * mib);
  const ProcessEnd end = process.wait(plenty);
  if (process.output().find("start new thread") != std::string::npos) {
    GTEST_SKIP() << "this user may not have so many threads";
  }
  EXPECT_EQ(end.signal, SIGKILL) << process.output();
  EXPECT_GT(end.threads, most_threads);
  EXPECT_EQ(end.memory, 0u);
}

TEST_P(EveryLevel, WaitGivesUpOnAHangAndKillEndsIt) {
  SandboxedProcess process = shell("while :; do :; done", GetParam());
  EXPECT_FALSE(process.wait(std::chrono::milliseconds(50)).ended);
  const pid_t pid = process.pid();
  EXPECT_NE(process_state(pid), '\0');
  const ProcessEnd end = process.kill();
  EXPECT_TRUE(end.ended);
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_EQ(process_state(pid), '\0');
}

TEST_P(EveryLevel, KillAfterTheEndReportsTheEnd) {
  SandboxedProcess process = shell("exit 4", GetParam());
  EXPECT_EQ(process.wait(plenty).exit_code, 4);
  EXPECT_EQ(process.kill().exit_code, 4);
}

TEST_P(EveryLevel, KillEndsWhateverItStarted) {
  const std::string mark = fresh_mark("bomb");
  // Each generation leaves its parent's session and process group.
  const std::string script = "bomb() { [ $1 -gt 0 ] || return; for i in 1 2 3; do setsid sh -c \"sleep 1000; : " + mark +
                             "\" & done; (bomb $(($1-1))) & }; bomb 8; echo ready; sleep 1000";
  SandboxedProcess process = shell(script, GetParam());
  for (int i = 0; i < 600 && count_marked(mark) < 20; ++i) {
    ::usleep(100000);
  }
  EXPECT_GE(count_marked(mark), 20);
  process.kill();
  EXPECT_EQ(count_marked(mark), 0);
}

TEST_P(EveryLevel, OrphansEndWithTheProcess) {
  const std::string mark = fresh_mark("orphan");
  SandboxedProcess process = shell("setsid sh -c 'sleep 1000; : " + mark + "' & sleep 0.2; exit 0", GetParam());
  EXPECT_EQ(process.wait(plenty).exit_code, 0);
  EXPECT_EQ(count_marked(mark), 0);
}

TEST_P(EveryLevel, EndsWithItsParent) {
  const std::string mark = fresh_mark("lonely");
  const pid_t parent = ::fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    SandboxedProcess process = shell("sleep 1000; : " + mark, GetParam());
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(parent, nullptr, 0);
  for (int i = 0; i < 600 && count_marked(mark) > 0; ++i) {
    ::usleep(100000);
  }
  EXPECT_EQ(count_marked(mark), 0);
}

TEST_P(EveryLevel, FreezesAndGoesOn) {
  SandboxedProcess process = shell("while :; do :; done", GetParam());
  process.freeze(true);
  for (int i = 0; i < 600 && process_state(process.pid()) != 'T'; ++i) {
    ::usleep(10000);
  }
  EXPECT_EQ(process_state(process.pid()), 'T');
  process.freeze(false);
  for (int i = 0; i < 600 && process_state(process.pid()) == 'T'; ++i) {
    ::usleep(10000);
  }
  EXPECT_NE(process_state(process.pid()), 'T');
  process.freeze(true);
  EXPECT_EQ(process.kill().signal, SIGKILL);
}

TEST_P(EveryLevel, WhoGoesOnWhileFrozenIsSeen) {
  SandboxedProcess process = shell("while :; do :; done", GetParam());
  for (int i = 0; i < 20; ++i) {
    process.freeze(true);
    ::usleep(1000);
    EXPECT_FALSE(process.woken());
    process.freeze(false);
    EXPECT_FALSE(process.woken());
    ::usleep(1000);
  }
  process.freeze(true);
  ::kill(process.pid(), SIGCONT);
  EXPECT_TRUE(process.woken());
  process.freeze(false);
  EXPECT_TRUE(process.woken()) << "until it is stopped again";
  process.freeze(true);
  EXPECT_FALSE(process.woken());
  ::kill(process.pid(), SIGCONT);
  ::usleep(20000);
  ::kill(process.pid(), SIGSTOP);
  ::usleep(20000);
  EXPECT_TRUE(process.woken()) << "though it stands again";
}

TEST_P(EveryLevel, TheSocketIsDescriptorThreeAndNothingElseIsOpen) {
  int sockets[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);  // on purpose not close-on-exec
  UniqueFd ours(sockets[0]);
  SandboxedProcess process("/bin/sh", {"-c", "echo hello >&3; for i in 0 1 2 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$i ] && echo $i; done"},
                           UniqueFd(sockets[1]), GetParam());
  char text[16] = {};
  EXPECT_EQ(::read(ours.get(), text, sizeof text), 6);
  EXPECT_STREQ(text, "hello\n");
  EXPECT_EQ(process.wait(plenty).exit_code, 1);  // of the last [ -e ]
  EXPECT_EQ(process.output(), "0\n1\n2\n3\n");
  EXPECT_EQ(::read(ours.get(), text, sizeof text), 0);  // and nobody else holds it
}

TEST_P(EveryLevel, StandardInputIsEmpty) {
  SandboxedProcess process = shell("wc -c", GetParam());
  process.wait(plenty);
  EXPECT_EQ(process.output(), "0\n");
}

TEST_P(EveryLevel, TheWorkingDirectoryIsEmptyWritableAndGoneAfterwards) {
  SandboxedProcess process = shell("ls -A; pwd; echo x > file && ls", GetParam());
  EXPECT_EQ(process.wait(plenty).exit_code, 0);
  const std::string output = process.output();
  const std::string directory = output.substr(0, output.find('\n'));
  EXPECT_THAT(output, ::testing::MatchesRegex("/[^\n]*\nfile\n"));
  EXPECT_FALSE(std::filesystem::exists(directory + "/file"));
}

TEST_P(EveryLevel, TheEnvironmentIsCleaned) {
  ::setenv("MSKB_TEST_SECRET", "secret", 1);
  SandboxedProcess process = shell("env", GetParam());
  process.wait(plenty);
  EXPECT_THAT(process.output(), ::testing::Not(HasSubstr("secret")));
  EXPECT_THAT(process.output(), HasSubstr("PATH="));
  ::unsetenv("MSKB_TEST_SECRET");
}

TEST_P(EveryLevel, AMissingProgramIsNamed) {
  try {
    SandboxedProcess process("/nowhere/program", {}, UniqueFd(), GetParam());
    FAIL() << "started";
  } catch (const HarnessError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/program"));
    EXPECT_THAT(error.what(), HasSubstr("No such file"));
  }
}

TEST_P(EveryLevel, CanBeMoved) {
  SandboxedProcess first = shell("sleep 1000", GetParam());
  const pid_t pid = first.pid();
  SandboxedProcess second = std::move(first);
  EXPECT_EQ(second.pid(), pid);
  second = shell("exit 5", GetParam());
  EXPECT_EQ(process_state(pid), '\0');
  EXPECT_EQ(second.wait(plenty).exit_code, 5);
}

TEST(SandboxLimits, AFileGrowsTo256MiBOnly) {
  SandboxedProcess process = shell("ulimit -f; ulimit -c; ulimit -n", SandboxLevel::limits);
  process.wait(plenty);
  EXPECT_EQ(process.output(), "524288\n0\n1024\n");  // blocks of 512 bytes
}

}  // namespace
}  // namespace mskb
