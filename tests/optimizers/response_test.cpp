#include "common/response.hpp"

#include <gmock/gmock.h>

namespace mskb::agents {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kernel =
    "__global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }\n"
    "extern \"C\" void twice(float* x, int n) {\n  k<<<1, 256>>>(x, n);\n}\n";

std::string fenced(const std::string& code, const std::string& language = "cuda") { return "```" + language + "\n" + code + "```\n"; }

TEST(Response, OneFence) { EXPECT_EQ(kernel_in("Here it is.\n\n" + fenced(kernel) + "It is fast.", "twice").source, kernel); }

TEST(Response, TheBlockThatDefinesTheEntryPointAmongSeveral) {
  const std::string answer = "First:\n" + fenced("#define N 4\n") + "then\n" + fenced(kernel, "cpp") + "Call it so:\n" +
                             fenced("twice(x, n);\n") + "and build it:\n" + fenced("nvcc -O3 twice.cu\n", "bash");
  EXPECT_EQ(kernel_in(answer, "twice").source, kernel);
}

TEST(Response, ANameOfManyLettersCostsNoStack) {
  const std::string longest(4000000, 'a');
  const std::string code = "extern" + std::string(1000000, ' ') + "\"C\" void " + longest + "(int x) {}\n";
  EXPECT_THAT(kernel_in(fenced(code), "twice").source.value_or(""), HasSubstr("void twice(int x)"));
}

TEST(Response, OnlyTheWholeNameIsRenamed) {
  const std::string code = "__global__ void my_k() {}\nextern \"C\" void my(float* x, int n) {\n  my_k<<<1, 1>>>(); // my way\n}\n";
  EXPECT_EQ(kernel_in(fenced(code), "twice").source,
            "__global__ void my_k() {}\nextern \"C\" void twice(float* x, int n) {\n  my_k<<<1, 1>>>(); // twice way\n}\n");
}

TEST(Response, TheLastOfTwoVersions) {
  const std::string newer = "// second version\n" + kernel;
  EXPECT_EQ(kernel_in("Before:\n" + fenced(kernel) + "After:\n" + fenced(newer), "twice").source, newer);
}

TEST(Response, ADeclarationOrACallIsNoDefinition) {
  const auto answer = kernel_in(fenced("void twice(float* x, int n);\nint main() { twice(0, 0); }\n// twice() {\n"), "twice");
  EXPECT_FALSE(answer.source);
  EXPECT_THAT(answer.problem, HasSubstr("no code block defines the function twice"));
}

TEST(Response, NoFence) {
  EXPECT_EQ(kernel_in(kernel, "twice").source, kernel);
  EXPECT_EQ(kernel_in("The kernel follows.\n\n" + kernel + "\nThis should be fast\n", "twice").source, kernel);
}

TEST(Response, NoCode) {
  const auto answer = kernel_in("I am afraid that nothing can be gained here.", "twice");
  EXPECT_FALSE(answer.source);
  EXPECT_THAT(answer.problem, HasSubstr("holds no code"));
}

TEST(Response, WindowsLineEnds) {
  std::string answer = "Here:\n" + fenced(kernel);
  for (std::size_t at = 0; (at = answer.find('\n', at)) != std::string::npos; at += 2) {
    answer.insert(at, "\r");
  }
  EXPECT_EQ(kernel_in(answer, "twice").source, kernel);
}

TEST(Response, AFenceThatWasNotClosedThoughTheCodeIsWhole) { EXPECT_EQ(kernel_in("```cuda\n" + kernel, "twice").source, kernel); }

TEST(Response, CodeThatEndsInTheMiddle) {
  for (const std::size_t cut : {kernel.size() - 3, kernel.size() / 2, std::size_t{30}}) {
    for (const std::string before : {"```cuda\n", ""}) {
      const auto answer = kernel_in(before + kernel.substr(0, cut), "twice");
      EXPECT_FALSE(answer.source) << cut;
      EXPECT_THAT(answer.problem, HasSubstr("ends in the middle")) << cut;
    }
  }
}

TEST(Response, AnOlderWholeVersionIsBetterThanACutOne) {
  EXPECT_EQ(kernel_in(fenced(kernel) + "Better:\n```cuda\n// 2\n" + kernel.substr(0, 60), "twice").source, kernel);
}

TEST(Response, AWrongNameIsCorrected) {
  std::string other = kernel;
  other.replace(other.find("twice"), 5, "Twice_Kernel_Launch");
  const auto answer = kernel_in(fenced(other), "twice");
  EXPECT_EQ(answer.source, kernel);
  EXPECT_EQ(answer.renamed_from, "Twice_Kernel_Launch");
  const auto braces = kernel_in(fenced("extern \"C\" {\n__global__ void k(int) { }\nvoid launch(float* x) { k<<<1,1>>>(1); }\n}\n"), "twice");
  EXPECT_EQ(braces.renamed_from, "launch");
}

TEST(Response, AmongTwoWrongNamesNoneIsChosen) {
  const auto answer = kernel_in(fenced("extern \"C\" void one() {}\nextern \"C\" void two() {}\n"), "twice");
  EXPECT_FALSE(answer.source);
  EXPECT_THAT(answer.problem, HasSubstr("found: one, two"));
}

TEST(Response, TheSuffixedNameIsTheEntryPointToo) {
  std::string other = kernel;
  other.replace(other.find("twice"), 5, "twice_optimized");
  const auto answer = kernel_in(fenced(other), "twice");
  EXPECT_EQ(answer.source, other);
  EXPECT_EQ(answer.renamed_from, "");
}

TEST(Response, ANameThatOnlyContainsTheEntryPointIsNotIt) {
  EXPECT_EQ(kernel_in(fenced("extern \"C\" void not_twice(int) {}\n"), "twice").renamed_from, "not_twice");
}

TEST(Response, FencesOfAllKinds) {
  EXPECT_EQ(kernel_in("~~~~ CUDA\n" + kernel + "~~~~\n", "twice").source, kernel);
  EXPECT_EQ(kernel_in("````cpp title=\"a.cu\"\n" + kernel + "````\n", "twice").source, kernel);
  EXPECT_EQ(kernel_in("1. The kernel: ```cuda\n" + kernel + "```", "twice").source, kernel);
  std::string joined = kernel;
  joined.pop_back();
  EXPECT_EQ(kernel_in("```cuda\n" + joined + "```", "twice").source, kernel);
  const auto blocks = code_blocks("```C++\na\n```\n~~~\n```\n~~~\n");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].language, "c++");
  EXPECT_EQ(blocks[1].text, "```\n");
}

