// README.md and docs/: their commands run, what the program prints is what it prints, and their examples are what they say.
// MSKB_UPDATE_GOLDEN=1 in the environment writes the printed pages anew.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>

#include "model/verdict.hpp"
#include "program.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const fs::path home = MSKB_SOURCE_DIR;

std::vector<fs::path> pages() {
  std::vector<fs::path> found{home / "README.md", home / "CONTRIBUTING.md"};
  for (const fs::directory_entry& entry : fs::directory_iterator(home / "docs")) {
    if (entry.path().extension() == ".md") {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The fenced blocks of one language.
std::vector<std::string> blocks(const std::string& page, const std::string& language) {
  std::vector<std::string> found;
  const std::string open = "\n```" + language + "\n", close = "\n```";
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at + 1)) {
    const std::size_t start = at + open.size();
    found.push_back(page.substr(start, page.find(close, start) - start) + "\n");
  }
  return found;
}

class Documents : public test::Program {
 protected:
  void expect_printed(const std::string& page, const std::vector<std::string>& words) const {
    const test::Ended ended = mskb(words);
    ASSERT_EQ(ended.exit_code, 0) << ended.errors;
    if (std::getenv("MSKB_UPDATE_GOLDEN") != nullptr) {
      write_file_atomically(home / "docs" / page, ended.output);
    }
    EXPECT_EQ(read_file(home / "docs" / page), ended.output) << "run this test with MSKB_UPDATE_GOLDEN=1";
  }
};

TEST_F(Documents, TheCommandLineIsPrintedByTheProgram) { expect_printed("cli.md", {"help"}); }

TEST_F(Documents, TheTasksArePrintedByTheProgram) { expect_printed("tasks.md", {"help", "--tasks"}); }

TEST_F(Documents, TheSchemaOfTasksIsPrintedByTheProgram) { expect_printed("task.schema.json", {"help", "--schema"}); }

// Page by page in the order in which a reader meets them; the scripts of set-up run tests and are run by CI.
TEST_F(Documents, EveryCommandRuns) {
  const std::string program = "build/bin/mskb";
  int commands = 0;
  for (const fs::path& page : pages()) {
    for (const std::string& block : blocks("\n" + read_file(page), "bash")) {
      for (std::string line : test::lines_of(block)) {
        if (line.empty() || line.starts_with("#")) {
          continue;
        }
        if (line.starts_with("bash scripts/")) {
          const std::string script = line.substr(5, line.find(' ', 5) - 5);
          EXPECT_TRUE(fs::exists(home / script)) << page << ": " << line;
          continue;
        }
        ASSERT_TRUE(line.starts_with(program)) << page << ": this test does not know how to run " << line;
        line.replace(0, program.size(), std::string(MSKB_BINARY_DIR) + "/mskb");
        const test::Ended ended = bash(line);
        EXPECT_EQ(ended.exit_code, 0) << page << ": " << line << "\n" << ended.errors;
        ++commands;
      }
    }
  }
  EXPECT_GT(commands, 8);
}

TEST_F(Documents, EveryCommandIsInTheManual) {
  const std::string manual = read_file(home / "docs/cli.md");
  for (const char* command : {"list", "show", "new", "run", "check", "optimize", "mcp", "profile", "rerun", "audit", "report", "compare", "reproduce", "doctor", "help"}) {
    EXPECT_THAT(manual, HasSubstr("\n## mskb " + std::string(command) + "\n"));
  }
}

TEST_F(Documents, EveryVerdictHasItsRow) {
  const std::string page = read_file(home / "docs/verdicts.md");
  std::vector<std::string> rows;
  for (const std::string& line : test::lines_of(page)) {
    if (line.starts_with("| `")) {
      rows.push_back(line);
    }
  }
  ASSERT_EQ(rows.size(), std::size(verdicts));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i], "| `" + std::string(verdicts[i].name) + "` | " + (verdicts[i].failure ? "yes" : "no") + " | " +
                           std::string(verdicts[i].meaning) + " |");
  }
}

TEST_F(Documents, JsonExamplesParse) {
  int examples = 0;
  for (const fs::path& page : pages()) {
    for (const std::string& block : blocks("\n" + read_file(page), "json")) {
      EXPECT_TRUE(nlohmann::json::accept(block)) << page << ":\n" << block;
      ++examples;
    }
  }
  EXPECT_GT(examples, 5);
}

TEST_F(Documents, TheExampleOfARecordHasFieldsOfTheReport) {
  const auto example = nlohmann::json::parse(blocks(read_file(home / "docs/verdicts.md"), "json").at(0));
  const auto report = nlohmann::json::parse(read_file(home / "tests/golden/cpu.json"));
  for (const auto& [field, value] : example.items()) {
    EXPECT_TRUE(report["cases"][0].contains(field)) << field;
  }
  EXPECT_TRUE(std::any_of(std::begin(verdicts), std::end(verdicts), [&](const VerdictInfo& one) { return one.name == example["verdict"]; }));
}

TEST_F(Documents, LinksBetweenPagesLead) {
  const std::regex link("\\]\\(([^)#:]+)(#[^)]*)?\\)");
  for (const fs::path& page : pages()) {
    const std::string text = read_file(page);
    for (auto found = std::sregex_iterator(text.begin(), text.end(), link); found != std::sregex_iterator(); ++found) {
      EXPECT_TRUE(fs::exists(page.parent_path() / (*found)[1].str())) << page << " links to " << (*found)[1];
    }
  }
}

}  // namespace
}  // namespace mskb
