// What no YAML file of ours may hold, whoever reads it.
#include "model/yaml_file.hpp"

#include <gmock/gmock.h>

#include "base/errors.hpp"

namespace mskb {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::string& text) {
  try {
    YamlFile::of_text(text, "a.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(YamlText, IsUtf8WithoutControlCharacters) {
  EXPECT_EQ(refusal("a: 1\nb: \xE9\n"), "a.yaml:2: byte 0xE9 is not UTF-8; save the file as UTF-8");
  EXPECT_EQ(refusal("a: 1\n\x04" "b: 2\n"), "a.yaml:2: holds the control character U+0004; delete it");
  EXPECT_EQ(refusal(std::string("a: \0", 4)), "a.yaml:1: holds the control character U+0000; delete it");
  EXPECT_EQ(refusal("# \x1B[31m\n"), "a.yaml:1: holds the control character U+001B; delete it");
  EXPECT_EQ(refusal("a: 1\rb: 2"), "a.yaml:1: holds the control character U+000D; delete it");
  EXPECT_EQ(refusal("\xEF\xBB\xBF" "a: \xC3\xA9\r\nb: 2\r\n"), "accepted");
  EXPECT_EQ(refusal(std::string((1 << 20) + 1, '#')), "a.yaml:1: has more than 1 MiB; name another file or write less");
}

TEST(YamlText, IsNotNestedDeeply) {
  const std::string deep = "a.yaml:1: is nested more than 32 levels deep; write fewer brackets";
  EXPECT_EQ(refusal("a: " + repeated("[", 31) + repeated("]", 31)), "accepted");
  EXPECT_EQ(refusal("a: " + repeated("[", 32) + repeated("]", 32)), deep);
  EXPECT_EQ(refusal(repeated("- ", 50000)), deep);
  for (const char* level : {"[", "{", "{a: ", "[\n", "? ", "- - ", "[[a"}) {
    EXPECT_THAT(refusal(repeated(level, 50000)), StartsWith("a.yaml:")) << level;
  }
}

TEST(YamlText, HoldsNothingThatIsReadAsSomethingElse) {
  const std::string alias = "a.yaml:1: anchors (&name) and aliases (*name) are not read; write the value where it is used, "
                            "an expression that begins with * in quotes";
  EXPECT_EQ(refusal("a: &x 1\nb: *x\n"), alias);
  EXPECT_EQ(refusal("a: &x [*x]\n"), alias);  // a list that holds itself
  EXPECT_EQ(refusal("a: *2\n"), alias);
  EXPECT_EQ(refusal("a: 1\nb: !!int 3\n"), "a.yaml:2: tags (!name) are not read; delete it, or write a text that begins with ! in quotes");
  const std::string second = "a second document begins here; indent this line as the first one, or delete the line --- or ... before it";
  EXPECT_THAT(refusal("a: 1\n---\nb: 2\n"), HasSubstr(second));
  EXPECT_THAT(refusal("a: 1\n...\nb: 2\n"), HasSubstr(second));
  EXPECT_EQ(refusal("---\na: 1\n"), "accepted");
  EXPECT_THAT(refusal("  a: 1\nb: 2\n"), StartsWith("a.yaml:2: "));
}

TEST(YamlText, HasEachKeyOnceAndAsText) {
  EXPECT_EQ(refusal("a: 1\nb: {c: 1, d: 2, 'c': 3}\n"), "a.yaml:2: key 'c' appears twice in one map; keep one");
  EXPECT_EQ(refusal("a: [{a: 1}, {a: 1}]\n"), "accepted");
  EXPECT_THAT(refusal(std::string(101, 'x') + ": 1\n"), StartsWith("a.yaml:1: a key has more than 100 bytes; "));
  for (const char* key : {"[a]: 1", "{a: 1}: 1", "~: 1", "'': 1", ": 1", "? [a]\n: 1"}) {
    EXPECT_EQ(refusal(key), "a.yaml:1: a key must be text; write one word or one quoted line") << key;
  }
}

TEST(YamlText, ThatIsEmptyHasALineToo) {
  const YamlFile file = YamlFile::of_text("", "a.yaml");
  try {
    YamlMap(file, file.root(), "the file");
    FAIL() << "an empty file is no map";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "a.yaml:1: the file must be a map of key: value");
  }
}

}  // namespace
}  // namespace mskb
