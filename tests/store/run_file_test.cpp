#include "store/run_file.hpp"

#include <gmock/gmock.h>

#include <locale>

#include "base/errors.hpp"
#include "samples.hpp"

namespace mskb {
namespace {

using testing::HasSubstr;

std::string fault_of(const std::string& text) {
  try {
    parse_run_yaml(text, "run.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(RunFile, RoundTrips) {
  mskb::Run run = samples::run();
  run.key = "0x1e5";
  run.tool_commit = "null";
  run.command.push_back("\x1B\t\n\x7F");  // what a shell may hand over
  run.figures = {{"share: of wall time", "0.5 # half"}, {"~", "true"}, {"empty", ""}};
  run.environment.memory_bandwidth = 4.8e12;
  run.environment.l2_bytes = 0.1;
  const std::string text = run_yaml(run);
  const mskb::Run read = parse_run_yaml(text, "run.yaml");
  EXPECT_EQ(run_yaml(read), text);
  EXPECT_EQ(read.command, run.command);
  EXPECT_EQ(read.key, "0x1e5");
  EXPECT_EQ(read.tool_commit, "null");
  EXPECT_EQ(read.figures, run.figures);
  EXPECT_EQ(read.environment.device, "Invented GPU");
  EXPECT_EQ(read.environment.memory_bandwidth, 4.8e12);
  EXPECT_EQ(read.environment.l2_bytes, 0.1);
  EXPECT_EQ(read.environment.multiprocessors, 7);
}

TEST(RunFile, IsTheSameUnderALocaleWithADecimalComma) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  mskb::Run run = samples::run();
  run.environment.l2_bytes = 12345.5;
  const std::string plain = run_yaml(run);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string under_comma = run_yaml(run);
  const double read = parse_run_yaml(plain, "run.yaml").environment.l2_bytes;
  std::locale::global(before);
  EXPECT_EQ(under_comma, plain);
  EXPECT_EQ(read, 12345.5);
}

TEST(RunFile, NamesFileLineAndKey) {
  const std::string text = run_yaml(samples::run());
  EXPECT_EQ(fault_of(replaced(text, "schema: 1", "schema: 9")),
            "run.yaml:1: schema 9, and this program reads schema 1; use the version of the tool that wrote the run");
  EXPECT_THAT(fault_of(replaced(text, "protocol:", "protokoll:")), HasSubstr("key 'protocol' is missing"));
  EXPECT_THAT(fault_of(replaced(text, "l2_bytes: ", "l2_bytes: many")), HasSubstr("l2_bytes is not a number: many"));
  EXPECT_THAT(fault_of(replaced(text, "id: ", "id: [")), HasSubstr("run.yaml:"));
  EXPECT_THAT(fault_of(replaced(text, "l2_bytes: ", "l2_bytes: nan #")), HasSubstr("l2_bytes is not a number: nan"));
  EXPECT_THAT(fault_of(text + "id: another\n"), HasSubstr("key 'id' appears twice in one map"));
  EXPECT_THAT(fault_of(replaced(text, "command:", "command: none\nsaid:")), HasSubstr("run.yaml:9: command must be a list"));
  EXPECT_THAT(fault_of(replaced(text, "figures:", "figures: none\nsaid:")), HasSubstr("figures must be a map of name: figure"));
  EXPECT_THAT(fault_of(std::string(100000, '[')), HasSubstr("run.yaml:1: "));
  EXPECT_THAT(fault_of("just text"), HasSubstr("run.yaml:1: the run must be a map of key: value"));
  EXPECT_THAT(fault_of(""), HasSubstr("run.yaml:1: the run must be a map"));
}

}  // namespace
}  // namespace mskb
