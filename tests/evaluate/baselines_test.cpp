#include "evaluate/baselines.hpp"

#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "base/files.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::StartsWith;

class Libraries : public testing::Test {
 protected:
  void write(const std::string& text, const std::string& folder = "mathlib") const {
    fs::create_directories(folder_.path() / "baselines" / folder);
    write_file_atomically(folder_.path() / "baselines" / folder / "library.yaml", text);
  }
  std::string refusal(const std::string& text, const std::string& folder = "mathlib") const {
    write(text, folder);
    try {
      load_baseline_libraries(folder_.path());
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  TemporaryDirectory folder_;
  std::string whole_ = "library: mathlib\nsummary: sums\nlink: [m]\nloads: [libm.so]\nheaders: []\ngaps: {sum/bf16: no BF16}\n";
};

TEST_F(Libraries, AreReadWhole) {
  write(whole_);
  const std::vector<BaselineLibrary> libraries = load_baseline_libraries(folder_.path());
  ASSERT_EQ(libraries.size(), 1u);
  EXPECT_EQ(libraries[0].name, "mathlib");
  EXPECT_THAT(libraries[0].link, ElementsAre("m"));
  EXPECT_THAT(libraries[0].loads, ElementsAre("libm.so"));
  EXPECT_EQ(libraries[0].gaps.at("sum/bf16"), "no BF16");
  EXPECT_EQ(load_baseline_libraries(MSKB_SOURCE_DIR).size(), 5u);
}

TEST_F(Libraries, AreRefusedWithPlaceAndMend) {
  const std::string file = "baselines/mathlib/library.yaml:";
  EXPECT_EQ(refusal(""), file + "1: a library must be a map of key: value");
  EXPECT_EQ(refusal("just text"), file + "1: a library must be a map of key: value");
  EXPECT_EQ(refusal("library: mathlib\n"), file + "1: key 'summary' is missing in a library; add it (docs/task-format.md says what it holds)");
  EXPECT_EQ(refusal(whole_ + "lnik: []\n"), file + "7: unknown key 'lnik' in a library; did you mean 'link'?");
  EXPECT_EQ(refusal(whole_ + "link: []\n"), file + "7: key 'link' appears twice in one map; keep one");
  EXPECT_EQ(refusal("library: mathlib\nsummary: sums\nlink: m\n"), file + "3: link must be a list");
  EXPECT_EQ(refusal("library: other\n"), file + "1: library 'other' is not the directory's name; rename one of them");
  EXPECT_EQ(refusal("library: mathlib\nsummary: \"\\e[31m\"\n"),
            file + "2: summary holds the character U+001B, which one line cannot show; write one line without it");
  EXPECT_THAT(refusal("library: " + std::string(100000, '[')), StartsWith(file + "1: "));
  write(whole_);
  EXPECT_EQ(refusal("library: a b\n", "a b"),
            "baselines/a b/library.yaml:1: library 'a b' is not one word of letters, digits and _; rename it and its directory");
}

}  // namespace
}  // namespace mskb
