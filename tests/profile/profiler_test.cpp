// The process part of a profile: a script stands for ncu and a candidate runs under it on the CPU backend, on pages that are stored.
#include "profile/profiler.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "fixture.hpp"
#include "model/task_file.hpp"
#include "profile/ncu.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

// What the script does between the worker's end and its own: `worker` runs the worker.
const char* const writes_the_page = R"(worker
awk -F'","' -v skip="$skip" -v count="$count" 'NR <= 2 || (substr($1, 2) >= skip && substr($1, 2) < skip + count)' "$page" > "$report"
)";

class Profiler : public ::testing::Test {
 protected:
  Profiler() : path_(std::getenv("PATH")) {
    options_.home = MSKB_SOURCE_DIR;
    options_.cache = MSKB_TEST_CACHE;
    fs::create_directories(options_.cache);
    options_.backend = Backend::cpu;
    options_.needs_counters = false;
    options_.report = [this](const std::string& name, const std::string&) { reports_.push_back(name); };
    task_ = load_task(fs::path(MSKB_SOURCE_DIR) / "tasks/silu_and_mul");
    case_ = make_cases({&task_, Precision::fp32}, "smoke").at(0);
    candidate_ = reference_candidate(case_.problem);
  }
  ~Profiler() override { ::setenv("PATH", path_.c_str(), 1); }

  // An ncu on PATH that does `body` when it is to profile.
  void install(const std::string& body, const std::string& page = "synthetic-two-kernels") {
    const fs::path program = folder_.path() / "bin/ncu";
    fs::create_directories(program.parent_path());
    std::ofstream(program) << "#!/bin/bash\npage='" << MSKB_SOURCE_DIR << "/tests/profile/fixtures/" << page << ".csv'\nlog='"
                           << (folder_.path() / "log").string() << "'\n"
                           << R"sh(case "$1" in
  --version) echo "NVIDIA (R) Nsight Compute Command Line Profiler"; echo "Version 2099.1.0.0 (build 1)"; exit 0 ;;
  --import) cat "$2"; exit 0 ;;
esac
echo "$*" >> "$log"
while [ "${1#--}" != "$1" ]; do
  case "$1" in
    --export) report=$2; shift ;;
    --launch-skip) skip=$2; shift ;;
    --launch-count) count=$2; shift ;;
    --clock-control|--cache-control|--replay-mode|--section|--metrics) shift ;;
  esac
  shift
done
program=$1 ; device=$2 ; mode=$3
worker() { "$program" "$device" "$mode"; }
)sh" << body;
    fs::permissions(program, fs::perms::owner_all);
    ::setenv("PATH", (program.parent_path().string() + ":" + path_).c_str(), 1);
  }

  std::vector<std::string> commands() const {
    std::ifstream file(folder_.path() / "log");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
      lines.push_back(line);
    }
    return lines;
  }

  std::string reason() {
    const ProfileOutcome outcome = profile_candidate(options_, case_, candidate_);
    EXPECT_FALSE(outcome.profile);
    return outcome.reason;
  }

  TemporaryDirectory folder_;
  std::string path_;
  ProfilerOptions options_;
  Task task_;
  Case case_;
  Candidate candidate_;
  std::vector<std::string> reports_;
};

TEST_F(Profiler, TakesTheDurationsOfAllLaunchesAndTheCountersOfTheLongestOfEachKernel) {
  install(writes_the_page);
  const ProfileOutcome outcome = profile_candidate(options_, case_, candidate_);
  ASSERT_TRUE(outcome.profile) << outcome.reason;
  const Profile& profile = *outcome.profile;
  EXPECT_EQ(profile.tool, "ncu 2099.1.0.0");
  EXPECT_EQ(profile.case_name, "silu_and_mul/fp32/smoke/0");
  EXPECT_EQ(profile.sandbox, "limits");
  ASSERT_EQ(profile.kernels.size(), 2u);
  EXPECT_EQ(profile.kernels[0].launches, 2);
  EXPECT_EQ(profile.kernels[0].counters->grid, "(2048, 1, 1)") << "the longer of its launches";
  EXPECT_EQ(profile.kernels[1].counters->grid, "(1, 1, 1)");
  EXPECT_THAT(reports_, UnorderedElementsAre("launches", "kernel-1", "kernel-2"));
  const auto all = commands();
  ASSERT_EQ(all.size(), 3u);
  for (const std::string& command : all) {
    EXPECT_THAT(command, AllOf(HasSubstr("--clock-control none"), HasSubstr("mskb-worker-cpu 0 solo")));
  }
  EXPECT_THAT(all[0], AllOf(HasSubstr("--metrics gpu__time_duration.sum"), HasSubstr("--launch-skip 0 ")));
  EXPECT_THAT(all[1], AllOf(HasSubstr("--section SpeedOfLight"), HasSubstr("sm__instruction_throughput.avg.pct_of_peak_sustained_active"),
                            HasSubstr("--launch-skip 2 --launch-count 1 ")));
  EXPECT_THAT(all[2], HasSubstr("--launch-skip 1 --launch-count 1 "));
}

