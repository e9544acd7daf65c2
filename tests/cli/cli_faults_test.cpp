// What a candidate can do wrong, each from the command line to its record: the verdict, one line of detail, every other row untouched.
#include "program.hpp"

#include "model/candidate.hpp"

namespace mskb {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Matcher;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::size_t check_cases = 7, smoke_cases = 2;

class Fault : public test::Program {
 protected:
  // Runs tests/fixtures/kernels/<name>.cu beside the reference, which must pass everywhere, and returns the candidate's evaluations.
  std::vector<Evaluation> evaluate(const std::string& name, int exit_code, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--candidate", test::kernel(name)});
    const test::Ended ended = mskb(test::run_words("run", more));
    EXPECT_EQ(ended.exit_code, exit_code) << ended.errors;
    EXPECT_EQ(ended.errors, "");
    EXPECT_THAT(ended.output, AllOf(HasSubstr("file:" + name + ".cu"), EndsWith("records: run\n")));
    std::vector<Evaluation> own;
    for (Evaluation& evaluation : read_run(path("run")).evaluations) {
      if (evaluation.origin == "reference") {
        EXPECT_EQ(evaluation.verdict, Verdict::passed) << evaluation.case_name << ": " << evaluation.detail;
      } else {
        own.push_back(std::move(evaluation));
      }
    }
    EXPECT_EQ(own.size(), check_cases + smoke_cases);
    return own;
  }

  // The same verdict at every case.
  void expect(const std::string& name, Verdict verdict, const Matcher<const std::string&>& detail, std::vector<std::string> more = {}) {
    for (const Evaluation& evaluation : evaluate(name, info(verdict).failure ? 1 : 0, std::move(more))) {
      EXPECT_EQ(evaluation.verdict, verdict) << evaluation.case_name;
      EXPECT_THAT(evaluation.detail, AllOf(detail, Not(HasSubstr("\n")))) << evaluation.case_name;
      EXPECT_FALSE(evaluation.timing);
    }
  }

  // The worker is lost at three cases; the rest is not run.
  void expect_lost(const std::string& name, Verdict verdict, const Matcher<const std::string&>& detail, std::vector<std::string> more = {}) {
    std::size_t cases = 0;
    for (const Evaluation& evaluation : evaluate(name, 1, std::move(more))) {
      const bool run = ++cases <= 3;
      EXPECT_EQ(evaluation.verdict, verdict) << evaluation.case_name;
      EXPECT_THAT(evaluation.detail, run ? detail : StartsWith("not run: 3 cases before it ended in a crash, a hang")) << evaluation.case_name;
    }
  }

