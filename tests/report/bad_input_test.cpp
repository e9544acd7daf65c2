// Input that a report may not turn into a wrong number: each is refused in one line, or visible in every format.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "report/tables.hpp"
#include "store/run_writer.hpp"
#include "stored_samples.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using samples::passed;
using samples::timed;
using testing::HasSubstr;
using testing::Not;

class BadInput : public testing::Test {
 protected:
  fs::path directory() const { return folder_.path() / "run"; }

  void write(const std::vector<Evaluation>& evaluations) {
    RunWriter writer = RunWriter::create(directory(), samples::run());
    for (const auto& group : samples::groups_of(evaluations)) {
      writer.append(group);
    }
    for (const Candidate& candidate : candidates_) {
      writer.keep_candidate(candidate);
    }
  }
  std::string records() const { return read_file(directory() / "evaluations.jsonl"); }
  void write_records(const std::string& text) const { write_file_atomically(directory() / "evaluations.jsonl", text); }
  std::string page() const { return render_report(read_run(directory()), Format::html); }
  std::string text() const { return render_report(read_run(directory()), Format::text); }
  nlohmann::json page_data() const {
    const std::string html = page(), open = "id=\"data\">";
    const std::size_t start = html.find(open) + open.size();
    return nlohmann::json::parse(html.substr(start, html.find("</script>", start) - start));
  }

  std::vector<Evaluation> pair(const std::string& task = "a", const std::string& device = "Invented GPU") {
    std::vector<Evaluation> list{timed(passed(task, 0, "reference", 2), "span", 100, 1), timed(passed(task, 0, "file:x.cu", 2), "span", 50, 2)};
    for (Evaluation& evaluation : list) {
      evaluation.device = device;
    }
    return samples::grouped(list);
  }

  TemporaryDirectory folder_;
  std::vector<Candidate> candidates_;
};

TEST_F(BadInput, RecordsOfAnotherSchemaAreRefusedInOneLine) {
  write(pair());
  std::string text = records();
  write_records(text.replace(text.find("\"schema\":1"), 10, "\"schema\":2"));
  try {
    read_run(directory());
    FAIL() << "it was read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("schema 2, and this program reads schema 1"));
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
  }
}

TEST_F(BadInput, ACutLastLineIsLeftOutAndSaidOnThePage) {
  std::vector<Evaluation> list = pair("a");
  for (const Evaluation& evaluation : pair("b")) {
    list.push_back(evaluation);
  }
  write(list);
  const std::string whole = records();
  write_records(whole.substr(0, whole.size() - 40));
  EXPECT_THAT(page(), HasSubstr("<p class=\"notice part\" role=\"note\">Left out: evaluations.jsonl:5: the last line is cut"));
  EXPECT_THAT(text(), HasSubstr("left out: evaluations.jsonl:5: the last line is cut"));
  EXPECT_EQ(page_data()["problems"].size(), 1u);
}

TEST_F(BadInput, DevicesAreNotMixedInOneTable) {
  std::vector<Evaluation> list = pair("a");
  for (const Evaluation& evaluation : pair("b", "Other GPU")) {
    list.push_back(evaluation);
  }
  write(list);
  EXPECT_THAT(page(), HasSubstr("Left out: 2 records of Other GPU in a run of Invented GPU"));
  EXPECT_THAT(text(), HasSubstr("left out: 2 records of Other GPU in a run of Invented GPU"));
  EXPECT_THAT(text(), Not(HasSubstr("b/fp32")));
  EXPECT_EQ(page_data()["problems"].size(), 1u);
}

TEST_F(BadInput, AMissingCandidateFileIsSaidOnThePage) {
  write(pair());
  const auto source = page_data()["sources"]["hash of file:x.cu"];
  EXPECT_THAT(source["note"].get<std::string>(), HasSubstr("candidates/hash of file:x.cu is missing or was changed"));
  EXPECT_FALSE(source.contains("files"));
}

TEST_F(BadInput, SourcesCannotEndTheScriptOrTurnTheText) {
  Candidate candidate;
  candidate.origin = "file:x.cu";
  candidate.main_source = "x.cu";
  candidate.sources["x.cu"] = "// </script><script>alert(1)</script><!-- \xE2\x80\xAE" "evil\xE2\x80\xAC\n";
  candidates_.push_back(candidate);
  std::vector<Evaluation> list = pair();
  list[1].candidate = candidate.id();
  list[1].detail = "</script><img src=x onerror=alert(1)> \xE2\x80\xAE";
  write(list);
  const std::string html = page();
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("\xE2\x80\xAE")));
  const auto file = page_data()["sources"][candidate.id()]["files"][0];
  EXPECT_EQ(file["text"], "// </script><script>alert(1)</script><!-- [U+202E]evil[U+202C]\n");
  EXPECT_EQ(file["changed"], true);
}

TEST_F(BadInput, OddTaskNamesStayNamesInEveryFormat) {
  const std::string name = "a\"b<i>,& 50%_{x}|\xE2\x80\xAE" "\x1B[2J";
  write(pair(name));
  const StoredRun run = read_run(directory());
  EXPECT_THAT(page(), HasSubstr("a&quot;b&lt;i&gt;,&amp; 50%_{x}|[U+202E][U+001B][2J"));
  EXPECT_THAT(page(), Not(HasSubstr("<i>")));
  EXPECT_THAT(render_report(run, Format::csv), HasSubstr("\"a\"\"b<i>,& 50%_{x}|[U+202E][U+001B][2J\",fp32"));
  EXPECT_THAT(render_report(run, Format::latex), HasSubstr("a\\textquotedbl{}b\\textless{}i\\textgreater{},\\& 50\\%\\_\\{x\\}"));
  EXPECT_THAT(render_report(run, Format::markdown), HasSubstr("a\"b\\<i>,& 50%\\_{x}\\|[U+202E]"));
  EXPECT_THAT(text(), Not(HasSubstr("\x1B")));
  EXPECT_EQ(page_data()["problems"][0]["name"], "a\"b<i>,& 50%_{x}|[U+202E][U+001B][2J/fp32");
}

TEST_F(BadInput, AnEmptyRunSaysThatItIsEmpty) {
  write({});
  EXPECT_THAT(page(), HasSubstr("This run is empty"));
  EXPECT_THAT(text(), HasSubstr("EMPTY RUN"));
  EXPECT_THAT(render_report(read_run(directory()), Format::csv), HasSubstr("# EMPTY RUN"));
  EXPECT_THAT(render_report(read_run(directory()), Format::latex), HasSubstr("EMPTY RUN"));
}

TEST_F(BadInput, ADamagedRunIsInvalidInEveryFormat) {
  write(pair());
  std::string text = records();
  write_records(text.replace(text.find("\"group\""), 7, "\"gruop\""));
  const StoredRun run = read_run(directory());
  for (const Format format : {Format::text, Format::markdown, Format::csv, Format::latex}) {
    EXPECT_THAT(render_report(run, format), HasSubstr("INVALID RUN, do not cite"));
  }
  EXPECT_THAT(page(), HasSubstr("Invalid run, do not cite"));
}

}  // namespace
}  // namespace mskb