TEST_F(Profiler, ProfilesTheKernelsOfTheMostTime) {
  install(writes_the_page);
  options_.kernels = 1;
  const ProfileOutcome outcome = profile_candidate(options_, case_, candidate_);
  ASSERT_TRUE(outcome.profile) << outcome.reason;
  EXPECT_TRUE(outcome.profile->kernels[0].counters);
  EXPECT_FALSE(outcome.profile->kernels[1].counters);
  EXPECT_EQ(outcome.profile->kernels[1].reason, "only the 1 kernel of the most time is profiled");
}

TEST_F(Profiler, SaysThatCountersAreDenied) {
  install("worker\necho '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters'\nexit 1\n");
  EXPECT_THAT(reason(), HasSubstr("denies the device's counters to this user (ERR_NVGPUCTRPERM)"));
}

TEST_F(Profiler, SaysWhyNcuDidNotStartTheCandidate) {
  install("echo '==ERROR== the option is unknown' >&2\nexit 1\n");
  EXPECT_THAT(reason(), HasSubstr("the option is unknown"));
}

TEST_F(Profiler, SaysThatThereWasNoReport) {
  install("worker\n");
  EXPECT_EQ(reason(), "ncu made no report");
}

TEST_F(Profiler, EndsAProfilerThatOverstays) {
  install("worker\nsleep 1000\n");
  options_.time_limit = std::chrono::milliseconds(500);
  EXPECT_EQ(reason(), "ncu made no report");
}

TEST_F(Profiler, SaysThatAReportCannotBeRead) {
  install("worker\nhead -c 900 \"$page\" > \"$report\"\n");
  EXPECT_THAT(reason(), HasSubstr("it was cut off"));
}

TEST_F(Profiler, SaysThatNoKernelRan) {
  install("worker\nhead -n 2 \"$page\" > \"$report\"\n");
  EXPECT_EQ(reason(), "the call launched no kernel that ncu saw");
}

TEST_F(Profiler, SaysThatTheCandidateFailedUnderIt) {
  install(writes_the_page);
  candidate_.sources = {{"dies.cu", "#include <cstdlib>\nextern \"C\" void silu_and_mul(const float*, float*, int, int) { abort(); }\n"}};
  candidate_.main_source = "dies.cu";
  candidate_.origin = "file:dies.cu";
  EXPECT_THAT(reason(), HasSubstr("the candidate failed under the profiler"));
}

TEST_F(Profiler, SaysThatAKernelWasAnotherOneTheSecondTime) {
  install("worker\nhead -n 2 \"$page\" > \"$report\"\nif [ \"$count\" = 1 ]; then sed -n 4p \"$page\"; else sed -n '3,$p' \"$page\"; fi >> \"$report\"\n");
  const ProfileOutcome outcome = profile_candidate(options_, case_, candidate_);
  ASSERT_TRUE(outcome.profile) << outcome.reason;
  EXPECT_THAT(outcome.profile->kernels[0].reason, HasSubstr("launch 2 was of final_sum"));
  EXPECT_TRUE(outcome.profile->kernels[1].counters);
}

TEST_F(Profiler, HasAReasonWhereNcuIsAbsent) {
  const fs::path nvcc = folder_.path() / "nvcc";  // none lies beside it
  std::ofstream(nvcc) << "#!/bin/sh\n";
  fs::permissions(nvcc, fs::perms::owner_all);
  ::setenv("PATH", folder_.path().c_str(), 1);
  EXPECT_THAT(reason(), HasSubstr("ncu was found neither on PATH nor beside nvcc"));
}

TEST_F(Profiler, HasAReasonOnABackendWithoutCounters) {
  install(writes_the_page);
  options_.needs_counters = true;
  EXPECT_EQ(reason(), "the cpu backend has no hardware counters");
  EXPECT_TRUE(commands().empty());
}

}  // namespace
}  // namespace mskb
