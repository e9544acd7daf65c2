#include <unistd.h>

#include <thread>

#include "base/errors.hpp"
#include "build_fixture.hpp"

namespace mskb::testing {

TEST_F(BuildTest, EmptySourcesAreNamed) {
  for (const char* source : {"", " \n\t\n", "None", "// nothing here\n/* nor here */\n"}) {
    const BuildResult result = build(source);
    EXPECT_EQ(result.verdict, Verdict::build_failed) << source;
    EXPECT_EQ(result.detail, "scale.cu is empty: it holds no code") << source;
    EXPECT_TRUE(std::filesystem::exists(result.log));
  }
}

TEST_F(BuildTest, MissingMainSourceIsNamed) {
  Candidate candidate = candidate_of(good_source);
  candidate.main_source = "other.cu";
  EXPECT_THAT(build(candidate).detail, HasSubstr("other.cu is not among the candidate's files"));
}

TEST_F(BuildTest, DetailIsTheFirstError) {
  const BuildResult result = build("#include <cstddef>\n\nint first = nothing;\nint second = nowhere;\n" + good_source);
  EXPECT_EQ(result.verdict, Verdict::build_failed);
  EXPECT_THAT(result.detail, StartsWith("scale.cu:3:"));
  EXPECT_THAT(result.detail, HasSubstr("nothing"));
  EXPECT_THAT(result.detail, Not(HasSubstr("nowhere")));
  EXPECT_THAT(result.detail, Not(HasSubstr("\n")));
}

TEST_F(BuildTest, LogKeepsCommandExitCodeAndMessages) {
  const std::string log = read_file(build("int first = nothing;\n" + good_source).log);
  EXPECT_THAT(log, StartsWith("command: g++ "));
  EXPECT_THAT(log, HasSubstr("\nexit: 1\n"));
  EXPECT_THAT(log, HasSubstr("--- output\n"));
  EXPECT_THAT(log, HasSubstr("'nothing' was not declared"));
}

TEST_F(BuildTest, TemplateBombEndsAtTheTimeLimit) {
  options_.time_limit = std::chrono::milliseconds(1500);
  const BuildResult result = build(
      "template <int N, unsigned long long M> struct Bomb {\n"
      "  static constexpr int value = Bomb<N - 1, 2 * M>::value + Bomb<N - 1, 2 * M + 1>::value;\n};\n"
      "template <unsigned long long M> struct Bomb<0, M> { static constexpr int value = 1; };\n"
      "int bang = Bomb<40, 1>::value;\n" +
      good_source);
  EXPECT_EQ(result.verdict, Verdict::timed_out);
  EXPECT_EQ(result.detail, "the compiler ran longer than 1500 ms and was stopped");
  EXPECT_THAT(read_file(result.log), HasSubstr("exit: stopped at the time limit"));
}

TEST_F(BuildTest, RefusedFlagIsAVerdict) {
  Candidate candidate = candidate_of(good_source);
  candidate.flags = {"-O3", "-fplugin=x.so"};
  const BuildResult result = build(candidate);
  EXPECT_EQ(result.verdict, Verdict::build_failed);
  EXPECT_THAT(result.detail, StartsWith("flag '-fplugin=x.so' is not one that a candidate may add"));
}

TEST_F(BuildTest, LargeSourcesAreAVerdict) {
  Candidate candidate = candidate_of(good_source);
  candidate.sources["a.cuh"] = std::string(256 * 1024, ' ');
  candidate.sources["b.cuh"] = std::string(256 * 1024 - good_source.size(), ' ');
  EXPECT_EQ(build(candidate).verdict, Verdict::passed);
  candidate.sources["b.cuh"] += ' ';
  const BuildResult result = build(candidate);
  EXPECT_EQ(result.verdict, Verdict::build_failed);
  EXPECT_EQ(result.detail, "the sources are 524289 bytes, more than the 524288 that a candidate may have; make them shorter");
}

TEST_F(BuildTest, DeepConditionIsAVerdict) {
  for (const std::string& condition : {std::string(80'000, '!') + "1", std::string(200'000, '(') + "1" + std::string(200'000, ')')}) {
    const BuildResult result = build(good_source + "#if " + condition + "\n#endif\n");
    EXPECT_EQ(result.verdict, Verdict::build_failed);
    EXPECT_EQ(result.detail, "scale.cu:4: a condition that is more than 256 levels deep");
  }
}

TEST_F(BuildTest, OnlyABaselineMayLinkLibraries) {
  Candidate candidate = candidate_of(good_source);
  candidate.libraries = {"m"};
  EXPECT_THAT(build(candidate).detail, HasSubstr("only a baseline may link a library"));
}

TEST_F(BuildTest, BaselineOnTheCpuIsSkipped) {
  const BuildResult result = build(candidate_of(good_source, "baseline:vendor"));
  EXPECT_EQ(result.verdict, Verdict::skipped);
  EXPECT_THAT(result.detail, HasSubstr("needs the cuda backend"));
}

TEST_F(BuildTest, FeatureThatTheCpuBackendLacksIsSkipped) {
  const BuildResult result =
      build("__global__ void k(int* p) {\n  asm volatile(\"mov.u32 %0, %laneid;\" : \"=r\"(*p));\n}\n" + good_source);
  EXPECT_EQ(result.verdict, Verdict::skipped) << result.detail;
  EXPECT_THAT(result.detail, StartsWith("needs "));
  EXPECT_THAT(result.detail, HasSubstr("(scale.cu:2)"));
}

TEST_F(BuildTest, SourceThatCannotBeTranslatedNamesItsLine) {
  const BuildResult result = build("__global__ void k() {}\nvoid f() {\n  k<<<1, 1>(\n}\n" + good_source);
  EXPECT_EQ(result.verdict, Verdict::build_failed);
  EXPECT_THAT(result.detail, StartsWith("scale.cu:3:"));
}

TEST_F(BuildTest, MissingCompilerIsWrongUse) {
  options_.compiler = folder() / "no-such-compiler";
  EXPECT_THROW(build(good_source), InputError);
}

class CompilerInARoom : public BuildTest {
 protected:
  void SetUp() override {
    if (strongest_sandbox() != SandboxLevel::full) {
      GTEST_SKIP() << "user namespaces are not allowed here";
    }
    write_file_atomically(secret_.path() / "secret.h", "int key = 42;\n");
  }

  CompilerRun run(const std::vector<std::string>& argv, SandboxLevel sandbox) {
    return run_compiler(argv, {.directory = work_.path(), .sandbox = sandbox, .readable = {}}, std::chrono::seconds(60));
  }
  CompilerRun shell(const std::string& script, SandboxLevel sandbox = SandboxLevel::full) { return run({"sh", "-c", script}, sandbox); }

  TemporaryDirectory work_, secret_;
};

TEST_F(CompilerInARoom, SeesTheSystemAndItsOwnFolderAlone) {
  const std::string ours = std::string(MSKB_SOURCE_DIR) + "/CMakeLists.txt";
  for (const std::string& path : {(secret_.path() / "secret.h").string(), ours, std::string("/etc/passwd")}) {
    write_file_atomically(work_.path() / "probe.cpp", "#include \"" + path + "\"\n");
    EXPECT_EQ(run({"g++", "-E", "probe.cpp"}, SandboxLevel::none).verdict, Verdict::passed) << path;
    const CompilerRun inside = run({"g++", "-E", "probe.cpp"}, SandboxLevel::full);
    EXPECT_EQ(inside.verdict, Verdict::build_failed) << path;
    EXPECT_THAT(inside.detail, HasSubstr("No such file")) << path;
  }
}

TEST_F(CompilerInARoom, WritesIntoItsOwnFolderAlone) {
  EXPECT_EQ(shell("echo made > object.so").verdict, Verdict::passed);
  EXPECT_EQ(read_file(work_.path() / "object.so"), "made\n");
  EXPECT_EQ(shell("echo made > /usr/mskb-probe").verdict, Verdict::build_failed);
  shell("echo made > '" + (secret_.path() / "planted").string() + "'");
  EXPECT_FALSE(std::filesystem::exists(secret_.path() / "planted"));
}

TEST_F(CompilerInARoom, MayWorkInADirectoryThatNothingCovers) {
  const std::filesystem::path directory = "/opt/mskb-test-" + std::to_string(::getpid());
  std::error_code error;
  if (!std::filesystem::create_directory(directory, error)) {
    GTEST_SKIP() << "no directory can be made in /opt";
  }
  const CompilerRun run = run_compiler({"sh", "-c", "echo made > object.so && ! touch ../other"},
                                       {.directory = directory, .sandbox = SandboxLevel::full, .readable = {}}, std::chrono::seconds(60));
  EXPECT_EQ(run.verdict, Verdict::passed) << run.output;
  EXPECT_TRUE(std::filesystem::exists(directory / "object.so"));
  std::filesystem::remove_all(directory);
}

TEST_F(CompilerInARoom, HasNoNetworkAndSeesNoOtherProcess) {
  EXPECT_EQ(shell("test $(grep -c : /proc/net/dev) -le 1").verdict, Verdict::passed) << "only the loopback device";
  EXPECT_EQ(shell("test -d /proc/" + std::to_string(::getpid()), SandboxLevel::none).verdict, Verdict::passed);
  EXPECT_EQ(shell("test $(ls -d /proc/[0-9]* | wc -l) -le 5").verdict, Verdict::passed);
}

TEST_F(CompilerInARoom, TemporaryFilesWithoutEndAreTheCandidatesFault) {
  const CompilerRun run = shell("for i in 1 2 3; do head -c 120000000 /dev/zero > /tmp/$i || exit 1; done");
  EXPECT_EQ(run.verdict, Verdict::build_failed);
  EXPECT_THAT(run.output, HasSubstr("No space left on device"));
}

TEST_F(CompilerInARoom, OutputIsBoundedAndTheCompilerIsNotBlocked) {
  const CompilerRun run = shell("head -c 50000000 /dev/zero | tr '\\0' 'e'; exit 1");
  EXPECT_EQ(run.verdict, Verdict::build_failed);
  EXPECT_LE(run.output.size(), std::size_t{2} << 20);
  EXPECT_THAT(run.log, HasSubstr("--- cut here"));
}

TEST_F(CompilerInARoom, EndsAtTheTimeLimitWithAllThatItStarted) {
  const CompilerRun run = run_compiler({"sh", "-c", "(sleep 1; echo late > late.txt) & sleep 30"},
                                       {.directory = work_.path(), .sandbox = SandboxLevel::full, .readable = {}}, std::chrono::milliseconds(300));
  EXPECT_EQ(run.verdict, Verdict::timed_out);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_FALSE(std::filesystem::exists(work_.path() / "late.txt"));
}

TEST_F(BuildTest, WantOfProcessesIsTheHarnessesFault) {
  use_compiler("echo 'g++: fatal error: cannot execute cc1plus: vfork: Resource temporarily unavailable' >&2\nexit 1");
  EXPECT_THROW(build(good_source), HarnessError);
}

TEST_F(BuildTest, WantOfProcessesThatPassesIsForgotten) {
  const TemporaryDirectory folder;
  const std::string once = (folder.path() / "once").string();
  use_compiler("[ -e '" + once + "' ] || { touch '" + once + "'; echo 'nvcc fatal : Failed to preprocess host compiler properties.'; exit 1; }\nexec g++ \"$@\"");
  EXPECT_EQ(build(good_source).verdict, Verdict::passed);
}

TEST_F(BuildTest, ASourceThatSpeaksOfProcessesIsAtFaultItself) {
  EXPECT_THAT(build("#error Resource temporarily unavailable\n" + good_source).detail, HasSubstr("#error Resource temporarily unavailable"));
}

TEST_F(BuildTest, FullDiskIsTheHarnessesFault) {
  use_compiler("echo 'scale.cu: error: error writing to /tmp/x.s: No space left on device' >&2\nexit 1");
  EXPECT_THROW(build(good_source), HarnessError);
}

}  // namespace mskb::testing
