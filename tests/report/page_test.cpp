#include "report/page.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "base/files.hpp"
#include "report/escape.hpp"
#include "session_samples.hpp"
#include "store/run_writer.hpp"
#include "stored_samples.hpp"

namespace mskb {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page_of(const StoredRun& run) { return render_page(ReportData(run)); }

nlohmann::json data_of(const std::string& html) {
  const std::string open = "id=\"data\">";
  const std::size_t start = html.find(open) + open.size();
  return nlohmann::json::parse(html.substr(start, html.find("</script>", start) - start));
}

TEST(Page, FetchesNothing) {
  const std::string html = page_of(samples::strict_run());
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  const std::regex reference("(src|href)=\"([^\"#][^\"]*)\"");
  EXPECT_FALSE(std::regex_search(html, reference));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
}

TEST(Page, HoldsTheFiguresOfTheTable) {
  const std::string html = page_of(samples::strict_run());
  EXPECT_THAT(html, HasSubstr("data-v=\"1.6\">1.60 <span class=\"of\">1.57–1.63</span>"));
  const auto problem = data_of(html)["problems"][0];
  EXPECT_EQ(problem["name"], "gated_unit/fp32");
  EXPECT_EQ(problem["candidates"][1]["p"], 2.0);
  EXPECT_NEAR(problem["candidates"][1]["closed"].get<double>(), 40.0 / (80 - 4), 1e-5);
  EXPECT_EQ(problem["cases"].size(), 3u);
  EXPECT_EQ(problem["cases"][0]["rows"][1]["s"][0], 2.0);
  EXPECT_EQ(problem["checks_passed"], 1);
}

TEST(Page, CpuRunsHaveNoFigureOfTime) {
  const std::string html = page_of(samples::cpu_run());
  EXPECT_THAT(html, HasSubstr("CPU backend: verdicts only"));
  const auto data = data_of(html);
  EXPECT_FALSE(data["problems"][0]["candidates"][0].contains("p"));
  EXPECT_EQ(html.find("<th scope=\"col\" aria-sort=\"none\" class=\"n\""), std::string::npos);  // no column of P
}

TEST(Page, ShowsTheRoundsOfASession) {
  TemporaryDirectory folder;
  StoredRun run = samples::stored(samples::run(), samples::grouped({samples::timed(samples::passed("a", 0, "reference", 2), "span", 100, 1),
                                                                    samples::timed(samples::passed("a", 0, "optimizer:skilled#2", 2), "span", 50, 2)}));
  run.directory = folder.path();
  samples::write_transcript(folder.path(), "a/fp32",
                            samples::transcript_head("a/fp32", "skilled") + samples::transcript_note("planner", "</script> unroll", 100, 0.25) +
                                samples::transcript_evaluation(1, "one\\n2\\n", "passed", 2, 2, "compute bound") + samples::transcript_end("id1", 1, 100, 0.25));
  const std::string html = page_of(run);
  const auto session = data_of(html)["problems"][0]["session"];
  EXPECT_EQ(session["money"], 0.25);
  EXPECT_EQ(session["class_after"], "compute bound");
  EXPECT_EQ(session["events"][0]["text"]["text"], "</script> unroll");
  EXPECT_EQ(session["events"][1]["diff"]["text"], "@@ -1 +1 @@\n+one\n+2\n");
  EXPECT_THAT(html, HasSubstr("sessions of skilled: 1, with 1.0 evaluations"));
}

TEST(Page, NamesTheClockOfItsTimes) {
  const std::string strict = page_of(samples::strict_run());
  EXPECT_THAT(strict, HasSubstr(">Original span µs</button>"));
  EXPECT_THAT(strict, HasSubstr("times at the largest case, span: from the start of the first to the end of the last device activity of a call, with the host"));
  EXPECT_THAT(strict, Not(HasSubstr("device time")));
  EXPECT_EQ(data_of(strict)["run"]["time_clock"], "span");
  const std::string paper = page_of(samples::paper_run());
  EXPECT_THAT(paper, HasSubstr(">Original batch µs</button>"));
  EXPECT_EQ(data_of(paper)["run"]["time_clock"], "batch");
}

TEST(Page, TellsTheStartUpSelfTestFromThatOfEveryCase) {
  StoredRun run = samples::strict_run();
  run.run.figures["self_test"] = "passed";
  run.run.figures["self_test_zeros"] = "mismatch";
  const std::string html = page_of(run);
  EXPECT_THAT(html, HasSubstr("<dt>Start-up self-test</dt><dd>passed</dd>"));
  EXPECT_THAT(html, HasSubstr("<dd>refused, as they should be (mismatch)</dd>"));
  EXPECT_THAT(html, HasSubstr("<h3>Self-test of every case</h3>\n<p>Not asked for: <code>--self-test</code>"));
  for (const char* key : {"self_test", "planned_problems", "wall_s", "measuring_share"}) {
    EXPECT_THAT(html, Not(HasSubstr(std::string("<dt>") + key)));
  }
}

TEST(Page, SaysWhatUndecidedMeans) {
  StoredRun run = samples::strict_run();
  EXPECT_THAT(undecided_lines(ReportData(samples::paper_run())), testing::IsEmpty());
  const UndecidedCount before = undecided_count(ReportData(run));
  for (Evaluation& each : run.evaluations) {
    if (each.origin == "optimizer:skilled#1" && each.timing) {
      SpeedupEstimate& speedup = each.timing->speedups["span"];
      speedup.decided = false;
      speedup.verdict = speedup.value > 1 ? "faster" : "slower";
    }
  }
  const UndecidedCount count = undecided_count(ReportData(run));
  EXPECT_EQ(count.timed, before.timed);
  EXPECT_GT(count.undecided, before.undecided);
  EXPECT_EQ(count.faster, 4 + before.faster);
  EXPECT_EQ(count.slower, 1);
  const std::vector<std::string> lines = undecided_lines(ReportData(run));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[1], ::testing::ContainsRegex("of [0-9]+ undecided of [0-9]+ speedups [0-9]+ (is|are) faster, 1 slower, [0-9]+ neither"));
  EXPECT_THAT(page_of(run), HasSubstr(escape_html(lines[0] + "; " + lines[1] + "; " + lines[2])));
  EXPECT_THAT(render_report(run, Format::text), HasSubstr(lines[0] + "\n" + lines[1] + "\n" + lines[2] + "\n"));
}

