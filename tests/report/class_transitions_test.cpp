#include "report/class_transitions.hpp"

#include <gmock/gmock.h>

#include "base/files.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// A transcript whose session had the original profiled, then a candidate that it submitted; an empty class: no profile.
void store(const fs::path& run, const std::string& problem, const std::string& before, const std::string& after) {
  const auto profile = [](const std::string& name) {
    return name.empty() ? std::string(R"("profile":null,"profile_reason":"counters are denied")")
                        : R"("profile":{"kind":"filtered","class":")" + name + R"("},"profile_reason":"")";
  };
  const auto evaluated = [&](int number, const std::string& text, const std::string& name) {
    const std::string id = "000000000000000" + std::to_string(number);
    return R"({"n":1,"t":1,"from":"optimizer","message":{"type":"evaluate","sources":{"k.cu":")" + text + R"("},"flags":[],"profile":true}})" +
           "\n" + R"({"n":2,"t":2,"from":"harness","message":{"type":"evaluation","id":")" + id + R"(","number":)" + std::to_string(number) +
           R"(,"verdict":"passed","detail":"","cases":[],)" + profile(name) + "}}\n";
  };
  const fs::path file = run / "transcripts" / (problem + ".jsonl");
  fs::create_directories(file.parent_path());
  write_file_atomically(
      file, R"({"schema":1,"run":"r","problem":")" + problem + R"(","optimizer":"o"})" + "\n" +
                R"({"n":0,"t":0,"from":"harness","message":{"type":"start","reference":{"main":"r.cu","sources":{"r.cu":"original"}}}})" + "\n" +
                evaluated(1, "original", before) + evaluated(2, "better", after) +
                R"({"n":9,"t":9,"from":"session","end":{"ending":"submitted","detail":"","id":"0000000000000002","spent":{}}})" + "\n");
}

TEST(ClassTransitions, CountsWhereClassesMoved) {
  const TemporaryDirectory run;
  store(run.path(), "a/fp32", "memory latency bound", "memory bandwidth bound");
  store(run.path(), "b/fp32", "memory latency bound", "memory bandwidth bound");
  store(run.path(), "c/fp32", "memory bandwidth bound", "memory bandwidth bound");
  store(run.path(), "d/fp32", "memory latency bound", "compute bound");
  store(run.path(), "e/fp32", "memory latency bound", "");
  store(run.path(), "f/fp32", "", "compute bound");
  const ClassTransitions transitions = class_transitions(read_sessions(run.path()));
  EXPECT_THAT(transitions.moves, ElementsAre(Pair(Pair("memory bandwidth bound", "memory bandwidth bound"), 1),
                                             Pair(Pair("memory latency bound", "compute bound"), 1),
                                             Pair(Pair("memory latency bound", "memory bandwidth bound"), 2)));
  EXPECT_EQ(transitions.unknown, 2);
  EXPECT_EQ(class_transition_grid(transitions).render(Format::csv),
            "before \\ after,compute bound,memory bandwidth bound,memory latency bound,problems\n"
            "compute bound,0,0,0,0\n"
            "memory bandwidth bound,0,1,0,1\n"
            "memory latency bound,1,2,0,3\n"
            "problems,1,3,0,4\n");
}

TEST(ClassTransitions, WithoutProfilesThereIsNoTable) {
  const TemporaryDirectory run;
  store(run.path(), "a/fp32", "", "");
  const ClassTransitions transitions = class_transitions(read_sessions(run.path()));
  EXPECT_TRUE(class_transition_grid(transitions).empty());
  EXPECT_EQ(transitions.unknown, 1);
}

}  // namespace
}  // namespace mskb
