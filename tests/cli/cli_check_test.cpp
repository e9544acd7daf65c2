// `mskb check` and the page that it prints, docs/published-checks.md.
#include <map>
#include <set>
#include <sstream>

#include "program.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const fs::path home = MSKB_SOURCE_DIR;

class Check : public test::Program {};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = 2; at < line.size();) {
    const std::size_t end = line.find(" |", at);
    cells.push_back(line.substr(at, end - at));
    at = end + 3;
  }
  return cells;
}

// The lines of a page's last table by the problem in their first cell.
std::map<std::string, std::string> rows_of(const std::string& page) {
  std::map<std::string, std::string> rows;
  for (const std::string& line : test::lines_of(page.substr(page.find("\n| problem |")))) {
    if (line.starts_with("| ") && line.find("/") != std::string::npos) {
      rows[cells_of(line)[0]] = line;
    }
  }
  return rows;
}

TEST_F(Check, PrintsProblemsInTheirOrderHoweverManyRunAtATime) {
  const test::Ended ended = mskb({"check", "--task", "silu_and_mul", "--task", "dot_product", "--task", "rms_norm", "--jobs", "3"});
  EXPECT_EQ(ended.exit_code, 0) << ended.errors;
  std::vector<std::string> names;
  for (const std::string& line : test::lines_of(ended.output)) {
    names.push_back(line.substr(0, line.find(' ')));
  }
  EXPECT_THAT(names, ElementsAre("dot_product/fp32", "dot_product/bf16", "rms_norm/fp32", "rms_norm/bf16", "silu_and_mul/fp32",
                                 "silu_and_mul/bf16", "6"));
}

TEST_F(Check, RefusesOptionsThatDoNotFit) {
  expect_refused({"check", "--published", "--sizes", "paper"}, HasSubstr("--sizes"));
  expect_refused({"check", "--format", "markdown"}, HasSubstr("--published"));
  expect_refused({"check", "--jobs", "0"}, HasSubstr("--jobs"));
}

// A task of this checkout with one of its files changed.
class FaultyTask : public test::Program {
 protected:
  FaultyTask() {
    fs::create_directories(path("home/tasks"));
    for (const char* name : {"harness", "baselines", "optimizers"}) {
      fs::create_directory_symlink(home / name, path("home") / name);
    }
    fs::copy(home / "tasks/rms_norm", path("home/tasks/rms_norm"), fs::copy_options::recursive);
    set_variable("MSKB_HOME", path("home"));
  }

  void change(const std::string& file, const std::string& from, const std::string& to) {
    const fs::path changed = path("home/tasks/rms_norm") / file;
    std::string text = read_file(home / "tasks/rms_norm" / file);
    EXPECT_NE(text.find(from), std::string::npos) << file << " has no " << from;
    write_file_atomically(changed, text.replace(text.find(from), from.size(), to));
  }

  // Wrong input, which names the oracle's file, the problem and the case.
  void expect_blamed(const std::vector<std::string>& words, const std::string& what) const {
    const test::Ended ended = mskb(words);
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_THAT(ended.errors, HasSubstr("mskb: tasks/rms_norm/oracle.hpp: problem rms_norm/fp32, case rms_norm/fp32/"));
    EXPECT_THAT(ended.errors, HasSubstr(": the oracle " + what + "; mend it, then try `mskb check --task rms_norm`\n"));
  }

  test::Ended check_with(const std::string& file, const std::string& from, const std::string& to) {
    change(file, from, to);
    const test::Ended ended = mskb({"check", "--precision", "fp32"});
    EXPECT_EQ(ended.exit_code, 1);
    EXPECT_THAT(ended.output, HasSubstr("\n1 problem checked, 1 with faults\n"));
    return ended;
  }
};

TEST_F(FaultyTask, ABoundThatAcceptsAll) {
  const test::Ended ended = check_with("task.yaml", "fp32: {elementwise: {rel: 0, mag: 4e-6}}", "fp32: {elementwise: {rel: 0, mag: 1e9}}");
  for (const char* statement : {"zeros: refused at every case (rms_norm/fp32/smoke/0; rms_norm/fp32/smoke/1)", "the mean everywhere: refused",
                                "the output of other contents: refused", "a dropped term: refused at some check case (no check case reveals it)"}) {
    EXPECT_THAT(ended.output, HasSubstr(std::string("    FAILS    ") + statement));
  }
  EXPECT_THAT(ended.output, Not(HasSubstr("accepted at every case")));
}

TEST_F(FaultyTask, ABoundThatHonestSumsMiss) {
  const test::Ended ended = check_with("task.yaml", "fp32: {elementwise: {rel: 0, mag: 4e-6}}", "fp32: {elementwise: {rel: 0, mag: 1e-9}}");
  EXPECT_THAT(ended.output, HasSubstr("    FAILS    FP32 sums in ascending order: accepted at every case (rms_norm/fp32/"));
  EXPECT_THAT(ended.output, HasSubstr("    FAILS    the reference passes (rms_norm/fp32/"));
  EXPECT_THAT(ended.output, Not(HasSubstr("refused at every case")));
}

TEST_F(FaultyTask, InputsThatRoundingDoesNotChange) {
  std::string text = read_file(home / "tasks/rms_norm/task.yaml");
  const auto replace_all = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  };
  for (const char* fill : {"{uniform: [-1, 1]}", "{uniform: [1, 2]}", "{uniform: [-0.004, 0.004]}", "{biased_mantissa: 1}", "{spike: [0.0009765625, 512, 100]}"}) {
    replace_all(fill, "{integers: [1, 3]}");
  }
  write_file_atomically(path("home/tasks/rms_norm/task.yaml"), text);
  const test::Ended ended = mskb({"check", "--precision", "fp32"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.output, HasSubstr("    FAILS    BF16 arithmetic on the inputs: refused at some check case (no check case holds inputs that it changes)"));
}