TEST(Page, MoneyOfAProblemAndTogetherAgree) {
  TemporaryDirectory folder;
  StoredRun run = samples::strict_run();
  run.directory = folder.path();
  samples::write_transcript(folder.path(), "rows/fp32", samples::transcript_head("rows/fp32", "skilled") + samples::transcript_end("id1", 1, 100, 0.0031));
  EXPECT_THAT(cost_lines(ReportData(run)), testing::Contains(HasSubstr("0.0031 US dollars a problem, 0.0031 together")));
}

// A hundred problems with ten versions each, whose sources are as long as kernels are.
TEST(Page, AThousandEvaluationsStayUnderEightMegabytes) {
  TemporaryDirectory folder;
  std::vector<Evaluation> list;
  Candidate reference;
  reference.origin = "reference";
  reference.main_source = "a.cu";
  std::string source;
  for (int i = 0; i < 120; ++i) {
    source += "    output[" + std::to_string(i) + "] = input[" + std::to_string(i) + "] * scale + bias;  // a line of usual length\n";
  }
  reference.sources["a.cu"] = source;
  RunWriter writer = RunWriter::create(folder.path() / "run", samples::run());
  for (int problem = 0; problem < 100; ++problem) {
    const std::string name = "task_" + std::to_string(problem);
    for (int index = 0; index < 10; ++index) {
      std::vector<Evaluation> group{samples::on_both(samples::passed(name, index, "reference", 2), 100, 110, 1, 1),
                                    samples::on_both(samples::passed(name, index, "optimizer:skilled#1", 2), 50, 60, 2, 1.8)};
      group[0].candidate = reference.id();
      writer.append(samples::grouped(group));
    }
    std::string transcript = samples::transcript_head(name + "/fp32", "skilled");
    for (int round = 1; round <= 10; ++round) {
      std::string text;
      for (int i = 0; i < 120; ++i) {
        text += "    output[" + std::to_string(i * round) + "] = fmaf(input[" + std::to_string(i) + "], scale, bias);  // another line\\n";
      }
      transcript += samples::transcript_note("planner", std::string(1500, 'p'), 100, 0.01) + samples::transcript_evaluation(round, text, "passed", 2, 2);
    }
    samples::write_transcript(folder.path() / "run", name + "/fp32", transcript + samples::transcript_end("id10", 10, 1000, 0.1));
  }
  writer.keep_candidate(reference);
  const std::string html = page_of(read_run(folder.path() / "run"));
  EXPECT_LT(html.size(), 8u * 1000 * 1000);
  EXPECT_GT(html.size(), 4u * 1000 * 1000);
  EXPECT_THAT(html, HasSubstr("left out to keep this page small"));
}

}  // namespace
}  // namespace mskb
