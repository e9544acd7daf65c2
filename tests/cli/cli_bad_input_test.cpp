// Wrong words and wrong task files: one line that says what, where and how to mend it, exit code 2, and nothing written.
#include <sys/resource.h>

#include <algorithm>

#include "program.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class BadInput : public test::Program {
 protected:
  void expect_run_refused(const std::vector<std::string>& more, const ::testing::Matcher<const std::string&>& line) {
    std::vector<std::string> words{"run", "--out", "run"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(words, line);
  }
};

TEST_F(BadInput, UnknownTaskNamesTheNearest) {
  expect_run_refused({"--task", "silly_and_mul", "--device", "cpu"},
                     AllOf(HasSubstr("--task silly_and_mul: no task has that name"), HasSubstr("did you mean 'silu_and_mul'?")));
  expect_refused({"show", "matrix_mull"}, AllOf(::testing::StartsWith("mskb: matrix_mull: no task"), HasSubstr("did you mean 'matrix_mul'?")));
  expect_refused({"check", "--task", "sortin"}, HasSubstr("did you mean 'sorting'?"));
}

TEST_F(BadInput, GlobThatMatchesNothing) {
  expect_run_refused({"--task", "zzz*", "--device", "cpu"}, HasSubstr("--task zzz*: no task has that name, glob, scenario or family"));
}

TEST_F(BadInput, UnknownCommandFlagOrValue) {
  expect_refused({}, HasSubstr("see mskb --help"));
  expect_refused({"measure"}, HasSubstr("measure is no command; commands are list, show, new, run, "));
  expect_refused({"optimize", "--optimizer", "identity", "--money", "much"}, HasSubstr("--money: 'much' is no number above 0"));
  expect_refused({"audit", "run", "--cases", "0"}, HasSubstr("--cases: '0' is no number above 0"));
  const std::vector<std::string> run{"--task", "silu_and_mul", "--device", "cpu"};
  const auto refused = [&](std::vector<std::string> more, const char* line) {
    more.insert(more.end(), run.begin(), run.end());
    expect_run_refused(more, HasSubstr(line));
  };
  refused({"--quickly"}, "--quickly; see mskb --help");
  refused({"--precision", "fp8"}, "--precision fp8: give fp32, bf16 or all");
  refused({"--sizes", "tiny"}, "--sizes: tiny not in {");
  refused({"--protocol", "fast"}, "--protocol: fast not in {");
  refused({"--jobs", "0"}, "--jobs: Value 0 not in range");
  refused({"--budget", "soon"}, "--budget: 'soon' is not a time");
  refused({"--hang-limit", "-1s"}, "--hang-limit: '-1s' is not a time");
  refused({"--key", "12"}, "key '12'");
  refused({"--baselines", "all"}, "--baselines: vendor libraries need a GPU");
  refused({"--optimizer", "nobody"}, "--optimizer nobody: is neither an optimizer");
  refused({"--candidate", "absent.cu"}, "absent.cu: cannot be read");
}

TEST_F(BadInput, UnknownDevice) {
  for (const char* device : {"gpu", "cuda:", "cuda:x", "cuda:-1"}) {
    expect_run_refused({"--task", "silu_and_mul", "--device", device}, HasSubstr("give auto, cuda, cuda:N or cpu"));
  }
}

TEST_F(BadInput, CandidateThatFitsNoChosenTask) {
  expect_run_refused({"--task", "llm", "--device", "cpu", "--candidate", test::kernel("right")},
                     HasSubstr("right.cu: no chosen task has that name; name it with --task"));
}

TEST_F(BadInput, CandidateWhoseNameCannotBeOnRecord) {
  for (const char* name : {"a\xFF.cu", "a\nb.cu", "a\xE2\x80\xAE" "b.cu", "mskb_shim.cu"}) {
    fs::copy_file(test::kernel("right"), path(name));
    expect_run_refused({"--task", "silu_and_mul", "--device", "cpu", "--candidate", path(name)}, HasSubstr("--candidate: file name '"));
  }
  for (const char* name : {"a.txt", "a", "/"}) {
    expect_run_refused({"--task", "silu_and_mul", "--device", "cpu", "--candidate", name}, HasSubstr("is no .cu file"));
  }
}

