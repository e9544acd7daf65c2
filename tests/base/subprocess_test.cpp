#include "base/subprocess.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/errors.hpp"
#include "base/files.hpp"

namespace mskb {
namespace {

SubprocessResult shell(const std::string& script, SubprocessOptions options = {}) {
  return run_subprocess({"sh", "-c", script}, options);
}

// Whether the process ends soon; a zombie counts as ended.
bool ends(pid_t pid) {
  for (int attempt = 0; attempt < 500; ++attempt) {
    if (::kill(pid, 0) != 0) return true;
    const std::string status = read_file("/proc/" + std::to_string(pid) + "/stat");
    if (status.find(") Z") != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(Subprocess, KeepsOutputErrorsAndExitCode) {
  const SubprocessResult result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.ok());
  EXPECT_TRUE(shell("true").ok());
}

TEST(Subprocess, ReportsTheSignal) {
  const SubprocessResult result = shell("kill -SEGV $$");
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.exit_code, -1);
}

TEST(Subprocess, KillsTheWholeGroupAtTheTimeLimit) {
  SubprocessOptions options;
  options.time_limit = std::chrono::milliseconds(300);
  const SubprocessResult result = shell("sleep 600 & echo $!; sleep 600", options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.ok());
  ASSERT_FALSE(result.output.empty());
  EXPECT_TRUE(ends(std::stoi(result.output)));
}

TEST(Subprocess, KillsWhatIsLeftBehind) {
  const SubprocessResult result = shell("sleep 600 & echo $!");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_FALSE(result.timed_out);
  EXPECT_TRUE(ends(std::stoi(result.output)));
}

TEST(Subprocess, CutsAHundredMegabytesOfOutput) {
  SubprocessOptions options;
  options.output_limit = 1000;
  const SubprocessResult result = shell("head -c 100000000 /dev/zero | tr '\\0' x; echo done >&2", options);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.output_cut);
  EXPECT_EQ(result.output, std::string(1000, 'x'));
  EXPECT_EQ(result.errors, "done\n");
}

TEST(Subprocess, GivesNoInput) { EXPECT_EQ(shell("cat; echo end").output, "end\n"); }

TEST(Subprocess, RunsInTheDirectory) {
  const TemporaryDirectory folder;
  SubprocessOptions options;
  options.directory = folder.path();
  EXPECT_EQ(shell("pwd -P", options).output, std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST(Subprocess, AProgramThatCannotStartIsAHarnessError) {
  EXPECT_THROW(run_subprocess({"no-such-program-here"}), HarnessError);
}

TEST(Subprocess, FindsProgramsOnThePath) {
  EXPECT_TRUE(program_exists("sh"));
  EXPECT_TRUE(program_exists("/bin/sh"));
  EXPECT_FALSE(program_exists("no-such-program-here"));
  EXPECT_FALSE(program_exists("/tmp"));
}

}  // namespace
}  // namespace mskb
