#include "optimize/optimizer_file.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "base/errors.hpp"
#include "base/files.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OptimizerFileTest : public ::testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << text;
    return folder_.path() / name;
  }
  // Why mine/optimizer.yaml of this text is refused.
  std::string refusal(const std::string& text) {
    write("mine/optimizer.yaml", text);
    try {
      load_optimizer(folder_.path() / "mine");
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  TemporaryDirectory folder_;
};

TEST_F(OptimizerFileTest, ReadsAProgramWithItsCommandAndOptions) {
  write("mine/agent.py", "");
  write("mine/optimizer.yaml",
        "name: mine\nkind: program\ncommand: [python3, agent.py, --fast]\nsummary: tries\noptions:\n  rounds: 3\n  model:\n");
  const OptimizerFile optimizer = load_optimizer(folder_.path() / "mine");
  EXPECT_EQ(optimizer.kind, OptimizerKind::program);
  EXPECT_EQ(optimizer.summary, "tries");
  EXPECT_THAT(optimizer.command, ElementsAre("python3", (folder_.path() / "mine/agent.py").string(), "--fast"));
  EXPECT_EQ(optimizer.options.at("rounds"), "3");
  EXPECT_EQ(optimizer.options.at("model"), "");
  EXPECT_EQ(optimizer.with_options({{"rounds", "5"}}).at("rounds"), "5");
  EXPECT_THROW(optimizer.with_options({{"round", "5"}}), InputError);
}

TEST_F(OptimizerFileTest, ValuesThatAnOptionDoesNotTakeAreRefused) {
  write("mine/agent.py", "");
  write("mine/optimizer.yaml",
        "name: mine\nkind: program\ncommand: [python3, agent.py]\nsummary: tries\noptions:\n  rounds: {default: 3, whole: [1, 100]}\n"
        "  heat: {number: [0, 2]}\n  profile: {default: none, one_of: [none, full]}\n");
  const OptimizerFile optimizer = load_optimizer(folder_.path() / "mine");
  EXPECT_EQ(optimizer.options, (std::map<std::string, std::string>{{"rounds", "3"}, {"heat", ""}, {"profile", "none"}}));
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"rounds", "1"}, {"rounds", "100"}, {"rounds", ""}, {"heat", "0.5"}, {"heat", "2"}, {"profile", "full"}}) {
    EXPECT_EQ(optimizer.with_options({{key, value}}).at(key), value) << key << "=" << value;
  }
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{{"rounds", "0"},   {"rounds", "101"}, {"rounds", "2.5"},
                                                                                   {"rounds", "1x"},  {"rounds", "nan"}, {"heat", "-1"},
                                                                                   {"heat", "2.001"}, {"heat", "inf"},   {"profile", "most"}}) {
    EXPECT_THROW(optimizer.with_options({{key, value}}), InputError) << key << "=" << value;
  }
  try {
    optimizer.with_options({{"rounds", "0"}});
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "option rounds=0: optimizer mine does not take it; give a whole number from 1 to 100");
  }
}

