#include "report/tables.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "report/figures.hpp"
#include "report/report_data.hpp"
#include "report/self_test.hpp"

namespace mskb {

ReportData::ReportData(const StoredRun& run) : stored(run), scoring(ScoreOptions::of(run.run, run.evaluations)) {
  cases = case_scores(stored.evaluations, scoring);
  problems = scores(stored.evaluations, scoring);
  const auto planned = [&](const char* name) {
    int count = 0;
    if (const auto found = stored.run.figures.find(name); found != stored.run.figures.end()) {
      std::from_chars(found->second.data(), found->second.data() + found->second.size(), count);
    }
    return count;
  };
  planned_problems = planned("planned_problems");
  planned_cases = planned("planned_cases");
  summaries = summarize(problems, planned_problems);
  std::set<std::string> sets;
  for (const ProblemScore& problem : problems) {
    sets.insert(problem.set);
  }
  several_sets = sets.size() > 1;
}

namespace {

constexpr std::size_t failure_limit = 20;

class Page {
 public:
  explicit Page(Format format) : format_(format) {}
  void title(const std::string& title) {
    text_ += fmt::format(fmt::runtime(format_ == Format::markdown ? "{}## {}\n\n" : "{}{}\n"), text_.empty() ? "" : "\n", title);
  }
  void line(const std::string& line) {
    text_ += fmt::format(fmt::runtime(format_ == Format::markdown ? "* {}\n" : "{}\n"), line);
  }
  void grid(const Grid& grid) { text_ += grid.render(format_); }
  void gap() { text_ += "\n"; }
  std::string take() { return std::move(text_); }

 private:
  Format format_;
  std::string text_;
};

void add_head(Page& page, const ReportData& data) {
  const Run& run = data.stored.run;
  const Environment& place = run.environment;
  page.title(fmt::format("Run {} of {}", run.id, run.started));
  for (const std::string& damage : data.stored.damage) {
    page.line("INVALID RUN, do not cite: " + damage);
  }
  std::string set;
  if (!data.problems.empty() && !data.several_sets) {
    set = fmt::format("; sizes {}", data.problems.front().set);
    if (data.problems.front().set != "check" && std::any_of(data.cases.begin(), data.cases.end(), [](const CaseScore& score) {
          return score.evaluation->set == "check";
        })) {
      set += " (and the check cases)";
    }
  }
  if (data.scoring.cpu) {
    page.line(fmt::format("CPU backend ({}): verdicts only; no speedup is ever computed from it{}", place.device, set));
  } else {
    page.line(fmt::format("{}, driver {}, toolkit {}; protocol {}, speedups on the clock `{}`{}", place.device, place.driver,
                          place.toolkit, run.protocol, data.scoring.clock, set));
  }
  if (data.scoring.clock == "call") {
    page.line("no record has the clock `span` (no permission for CUPTI?): speedups are on `call`, which includes launch and synchronization");
  }
  page.line(fmt::format("sandbox {}; mskb {}", run.sandbox, run.tool_version) +
            (run.tool_commit.empty() ? std::string() : fmt::format(" ({})", run.tool_commit)));
  for (const std::string& note : data.stored.notes) {
    page.line("left out: " + note);
  }
  const std::set<std::string> problems = [&] {
    std::set<std::string> names;
    for (const ProblemScore& problem : data.problems) {
      names.insert(problem.problem());
    }
    return names;
  }();
  std::set<std::string> groups;
  for (const Evaluation& evaluation : data.stored.evaluations) {
    groups.insert(evaluation.group);
  }
  if (static_cast<int>(groups.size()) < data.planned_cases) {
    page.line(fmt::format("UNFINISHED: {} of {} planned cases have records; what follows is of those alone (go on with --resume)",
                          groups.size(), data.planned_cases));
  }
  if (static_cast<int>(problems.size()) < data.planned_problems) {
    page.line(fmt::format("unfinished: {} of {} planned problems have records", problems.size(), data.planned_problems));
  }
}

void add_legend(Page& page, const ReportData& data, bool references) {
  page.line("p/f/s/u: cases passed/failed/skipped/undecided");
  if (!data.scoring.cpu) {
    page.line("P: weighted mean speedup; us: at the largest case; best: best baseline; limit: share of the attainable limit");
  }
  bool partial = false, missing = false, launch = false, differ = false, origin = false, rule = false;
  for (const ProblemScore* problem : shown_problems(data, references)) {
    partial |= problem->partial;
    missing |= problem->missing > 0;
    launch |= problem->launch_bound_share > 0;
    differ |= problem->stories_differ;
    origin |= problem->origin_error;
    rule |= !data.is_paper() && problem->correct && problem->paper_verdict == "failed";
  }
  const auto add = [&](bool used, const char* text) {
    if (used) {
      page.line(text);
    }
  };
  add(partial, "part: partial, some case is skipped, missing or without a time");
  add(missing, "miss<n>: n cases have no record");
  add(launch, "launch<n>%: launch-bound cases hold n% of the weight");
  add(differ, "differ: `call` and the device clock tell different ratios in some case");
  add(origin, "origin: accepted by the original's own measured error");
  add(rule, "rule: the published rule refuses it");
}

void add_failures(Page& page, const ReportData& data) {
  const std::vector<std::string> lines = failure_lines(data);
  if (lines.empty()) {
    return;
  }
  page.title("Not passed");
  for (std::size_t i = 0; i < std::min(lines.size(), failure_limit); ++i) {
    page.line(lines[i]);
  }
  if (lines.size() > failure_limit) {
    page.line(fmt::format("and {} more; --cases lists all", lines.size() - failure_limit));
  }
}

void add_summary(Page& page, const ReportData& data) {
  if (!data.summaries.empty()) {
    page.title("Summary");
    page.grid(summary_grid(data));
    page.gap();
    page.line("a success passes every case; failures, partial problems and those without a record stay in the denominator");
    if (!data.scoring.cpu) {
      page.line("P > tau: share of all problems; the geometric mean is over the n of N successes alone, and says n");
    }
  }
  for (const Summary& summary : data.summaries) {
    if (summary.baseline_ratio) {
      page.line(fmt::format("{}: {} times the speed of the best baseline at the largest case (geometric mean, n = {})",
                            origin_text(summary.origin), ratio_text(*summary.baseline_ratio), summary.baseline_problems));
    }
  }
  for (const std::string& line : self_test_lines(data)) {
    page.line(line);
  }
  for (const auto& [name, value] : data.stored.run.figures) {
    if (!name.starts_with("planned_")) {  // the head says it where it matters
      page.line(name + ": " + value);
    }
  }
}

}  // namespace

std::string render_report(const StoredRun& stored, Format format, const ReportOptions& options) {
  const ReportData data(stored);
  if (format == Format::json) {
    return render_json(data, options);
  }
  Page page(format);
  add_head(page, data);
  page.title("Problems");
  page.grid(problem_grid(data, options.references));
  page.gap();
  add_legend(page, data, options.references);
  add_failures(page, data);
  add_summary(page, data);
  if (options.cases) {
    page.title("Cases");
    page.grid(case_grid(data));
    page.gap();
    page.line("id: first digits of the record's, which `mskb rerun` takes; ?: undecided");
  }
  return page.take();
}

}  // namespace mskb
