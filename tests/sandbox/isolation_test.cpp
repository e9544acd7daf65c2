#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/files.hpp"
#include "shell.hpp"

namespace mskb {
namespace {

class FullSandbox : public ::testing::Test {
 protected:
  void SetUp() override {
    if (strongest_sandbox() != SandboxLevel::full) {
      GTEST_SKIP() << "this system does not allow user namespaces";
    }
  }

  std::string output_of(const std::string& script) {
    SandboxedProcess process = shell(script, SandboxLevel::full);
    EXPECT_TRUE(process.wait(plenty).ended);
    return process.output();
  }
};

TEST_F(FullSandbox, HasNoNetwork) {
  EXPECT_EQ(output_of("tail -n +3 /proc/self/net/dev | grep -vc '^ *lo:'"), "0\n");
  EXPECT_EQ(output_of("tail -n +2 /proc/self/net/route | wc -l"), "0\n");
}

TEST_F(FullSandbox, IsAPidNamespaceOfItsOwn) {
  EXPECT_EQ(output_of("echo $$"), "2\n");
  EXPECT_EQ(output_of("kill -9 1; echo $?"), "0\n");  // the warden is the namespace's init: signals from inside do not reach it
  SandboxedProcess process = shell("sleep 1000", SandboxLevel::full);
  EXPECT_GT(process.pid(), 2);
}

TEST_F(FullSandbox, CannotWriteOutsideItsTemporaryFiles) {
  TemporaryDirectory directory;
  const std::string file = (directory.path() / "file").string();
  std::ofstream(file) << "text";
  EXPECT_EQ(output_of("cat " + file + " 2>/dev/null || echo hidden; ls -A /dev/shm"), "hidden\n");
  for (const char* place : {"/", "/usr", "/var/tmp", "/proc/sys/kernel"}) {
    EXPECT_EQ(output_of(std::string("echo x 2>/dev/null > ") + place + "/mskb-test-file && echo written"), "") << place;
  }
  EXPECT_EQ(output_of("(echo 1 > /proc/sys/kernel/core_uses_pid) 2>/dev/null || echo refused"), "refused\n");
  for (const char* place : {"/tmp", "/dev/shm"}) {
    EXPECT_EQ(output_of(std::string("stat -f -c %c ") + place), "65536\n") << "files that it may hold";
  }
  EXPECT_EQ(output_of("echo x > /tmp/file && cat /tmp/file; echo y > /dev/null && echo device"), "x\ndevice\n");
}

TEST_F(FullSandbox, HasNoDevicesButGpusAndWhatHoldsNothing) {
  EXPECT_EQ(output_of("ls /dev | grep -v -E '^(nvidia|dri$|dxg$)'"), "full\nnull\nrandom\nshm\nurandom\nzero\n");
  EXPECT_EQ(output_of("head -c 3 /dev/zero | wc -c; echo x > /dev/shm/file && cat /dev/shm/file"), "3\nx\n");
}

TEST_F(FullSandbox, EndsWhenItsWardenCannotWatch) {
  SandboxedProcess process = shell("prlimit --pid 1 --nofile=0:4096; sleep 1000", SandboxLevel::full);
  process.limit_memory(std::uint64_t{1} << 40);  // so that it looks now and then
  const ProcessEnd end = process.wait(plenty);
  EXPECT_TRUE(end.ended);
  EXPECT_EQ(end.signal, SIGKILL);
}

TEST_F(FullSandbox, FindsHiddenDirectoriesEmpty) {
  std::string name = "/var/tmp/mskb-hidden-XXXXXX";
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  std::ofstream(name + "/key") << "secret";
  EXPECT_EQ(output_of("cat " + name + "/key"), "secret");
  hide_from_sandbox(name);
  EXPECT_EQ(output_of("cat " + name + "/key 2>/dev/null || echo hidden; ls -A " + name), "hidden\n");
  std::filesystem::remove_all(name);
}

TEST_F(FullSandbox, HasNoCapabilities) {
  EXPECT_EQ(output_of("grep -h -E 'CapPrm|CapEff|CapBnd|NoNewPrivs' /proc/self/status | tr -d '\\t'"),
            "CapPrm:0000000000000000\nCapEff:0000000000000000\nCapBnd:0000000000000000\nNoNewPrivs:1\n");
  EXPECT_EQ(output_of("umount /tmp 2>/dev/null || echo refused"), "refused\n");
}

TEST_F(FullSandbox, CannotReadItsWardensMemory) {
  EXPECT_EQ(output_of("cat /proc/1/environ 2>/dev/null || echo refused; head -c 1 /proc/1/mem 2>/dev/null || echo refused"),
            "refused\nrefused\n");
}

TEST_F(FullSandbox, KeepsAProgramThatLiesInTmp) {
  TemporaryDirectory directory;
  const std::filesystem::path program = directory.path() / "deeper" / "program";
  std::filesystem::create_directory(program.parent_path());
  std::filesystem::copy_file("/bin/echo", program);
  SandboxedProcess process(program, {"kept"}, UniqueFd(), SandboxLevel::full);
  EXPECT_EQ(process.wait(plenty).exit_code, 0);
  EXPECT_EQ(process.output(), "kept\n");
}

}  // namespace
}  // namespace mskb
