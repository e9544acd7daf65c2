#include <fstream>
#include <thread>

#include "build_fixture.hpp"

namespace mskb::testing {

class BuildCacheTest : public BuildTest {
 protected:
  BuildCacheTest() { count_compiler_runs(); }
};

TEST_F(BuildCacheTest, SecondBuildComesFromTheCache) {
  const BuildResult first = build(good_source);
  ASSERT_EQ(first.verdict, Verdict::passed) << first.detail;
  EXPECT_FALSE(first.cached);
  EXPECT_GT(first.seconds, 0);

  const BuildResult second = build(good_source);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.seconds, 0);
  EXPECT_EQ(second.object, first.object);
  EXPECT_EQ(second.log, first.log);
  EXPECT_EQ(compiler_runs(), 1);
}

TEST_F(BuildCacheTest, LogsDoNotNameTheCachesPlace) {
  const BuildResult built = build(good_source);
  const std::string log = read_file(built.log);
  EXPECT_THAT(log, HasSubstr(" -o mskb_shim.so\n"));
  EXPECT_THAT(log, Not(HasSubstr(built.log.parent_path().parent_path().string())));
}

TEST_F(BuildCacheTest, FailuresAreKept) {
  const std::string source = good_source + "int broken = nothing;\n";
  const BuildResult first = build(source), second = build(source);
  EXPECT_EQ(second.verdict, Verdict::build_failed);
  EXPECT_EQ(second.detail, first.detail);
  EXPECT_TRUE(second.cached);
  EXPECT_TRUE(std::filesystem::exists(second.log));
  EXPECT_TRUE(second.object.empty());
  EXPECT_EQ(compiler_runs(), 1);
}

TEST_F(BuildCacheTest, EverythingThatMattersChangesTheEntry) {
  std::vector<std::filesystem::path> objects;
  const auto add = [&](const Candidate& candidate) {
    const BuildResult result = build(candidate);
    EXPECT_EQ(result.verdict, Verdict::passed) << result.detail;
    objects.push_back(result.object);
  };
  add(candidate_of(good_source));
  add(candidate_of(good_source + "// more\n"));
  Candidate candidate = candidate_of(good_source);
  candidate.flags = {"-DX=1"};
  add(candidate);
  candidate.sources["more.cuh"] = "";
  add(candidate);
  options_.sanitize = true;
  add(candidate);
  std::sort(objects.begin(), objects.end());
  EXPECT_EQ(std::unique(objects.begin(), objects.end()), objects.end());
  EXPECT_EQ(compiler_runs(), 5);
}

TEST_F(BuildCacheTest, FilesAreNotTakenForFlags) {
  Candidate flags = candidate_of(good_source), files = flags;
  flags.flags = {"x.h", "// text"};
  files.sources["x.h"] = "// text";
  EXPECT_EQ(build(flags).verdict, Verdict::build_failed);
  EXPECT_EQ(build(files).verdict, Verdict::passed);
}

TEST_F(BuildCacheTest, BuildersOfTheSameCandidateShareOneCompilerRun) {
  constexpr int count = 4;
  std::vector<BuildResult> results(count);
  {
    std::vector<std::jthread> threads;
    for (int k = 0; k < count; ++k) {
      threads.emplace_back([this, &result = results[static_cast<std::size_t>(k)]] { result = build(good_source); });
    }
  }
  for (const BuildResult& result : results) {
    EXPECT_EQ(result.verdict, Verdict::passed) << result.detail;
    EXPECT_EQ(result.object, results.front().object);
  }
  EXPECT_EQ(compiler_runs(), 1);
}

TEST_F(BuildCacheTest, DamagedEntryIsBuiltAgain) {
  const BuildResult first = build(good_source);
  std::filesystem::resize_file(first.object, 100);
  const BuildResult second = build(good_source);
  EXPECT_EQ(second.verdict, Verdict::passed);
  EXPECT_FALSE(second.cached);
  EXPECT_GT(std::filesystem::file_size(second.object), 100u);

  std::ofstream(second.object.parent_path() / "build.json") << "{\"schema\": 1, \"verdict\"";
  EXPECT_FALSE(build(good_source).cached);
  std::filesystem::remove(second.object);
  EXPECT_FALSE(build(good_source).cached);
  EXPECT_EQ(compiler_runs(), 4);
  EXPECT_TRUE(build(good_source).cached);
}

TEST_F(BuildCacheTest, NothingIsLeftBesideTheEntries) {
  build(good_source);
  build(good_source + "int broken = nothing;\n");
  int entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(cache() / "builds")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
    EXPECT_NE(entry.path().extension(), ".lock");
    ++entries;
  }
  EXPECT_EQ(entries, 2);
}

TEST_F(BuildTest, TimeOutsAreNotKept) {
  const std::string marker = (folder() / "fast").string();
  use_compiler("[ -e '" + marker + "' ] || sleep 30\nexec g++ \"$@\"");
  options_.time_limit = std::chrono::milliseconds(300);
  const BuildResult slow = build(good_source);
  EXPECT_EQ(slow.verdict, Verdict::timed_out);
  EXPECT_TRUE(std::filesystem::exists(slow.log));

  std::ofstream{marker};
  options_.time_limit = std::chrono::seconds(60);
  EXPECT_EQ(build(good_source).verdict, Verdict::passed);
}

}  // namespace mskb::testing
