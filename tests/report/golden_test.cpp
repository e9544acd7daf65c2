#include <gtest/gtest.h>

#include <cstdlib>
#include <locale>

#include "base/files.hpp"
#include "report/compare.hpp"
#include "report/tables.hpp"
#include "stored_samples.hpp"
#include "store/run_writer.hpp"

// Stored runs under tests/golden/<run>/ and what the report prints of them, byte for byte. MSKB_UPDATE_GOLDEN=1 in the environment writes
// them anew; look at the difference before committing it.
namespace mskb {
namespace {

namespace fs = std::filesystem;

const fs::path golden = fs::path(MSKB_SOURCE_DIR) / "tests" / "golden";

bool updating() { return std::getenv("MSKB_UPDATE_GOLDEN") != nullptr; }

void expect_golden(const std::string& name, const std::string& text) {
  if (updating()) {
    write_file_atomically(golden / name, text);
  }
  EXPECT_EQ(text, read_file(golden / name)) << name;
}

// The run as the store reads it; as `made` when updating.
StoredRun golden_run(const std::string& name, const StoredRun& made) {
  TemporaryDirectory temporary;
  const fs::path fresh = temporary.path() / name;
  {
    RunWriter writer = RunWriter::create(fresh, made.run);
    for (const auto& group : samples::groups_of(made.evaluations)) {
      writer.append(group);
    }
  }
  for (const char* file : {"run.yaml", "evaluations.jsonl"}) {
    if (updating()) {
      fs::create_directories(golden / name);
    }
    expect_golden(name + "/" + file, read_file(fresh / file));
  }
  return read_run(golden / name);
}

// The page without its style and scripts, which are files of their own.
std::string without_assets(std::string page) {
  for (const auto& [open, close] : {std::pair("<style>\n", "</style>"), {"<script>\n", "</script>"}}) {
    const std::size_t start = page.find(open) + std::string_view(open).size();
    page.erase(start, page.find(close, start) - start);
  }
  return page;
}

void expect_reports(const std::string& name, const StoredRun& made) {
  const StoredRun stored = golden_run(name, made);
  ReportOptions options;
  expect_golden(name + ".txt", render_report(stored, Format::text, options));
  expect_golden(name + ".md", render_report(stored, Format::markdown, options));
  options.cases = options.references = true;
  expect_golden(name + "-cases.txt", render_report(stored, Format::text, options));
  expect_golden(name + ".json", render_report(stored, Format::json, options));
  expect_golden(name + ".tex", render_report(stored, Format::latex));
  for (const char* table : {"problems", "cases", "summary"}) {
    ReportOptions csv;
    csv.table = table;
    expect_golden(name + "-" + table + ".csv", render_report(stored, Format::csv, csv));
  }
  expect_golden(name + ".html", without_assets(render_report(stored, Format::html)));
}

TEST(Golden, Strict) { expect_reports("strict", samples::strict_run()); }
TEST(Golden, Paper) { expect_reports("paper", samples::paper_run()); }
TEST(Golden, Cpu) { expect_reports("cpu", samples::cpu_run()); }

TEST(Golden, Comparison) {
  const StoredRun a = samples::strict_run();
  StoredRun b = a;
  b.run.id = "ba9876543210";
  for (Evaluation& evaluation : b.evaluations) {
    if (evaluation.origin == "optimizer:skilled#1") {
      evaluation.candidate = "another";
    }
    if (evaluation.origin == "optimizer:skilled#1" && evaluation.timing) {
      const double faster = evaluation.task == "rows" ? 0.99 : 1.25;
      evaluation.timing->clocks["span"].median /= faster;
      SpeedupEstimate& speedup = evaluation.timing->speedups["span"];
      speedup.value *= faster;
      speedup.low *= faster;
      speedup.high *= faster;
    }
  }
  expect_golden("comparison.txt", render_comparison({a, b}, Format::text));
  expect_golden("comparison.md", render_comparison({a, b}, Format::markdown));
  expect_golden("comparison.json", render_comparison({a, b}, Format::json));
  expect_golden("comparison.csv", render_comparison({a, b}, Format::csv));
  expect_golden("comparison.tex", render_comparison({a, b}, Format::latex));
}

TEST(Golden, NoLocaleChangesAByte) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  ReportOptions options;
  options.cases = true;
  const StoredRun stored = samples::strict_run();
  std::vector<std::string> texts;
  for (const bool comma : {false, true}) {
    const std::locale before =
        std::locale::global(comma ? std::locale(std::locale::classic(), new Comma) : std::locale::classic());
    for (const Format format : {Format::text, Format::markdown, Format::csv, Format::json, Format::latex, Format::html}) {
      texts.push_back(render_report(stored, format, options));
    }
    std::locale::global(before);
  }
  for (std::size_t i = 0; i < texts.size() / 2; ++i) {
    EXPECT_EQ(texts[i], texts[i + texts.size() / 2]);
  }
}

}  // namespace
}  // namespace mskb