  std::string kept_log(const std::string& name) const {
    return read_file(path("run") / "logs" / (candidate_from_file(test::kernel(name), "").id() + "-fp32.log"));
  }
};

TEST_F(Fault, None) { expect("right", Verdict::passed, IsEmpty()); }

TEST_F(Fault, NoneWhereHostThreadsLaunch) { expect("host_threads", Verdict::passed, IsEmpty()); }

TEST_F(Fault, SourceThatDoesNotCompile) {
  expect("does_not_compile", Verdict::build_failed,
         AllOf(StartsWith("does_not_compile.cu:5:"), HasSubstr("'undeclared_scale' was not declared")));
  EXPECT_THAT(kept_log("does_not_compile"), AllOf(StartsWith("command: "), HasSubstr("undeclared_scale")));
}

TEST_F(Fault, WrongSignature) {
  expect("wrong_signature", Verdict::build_failed,
         "entry point silu_and_mul has another type than expected: void silu_and_mul(const float* in, float* out, int B, int D)");
}

TEST_F(Fault, MissingEntryPoint) {
  expect("missing_entry_point", Verdict::build_failed, AllOf(StartsWith("entry point silu_and_mul"), HasSubstr("is missing: define ")));
}

TEST_F(Fault, EmptyFile) { expect("empty", Verdict::build_failed, "empty.cu is empty: it holds no code"); }

TEST_F(Fault, CrashOnTheHost) {
  expect_lost("host_crash", Verdict::crashed, StartsWith("signal 11 (Segmentation fault) during the call"));
}

TEST_F(Fault, CrashInAKernel) {
  expect_lost("device_crash", Verdict::crashed,
         HasSubstr("illegal memory access at address 0x10 in kernel wild, block (0,0,0), thread (2,0,0)"));
}

TEST_F(Fault, HangOnTheHost) {
  expect_lost("host_hang", Verdict::timed_out, "the call had not ended after 0.2 s and was killed", {"--hang-limit", "0.2s"});
}

TEST_F(Fault, HangInAKernel) {
  expect_lost("device_hang", Verdict::timed_out, "the call had not ended after 0.2 s and was killed", {"--hang-limit", "0.2s"});
}

TEST_F(Fault, HangWhileLoadingIsTriedOnce) {
  std::size_t cases = 0;
  for (const Evaluation& evaluation : evaluate("hangs_when_loaded", 1, {"--hang-limit", "0.2s"})) {
    EXPECT_EQ(evaluation.verdict, Verdict::timed_out) << evaluation.case_name;
    EXPECT_EQ(evaluation.detail, ++cases == 1 ? "while loading: the constructors of its static objects had not ended after 5.2 s and were killed"
                                              : "not run: at an earlier case it had not loaded in time");
  }
}

TEST_F(Fault, ClosesItsWorkersDescriptors) {
  expect_lost("closes_descriptors", Verdict::violation, "it closed its worker's connection to the harness, during loading the candidate");
}

TEST_F(Fault, TakesMoreMemoryThanItMay) {
  expect_lost("takes_memory", Verdict::crashed,
              ::testing::MatchesRegex("it held [0-9.]+ GiB of memory, more than its limit of [0-9.]+ GiB, and was killed during the call"),
              {"--hang-limit", "300s"});
}

TEST_F(Fault, HangAtOneCaseLeavesTheOthers) {
  for (const Evaluation& evaluation : evaluate("hangs_at_five_rows", 1, {"--hang-limit", "2s"})) {
    EXPECT_EQ(evaluation.verdict, evaluation.size.starts_with("5x") ? Verdict::timed_out : Verdict::passed) << evaluation.case_name;
  }
}

TEST_F(Fault, WriteOutOfBounds) {
  // One of the four bytes may be what the guard zone held.
  expect("out_of_bounds", Verdict::out_of_bounds,
         ::testing::MatchesRegex("[1-4] bytes? changed outside the buffers, first [1-4] bytes? past the end of out"));
}

TEST_F(Fault, WriteOutOfBoundsSanitizedNamesTheLine) {
  int line = 0;
  const std::vector<std::string> source = test::lines_of(read_file(test::kernel("out_of_bounds")));
  for (std::size_t i = 0; i < source.size(); ++i) {
    line = source[i].ends_with("// out of bounds") ? static_cast<int>(i) + 1 : line;
  }
  expect("out_of_bounds", Verdict::out_of_bounds,
         "out of bounds: AddressSanitizer: use-after-poison at out_of_bounds.cu:" + std::to_string(line), {"--sanitize"});
}

TEST_F(Fault, NeverWrites) {
  expect("never_writes", Verdict::incomplete, AllOf(StartsWith("out: "), HasSubstr("elements were never written")));
}

TEST_F(Fault, WritesNaN) { expect("writes_nan", Verdict::mismatch, AllOf(StartsWith("out["), HasSubstr("got nan, want "))); }

TEST_F(Fault, ModifiesItsInput) { expect("modifies_input", Verdict::modified_input, "1 element of the input in was changed"); }

TEST_F(Fault, TooMuchSharedMemory) {
  expect("too_much_shared_memory", Verdict::launch_failed,
         AllOf(StartsWith("too_much_shared_memory.cu:"), HasSubstr("4194304 bytes of dynamic shared memory")));
}

TEST_F(Fault, DivergentBarrier) {
  expect("divergent_barrier", Verdict::launch_failed,
         AllOf(StartsWith("divergent_barrier.cu:8: barrier_divergence in kernel diverge"), HasSubstr("barrier of line 6")));
}

TEST_F(Fault, Prints100MB) {
  expect("prints_100_mb", Verdict::passed, IsEmpty());
  std::uintmax_t bytes = 0;
  for (const auto& [name, size] : test::listing(path("run"))) {
    bytes += size;
  }
  EXPECT_LT(bytes, 1u << 20) << "what a candidate prints is not for the records";
}

TEST_F(Fault, ManyAtOnceHaveTheirOwnVerdicts) {
  std::vector<std::string> words;
  for (const char* name : {"never_writes", "device_crash", "right", "does_not_compile"}) {
    words.insert(words.end(), {"--candidate", test::kernel(name)});
  }
  EXPECT_EQ(mskb(test::run_words("run", words)).exit_code, 1);
  std::map<std::string, std::map<Verdict, std::size_t>> verdicts;
  for (const Evaluation& evaluation : read_run(path("run")).evaluations) {
    ++verdicts[evaluation.origin][evaluation.verdict];
  }
  using Counts = std::map<Verdict, std::size_t>;
  const std::size_t all = check_cases + smoke_cases;
  EXPECT_EQ(verdicts["reference"], (Counts{{Verdict::passed, all}}));
  EXPECT_EQ(verdicts["file:right.cu"], (Counts{{Verdict::passed, all}}));
  EXPECT_EQ(verdicts["file:never_writes.cu"], (Counts{{Verdict::incomplete, all}}));
  EXPECT_EQ(verdicts["file:device_crash.cu"], (Counts{{Verdict::crashed, all}}));
  EXPECT_EQ(verdicts["file:does_not_compile.cu"], (Counts{{Verdict::build_failed, all}}));
}

}  // namespace
}  // namespace mskb