TEST_F(BadInput, EmptyValuesAreNotTakenForLeftOut) {
  for (const char* flag : {"--out", "--budget", "--key", "--candidate"}) {
    expect_refused({"run", "--task", "silu_and_mul", "--device", "cpu", flag, ""}, HasSubstr(std::string(flag) + ": the value is empty"));
  }
  expect_refused({"optimize", "--optimizer", "identity", "--device", "cpu", "--out", ""}, HasSubstr("--out: the value is empty"));
  expect_refused({"report", "run", "--out", ""}, HasSubstr("--out: the value is empty"));
}

TEST_F(BadInput, TheSameCandidateTwice) {
  const std::string file = test::kernel("right");
  expect_run_refused({"--task", "silu_and_mul", "--device", "cpu", "--candidate", file, "--candidate", file}, HasSubstr("--candidate " + file));
}

TEST_F(BadInput, ResumeWithoutADirectory) {
  expect_refused({"run", "--task", "silu_and_mul", "--device", "cpu", "--resume"}, HasSubstr("--resume: name the run to go on with by --out"));
}

TEST_F(BadInput, ARunIsNotOverwritten) {
  ASSERT_EQ(mskb(test::run_words("run", {"--sizes", "check"})).exit_code, 0);
  expect_refused(test::run_words("run", {}), HasSubstr("run: holds a run already; go on with --resume or choose another --out"));
}

TEST_F(BadInput, DirectoryThatCannotBeMade) {
  write_file_atomically(path("file"), "");
  expect_refused(test::run_words("file/run", {}), HasSubstr("file/run: cannot be created"));
}

TEST_F(BadInput, RunsAndEvaluationsThatAreNotThere) {
  expect_refused({"report", "nowhere"}, HasSubstr("nowhere: no run.yaml"));
  expect_refused({"compare", "nowhere", "neither"}, HasSubstr("nowhere: no run.yaml"));
  expect_refused({"rerun", "0123456789abcdef", "--from", "nowhere"}, HasSubstr("nowhere: no such directory"));
  expect_refused({"rerun", "0123456789abcdef", "--from", MSKB_SOURCE_DIR "/tests/golden"}, HasSubstr("evaluation '0123456789abcdef': none"));
  expect_refused({"rerun", "012", "--from", MSKB_SOURCE_DIR "/tests/golden"}, HasSubstr("give 4 digits at least"));
}

TEST_F(BadInput, AnOptimizerThatIsNotBuiltHidesNoOther) {
  fs::create_directories(path("home/optimizers/mine"));
  fs::create_directories(path("home/tasks"));
  write_file_atomically(path("home/optimizers/mine/optimizer.yaml"), "name: mine\nkind: program\ncommand: [not-built]\nsummary: s\n");
  fs::create_directory_symlink(fs::path(MSKB_SOURCE_DIR) / "optimizers/identity", path("home/optimizers/identity"));
  set_variable("MSKB_HOME", path("home"));
  const test::Ended ended = mskb({"list", "--optimizers"});
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("identity     proposes"), HasSubstr("mine         cannot be used: "), HasSubstr("optimizer.yaml:3: command 'not-built' cannot")));
}

// A checkout whose only task is a copy of a real one with one mistake in task.yaml.
class BadTask : public test::Program {
 protected:
  BadTask() {
    fs::create_directories(path("home/tasks"));
    for (const char* name : {"harness", "baselines", "optimizers"}) {
      fs::create_directory_symlink(fs::path(MSKB_SOURCE_DIR) / name, path("home") / name);
    }
    fs::copy(fs::path(MSKB_SOURCE_DIR) / "tasks/silu_and_mul", path("home/tasks/silu_and_mul"), fs::copy_options::recursive);
    set_variable("MSKB_HOME", path("home"));
  }

