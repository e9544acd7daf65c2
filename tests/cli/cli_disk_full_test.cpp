// A disk that is full while records are appended: a small file system of its own, in namespaces that need no privileges.
#include "program.hpp"
#include "sandbox/process.hpp"

namespace mskb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class DiskFull : public test::Program {};

TEST_F(DiskFull, TheRecordsSoFarStandAndTheRunGoesOnWhenThereIsRoom) {
  if (strongest_sandbox() != SandboxLevel::full) {
    GTEST_SKIP() << "no namespaces here; test_store fills the disk below AppendFile instead";
  }
  // What a filler leaves is enough for kept logs and candidates, not for the records of all cases.
  const std::string mskb = std::string(MSKB_BINARY_DIR) + "/mskb", right = test::kernel("right");
  write_file_atomically(path("inside.sh"),
                        "set -e\n"
                        "mkdir disk\n"
                        "mount -t tmpfs -o size=8m none disk\n"
                        "head -c $((8 * 1024 * 1024 - 48 * 1024)) /dev/zero > disk/filler\n"
                        "run='" + mskb + " run --task silu_and_mul --precision fp32 --device cpu --candidate " + right +
                            " --out disk/run --sizes check --sizes smoke --sizes paper'\n"
                        "set +e\n"
                        "$run > first.out 2> first.err\n"
                        "echo $? > first.code\n"
                        "cp -r disk/run first\n"
                        "rm disk/filler\n"
                        "$run --resume > second.out 2> second.err\n"
                        "echo $? > second.code\n"
                        "cp -r disk/run second\n");
  const test::Ended ended = bash("unshare -Urm bash inside.sh");
  ASSERT_EQ(ended.exit_code, 0) << ended.errors;

  EXPECT_EQ(read_file(path("first.code")), "3\n");
  const std::string error = read_file(path("first.err"));
  EXPECT_EQ(test::lines_of(error).size(), 1u) << error;
  EXPECT_THAT(error, AllOf(StartsWith("mskb: the harness failed: disk full: disk/run/evaluations.jsonl"),
                           HasSubstr("the records so far are intact; free some space and go on with --resume")));
  const StoredRun first = read_run(path("first"));
  EXPECT_THAT(first.damage, IsEmpty());
  EXPECT_THAT(first.notes, IsEmpty());
  EXPECT_GE(first.evaluations.size(), 2u);

  EXPECT_EQ(read_file(path("second.code")), "0\n") << read_file(path("second.err"));
  const StoredRun second = read_run(path("second"));
  EXPECT_THAT(second.damage, IsEmpty());
  EXPECT_EQ(second.evaluations.size(), 2u * (7 + 2 + 12));
  for (std::size_t i = 0; i < first.evaluations.size(); ++i) {
    EXPECT_EQ(second.evaluations[i].id, first.evaluations[i].id);
  }
}

}  // namespace
}  // namespace mskb