TEST_F(OptimizerFileTest, EveryRefusalNamesPlaceAndMend) {
  const std::string program = "name: mine\nkind: program\nsummary: s\ncommand: [python3]\noptions:\n";
  EXPECT_THAT(refusal(program + "  rounds: {default: 0, whole: [1, 9]}\n"), HasSubstr("optimizer.yaml:6: the default of option rounds is '0'; write a whole"));
  EXPECT_THAT(refusal(program + "  rounds: {whole: 9}\n"), HasSubstr("optimizer.yaml:6: whole must be the least and the greatest value; write"));
  EXPECT_THAT(refusal(program + "  rounds: {whole: [9, 1]}\n"), HasSubstr("optimizer.yaml:6: whole goes from 9 to 1, where nothing lies; write"));
  EXPECT_THAT(refusal(program + "  rounds: {number: [0, 1e999]}\n"), HasSubstr("optimizer.yaml:6: number must be a number: "));
  EXPECT_THAT(refusal(program + "  rounds: {number: [0, 1e308*10]}\n"), HasSubstr("optimizer.yaml:6: number is inf, which is no finite number"));
  EXPECT_THAT(refusal(program + "  a=b: 3\n"), HasSubstr("optimizer.yaml:6: option 'a=b' cannot be given as --option name=value"));
  EXPECT_THAT(refusal(program + "  rounds: 3\n  rounds: 4\n"), HasSubstr("optimizer.yaml:7: key 'rounds' appears twice"));
  EXPECT_THAT(refusal("name: mine\nkind: identity\nsummary: \"\\e[31m\"\n"), HasSubstr("optimizer.yaml:3: summary holds the character U+001B"));
  EXPECT_THAT(refusal(std::string(100000, '[')), HasSubstr("optimizer.yaml:1: "));
  EXPECT_THAT(refusal(""), HasSubstr("optimizer.yaml:1: an optimizer.yaml must be a map"));
  EXPECT_THAT(refusal(program + "  rounds: {least: 9}\n"), HasSubstr("optimizer.yaml:6: unknown key 'least'"));
  EXPECT_THAT(refusal("name: mine\nkind: oracle\nsummary: s\n"), HasSubstr("optimizer.yaml:2: kind 'oracle' is unknown; write"));
  EXPECT_THAT(refusal("name: other\nkind: identity\nsummary: s\n"), HasSubstr("optimizer.yaml:1: name 'other' is not the folder's"));
  EXPECT_THAT(refusal("name: mine\nkind: identity\n"), HasSubstr("key 'summary' is missing"));
  EXPECT_THAT(refusal("name: mine\nkind: identity\nsummary: s\nbudget: 3\n"), HasSubstr("optimizer.yaml:4: unknown key 'budget'"));
  EXPECT_THAT(refusal("name: mine\nkind: program\nsummary: s\n"), HasSubstr("key 'command' is missing"));
  EXPECT_THAT(refusal("name: mine\nkind: program\nsummary: s\ncommand: python3\n"), HasSubstr("command must be a list"));
  EXPECT_THAT(refusal("name: mine\nkind: program\nsummary: s\ncommand: [no-such-program-here]\n"),
              HasSubstr("optimizer.yaml:4: command 'no-such-program-here' cannot be started"));
  EXPECT_THAT(refusal("name: mine\nkind: program\nsummary: s\ncommand: [/tmp]\n"), HasSubstr("optimizer.yaml:4: command '/tmp' cannot be started"));
  EXPECT_THAT(refusal("name: mine\nkind: directory\nsummary: s\ncommand: [python3]\n"), HasSubstr("belong to kind program"));
  EXPECT_THAT(refusal("name: [\n"), HasSubstr("malformed YAML"));
}

TEST_F(OptimizerFileTest, AFolderOfSourcesIsAnOptimizer) {
  write("theirs/silu_and_mul.cu", "x");
  const OptimizerFile optimizer = load_optimizer(folder_.path() / "theirs/");
  EXPECT_EQ(optimizer.name, "theirs");
  EXPECT_EQ(optimizer.kind, OptimizerKind::directory);
}

TEST_F(OptimizerFileTest, AFolderOfNeitherIsRefused) {
  fs::create_directories(folder_.path() / "empty");
  EXPECT_THROW(load_optimizer(folder_.path() / "empty"), InputError);
  EXPECT_THROW(load_optimizer(folder_.path() / "missing"), InputError);
}

TEST_F(OptimizerFileTest, IsFoundByNameOrByPath) {
  write("optimizers/one/optimizer.yaml", "name: one\nkind: identity\nsummary: s\n");
  write("elsewhere/two/a.cu", "x");
  EXPECT_EQ(find_optimizer(folder_.path(), "one").name, "one");
  EXPECT_EQ(find_optimizer(folder_.path(), (folder_.path() / "elsewhere/two").string()).name, "two");
  try {
    find_optimizer(folder_.path(), "three");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("three: is neither an optimizer (one) nor a directory"));
  }
}

TEST(Optimizers, ThoseOfThisCheckoutLoad) {
  // Programs of ours are built beside this test.
  for (const std::string& name : optimizer_names(MSKB_SOURCE_DIR)) {
    const OptimizerFile optimizer = load_optimizer(fs::path(MSKB_SOURCE_DIR) / "optimizers" / name);
    EXPECT_FALSE(optimizer.summary.empty()) << optimizer.name;
    EXPECT_TRUE(fs::exists(optimizer.directory / "README.md")) << optimizer.name;
  }
}

}  // namespace
}  // namespace mskb