TEST(Response, AVeryLongLineIsNoTrouble) {
  const std::string table = "const int t[] = {" + std::string(2000000, '1') + "};\n";
  EXPECT_EQ(kernel_in(fenced(table + kernel), "twice").source, table + kernel);
  EXPECT_FALSE(json_in("{\"a\": \"" + std::string(2000000, 'x')));
  EXPECT_TRUE(flags_in(std::string(2000000, '`')).empty());
}

TEST(Response, JsonWithinProse) {
  EXPECT_EQ(json_in("Sure! {not json} My plan: {\"steps\": [\"tile } it\", \"unroll\"],} Good luck.")->at("steps")[0], "tile } it");
  EXPECT_EQ(json_in("```json\n{\n  // why\n  \"a\": 1\n}\n```\n")->at("a"), 1);
  EXPECT_EQ(json_in("[1, 2]")->size(), 2u);
  EXPECT_FALSE(json_in("nothing but prose and x[i]"));
  EXPECT_FALSE(json_in("{\"cut\": [1, 2"));
}

TEST(Response, FlagsFromJsonListsProseAndCommands) {
  EXPECT_THAT(flags_in("{\"flags\": [\"-use_fast_math\", \"-Xptxas -O3\"], \"why\": \"x\"}"), ElementsAre("-use_fast_math", "-Xptxas -O3"));
  EXPECT_THAT(flags_in("```json\n[\"--fmad=true\"]\n```"), ElementsAre("--fmad=true"));
  EXPECT_THAT(flags_in("I choose:\n- `--use_fast_math`: faster division\n- `-O3`\n* -lineinfo: for profiles\n"),
              ElementsAre("--use_fast_math", "-O3", "-lineinfo"));
  EXPECT_THAT(flags_in("```\n-O3 --maxrregcount=64 -O3\n-Xptxas -dlcm=ca\n```"), ElementsAre("-O3", "--maxrregcount=64", "-Xptxas -dlcm=ca"));
  EXPECT_THAT(flags_in("--use_fast_math\n"), ElementsAre("--use_fast_math"));
  EXPECT_THAT(flags_in("{\"flags\": []}"), ElementsAre());
  EXPECT_THAT(flags_in("No flags are needed - the kernel is bound by memory-latency.\n- none\n"), ElementsAre());
}

}  // namespace
}  // namespace mskb::agents