TEST_F(FaultyTask, AnOracleOfSomethingElse) {
  const test::Ended ended = check_with("oracle.hpp", "x.bias[i]", "2 * x.bias[i]");
  EXPECT_THAT(ended.output, HasSubstr("    FAILS    the reference passes (rms_norm/fp32/check/0: mismatch "));
}

TEST_F(FaultyTask, AnOracleThatReadsNowhere) {
  change("oracle.hpp", "const double r = ", "const double* volatile nowhere = nullptr;\n    const double r = *nowhere + ");
  expect_blamed({"check", "--precision", "fp32"}, "crashed with signal 11 (Segmentation fault)");
  expect_blamed({"run", "--task", "rms_norm", "--precision", "fp32", "--device", "cpu", "--out", "run"}, "crashed with signal 11 (Segmentation fault)");
}

TEST_F(FaultyTask, AnOracleThatAborts) {
  change("oracle.hpp", "const double r = ", "__builtin_abort();\n    const double r = ");
  expect_blamed({"check", "--precision", "fp32"}, "crashed with signal 6 (Aborted)");
}

TEST_F(FaultyTask, AnOracleThatCallsItselfForEver) {
  change("oracle.hpp", "const double r = ", "volatile double deep[64] = {value(x, s, i).want};\n    const double r = deep[i & 63] + ");
  expect_blamed({"check", "--precision", "fp32"}, "crashed with signal 11 (Segmentation fault)");
}

TEST_F(FaultyTask, AnOracleThatThrows) {
  change("oracle.hpp", "const double r = ", "if (x.N > 0) {\n      throw \"nothing\";\n    }\n    const double r = ");
  expect_blamed({"check", "--precision", "fp32"}, "threw something that is not a std::exception");
}

// A few tasks of the page, and the words around the table.
TEST_F(Check, PrintsThePageOfThePublishedRule) {
  const std::string page = read_file(home / "docs/published-checks.md");
  const test::Ended ended =
      mskb({"check", "--published", "--format", "markdown", "--task", "layer_norm", "--task", "FFT", "--task", "sorting"});
  ASSERT_EQ(ended.exit_code, 0) << ended.errors;
  const auto on_page = rows_of(page), printed = rows_of(ended.output);
  EXPECT_EQ(printed.size(), 6u);
  for (const auto& [problem, line] : printed) {
    ASSERT_TRUE(on_page.contains(problem)) << problem;
    EXPECT_EQ(on_page.at(problem), line) << "run the command at the top of docs/published-checks.md";
  }
  const std::string from = "\nOutputs are made", to = "\n| problem |";
  EXPECT_EQ(ended.output.substr(ended.output.find(from), ended.output.find(to) - ended.output.find(from)),
            page.substr(page.find(from), page.find(to) - page.find(from)));
  EXPECT_THAT(ended.output, StartsWith(page.substr(0, page.find("The published rule"))));
}

TEST_F(Check, ThePageHoldsEveryProblemAndItsSummaryCountsTheRows) {
  const std::string page = read_file(home / "docs/published-checks.md");
  const auto rows = rows_of(page);
  std::set<std::string> problems;
  for (const fs::directory_entry& task : fs::directory_iterator(home / "tasks")) {
    for (const char* precision : {"/fp32", "/bf16"}) {
      std::string name;
      for (const char c : task.path().filename().string()) {
        name += c == '_' ? std::string("\\_") : std::string(1, c);
      }
      problems.insert(name + precision);
    }
  }
  std::set<std::string> held;
  std::map<std::size_t, int> wrong, of;
  int refusing_honest = 0;
  for (const auto& [problem, line] : rows) {
    held.insert(problem);
    const std::vector<std::string> cells = cells_of(line);
    ASSERT_EQ(cells.size(), 13u) << line;
    for (std::size_t k = 3; k < 12; ++k) {
      of[k] += cells[k] != "-" ? 1 : 0;
      wrong[k] += cells[k] == (k < 8 ? "ACCEPTS" : "REFUSES") ? 1 : 0;
    }
    refusing_honest += problem.ends_with("/bf16") && line.find("REFUSES") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(held, problems);

  std::string summary;  // on one line
  std::istringstream words(page.substr(page.find("The published rule"), page.find("Outputs are made") - page.find("The published rule")));
  for (std::string word; words >> word;) {
    summary += word + " ";
  }
  const auto count = [&](std::size_t k) { return std::to_string(wrong[k]) + " of " + std::to_string(of[k]); };
  EXPECT_THAT(summary, HasSubstr("an output of zeros in " + count(3) + " problems"));
  EXPECT_THAT(summary, HasSubstr("the mean of the right output everywhere in " + count(4) + ","));
  EXPECT_THAT(summary, HasSubstr("the output of other inputs in " + count(7) + "."));
  EXPECT_THAT(summary, HasSubstr("rounded once to the output's type, in " + count(8) + ";"));
  EXPECT_THAT(summary, HasSubstr(" and " + std::to_string(refusing_honest) + " of " + std::to_string(problems.size() / 2) + " BF16 problems"));
}

}  // namespace
}  // namespace mskb
