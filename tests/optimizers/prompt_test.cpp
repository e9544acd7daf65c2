#include "common/prompt.hpp"

#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "base/files.hpp"

namespace mskb::agents {
namespace {

class PromptTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { write_file_atomically(folder_.path() / name, text); }
  std::string error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  TemporaryDirectory folder_;
};

TEST_F(PromptTest, FillsNamesAndLeavesOtherBraces) {
  write("coder.md", "{{task}}: {{ task }} {{1}} {{}} {{{task}}} float4 v = {{0, 0}};");
  const Prompts prompts(folder_.path());
  EXPECT_EQ(prompts.fill("coder", {{"task", "a{{b}}"}, {"spare", "x"}}), "a{{b}}: a{{b}} {{1}} {{}} {a{{b}}} float4 v = {{0, 0}};");
}

TEST_F(PromptTest, SaysWhereANameHasNoValue) {
  write("coder.md", "one\ntwo {{plan}}\n");
  const Prompts prompts(folder_.path());
  EXPECT_EQ(error_of([&] { prompts.fill("coder", {}); }),
            (folder_.path() / "coder.md").string() + ":2: {{plan}} has no value; remove it or correct its name");
  EXPECT_THAT(error_of([&] { prompts.fill("planner", {}); }), ::testing::HasSubstr("planner.md: this prompt is missing"));
}

TEST_F(PromptTest, BracesComeInPairsOnALine) {
  for (const char* line : {"{{task}", "{{task", "{task}}", "task}}", "{{task}} and {{plan", "}} {{", "{{\ntask}}"}) {
    write("coder.md", std::string("one\n") + line + "\n");
    EXPECT_THAT(error_of([&] { Prompts prompts(folder_.path()); }),
                ::testing::AllOf(::testing::StartsWith((folder_.path() / "coder.md").string() + ":2: "), ::testing::HasSubstr("write {{name}}, or put a space")))
        << line;
  }
}

TEST_F(PromptTest, ACheckFindsNamesWithoutAValue) {
  write("coder.md", "{{task}} {{plan}}");
  const Prompts prompts(folder_.path());
  EXPECT_EQ(error_of([&] { prompts.check({{"coder", {"task", "plan", "more"}}}); }), "");
  EXPECT_THAT(error_of([&] { prompts.check({{"coder", {"task"}}}); }), ::testing::HasSubstr("coder.md:1: {{plan}} has no value"));
  EXPECT_THAT(error_of([&] { prompts.check({{"planner", {}}}); }), ::testing::HasSubstr("planner.md: this prompt is missing"));
}

TEST_F(PromptTest, RefusesAFolderWithoutPrompts) {
  EXPECT_THAT(error_of([&] { Prompts prompts(folder_.path()); }), ::testing::HasSubstr("holds no prompt"));
  EXPECT_THAT(error_of([&] { Prompts prompts(folder_.path() / "none"); }), ::testing::HasSubstr("holds no prompt"));
}

TEST_F(PromptTest, TheVersionChangesWithAnyNameOrText) {
  write("a.md", "x");
  write("b.md", "y");
  const std::string first = Prompts(folder_.path()).version();
  EXPECT_EQ(first.size(), 16u);
  EXPECT_EQ(Prompts(folder_.path()).version(), first);
  write("notes.txt", "not a prompt");
  EXPECT_EQ(Prompts(folder_.path()).version(), first);
  write("b.md", "z");
  EXPECT_NE(Prompts(folder_.path()).version(), first);
  write("b.md", "y");
  std::filesystem::rename(folder_.path() / "b.md", folder_.path() / "c.md");
  EXPECT_NE(Prompts(folder_.path()).version(), first);
}

}  // namespace
}  // namespace mskb::agents
