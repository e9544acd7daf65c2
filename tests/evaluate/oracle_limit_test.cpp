// A task whose oracle does not end.
#include <gmock/gmock.h>

#include <filesystem>

#include "base/files.hpp"
#include "evaluate/check_run.hpp"
#include "model/task_file.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;

TEST(OracleLimit, AnOracleThatDoesNotEndIsNamed) {
  const TemporaryDirectory home;
  const fs::path source = MSKB_SOURCE_DIR, task = home.path() / "tasks/rms_norm";
  fs::create_directories(home.path() / "tasks");
  for (const char* name : {"harness", "baselines", "optimizers"}) {
    fs::create_directory_symlink(source / name, home.path() / name);
  }
  fs::copy(source / "tasks/rms_norm", task, fs::copy_options::recursive);
  std::string oracle = read_file(task / "oracle.hpp");
  const std::string from = "const double r = ";
  write_file_atomically(task / "oracle.hpp",
                        oracle.insert(oracle.find(from), "for (volatile bool on = true; on;) {\n    }\n    "));
  EvaluatorOptions options;
  options.home = home.path();
  options.cache = MSKB_TEST_CACHE;
  options.sandbox = strongest_sandbox();
  options.timing = false;
  options.key = RunKey::draw();
  options.run_id = "0123456789ab";
  options.oracle_limit = std::chrono::seconds(1);
  const std::vector<Task> tasks = load_tasks(home.path());
  try {
    check_problems(options, {Problem{&tasks.front(), Precision::fp32}}, "smoke", CheckSink());
    FAIL() << "it ended";
  } catch (const OracleFailed& failed) {
    EXPECT_THAT(failed.what(), ::testing::HasSubstr("tasks/rms_norm/oracle.hpp: problem rms_norm/fp32, case rms_norm/fp32/"));
    EXPECT_THAT(failed.what(), ::testing::HasSubstr("the oracle had not ended after 1 s; mend it"));
  }
}

}  // namespace
}  // namespace mskb