  // Returns the line on which the mistake stands.
  int replace(const std::string& what, const std::string& with) {
    const fs::path file = path("home/tasks/silu_and_mul/task.yaml");
    std::string text = read_file(file);
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), with);
    write_file_atomically(file, text);
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }

  void expect_task_refused(int line, const std::string& words) {
    const std::string place = line > 0 ? "tasks/silu_and_mul/task.yaml:" + std::to_string(line) + ":" : "tasks/silu_and_mul/task.yaml:";
    expect_refused(test::run_words("run", {}), AllOf(HasSubstr(place), HasSubstr(words)));
  }
};

TEST_F(BadTask, OtherTasksAreNotStopped) {
  fs::copy(fs::path(MSKB_SOURCE_DIR) / "tasks/dot_product", path("home/tasks/dot_product"), fs::copy_options::recursive);
  replace("reset: ", "# reset: ");
  const std::string error = "tasks/silu_and_mul/task.yaml:1: key 'reset' is missing";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"show", "dot_product"},
           {"list", "--task", "dot_product"},
           {"run", "--task", "dot_*", "--precision", "fp32", "--device", "cpu", "--sizes", "check", "--out", "run"},
           {"audit", "run", "--device", "cpu"}}) {
    const test::Ended ended = mskb(words);
    EXPECT_EQ(ended.exit_code, 0) << words[0] << ended.output << ended.errors;
    EXPECT_THAT(ended.errors, ::testing::StartsWith("mskb: left out: " + error)) << words[0];
    EXPECT_EQ(test::lines_of(ended.errors).size(), 1u) << ended.errors;
  }
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"list"}, {"check"}, {"show", "silu_and_mul"}, {"list", "--task", "silu*"}, {"help", "--tasks"}}) {
    expect_refused(words, HasSubstr(error));
  }
}

TEST_F(BadTask, TheCopyIsATask) { EXPECT_EQ(mskb({"show", "silu_and_mul"}).exit_code, 0); }

TEST_F(BadTask, MalformedYaml) {
  replace("scenario: llm", "scenario: [llm");
  expect_task_refused(0, "malformed YAML");
}

TEST_F(BadTask, MissingKey) {
  replace("reset: ", "# reset: ");
  expect_task_refused(0, "key 'reset' is missing in the task; add it (docs/task-format.md says what it holds)");
}

TEST_F(BadTask, UnknownKey) {
  const int line = replace("weight: B*D", "weihgt: B*D\nweight: B*D");
  expect_task_refused(line, "unknown key 'weihgt' in the task; did you mean 'weight'?");
}

TEST_F(BadTask, DivisionByZero) {
  const int line = replace("- [4, 64]", "- [4, 64]");
  replace("weight: B*D", "weight: D/(abs(B-4)+abs(D-64))");
  expect_task_refused(line, "case smoke/0: ");
  expect_task_refused(line, "divi");
}

TEST_F(BadTask, SizeBeyond2To31Elements) {
  const int line = replace("- [16, 1000]", "- [65536, 65536]");
  expect_task_refused(line, "case smoke/1: 'in' would hold 8589934592 elements; a buffer holds fewer than 2^31, so choose a smaller size");
}

TEST_F(BadTask, SizeOutsideTheDomain) {
  const int line = replace("- [16, 1000]", "- [0, 1000]");
  expect_task_refused(line, "size 0x1000 is outside `valid: B >= 1 and D >= 1`");
}

// The memory of the device is made small for the processes of this test.
TEST_F(BadTask, SizeBeyondTheMemoryIsSkipped) {
  replace("- [16, 1000]", "- [1000, 1000000]");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  const rlimit small{rlim_t{6} << 30, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &small), 0);
  const test::Ended ended = mskb(test::run_words("run", {"--candidate", test::kernel("right")}));
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  EXPECT_THAT(ended.output, HasSubstr("skipped (smoke/1): the case needs "));
  int skipped = 0;
  for (const Evaluation& evaluation : read_run(path("run")).evaluations) {
    const bool large = evaluation.case_name == "silu_and_mul/fp32/smoke/1";
    EXPECT_EQ(evaluation.verdict, large ? Verdict::skipped : Verdict::passed) << evaluation.case_name << ": " << evaluation.detail;
    skipped += large ? 1 : 0;
  }
  EXPECT_EQ(skipped, 2) << "reference and candidate";
}

}  // namespace
}  // namespace mskb
