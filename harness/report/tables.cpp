#include "report/tables.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/command.hpp"
#include "report/class_transitions.hpp"
#include "report/document.hpp"
#include "report/figures.hpp"
#include "report/page.hpp"
#include "report/report_data.hpp"
#include "report/run_figures.hpp"
#include "report/selection_bias.hpp"
#include "report/self_test.hpp"

namespace mskb {

namespace {

constexpr std::size_t failure_limit = 20;

void add_head(Document& page, const ReportData& data) {
  const Run& run = data.stored.run;
  const Environment& place = run.environment;
  page.title(fmt::format("Run {} of {}", run.id, run.started));
  for (const std::string& damage : data.stored.damage) {
    page.line("INVALID RUN, do not cite: " + damage);
  }
  if (const std::string reason = unfit_reason(run); !reason.empty()) {
    page.line("unfit: the start-up self-test failed, do not cite: " + reason);
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
  if (const std::string mode = judged_with(run.command); !mode.empty()) {
    page.line("judged with " + mode + ", which finds more faults than a plain run");
  }
  for (const std::string& note : data.stored.notes) {
    page.line("left out: " + note);
  }
  if (data.stored.evaluations.empty()) {
    page.line("EMPTY RUN: no complete record is on file, so there is nothing to score");
  }
  if (static_cast<int>(data.recorded_cases()) < data.planned_cases) {
    page.line(fmt::format("UNFINISHED: {} of {} planned cases have records; what follows is of those alone (go on with --resume)",
                          data.recorded_cases(), data.planned_cases));
  }
  if (static_cast<int>(data.recorded_problems()) < data.planned_problems) {
    page.line(fmt::format("unfinished: {} of {} planned problems have records", data.recorded_problems(), data.planned_problems));
  }
}

void add_legend(Document& page, const ReportData& data, bool references) {
  page.line("p/f/s/u: cases passed/failed/skipped/undecided");
  if (!data.scoring.cpu) {
    page.line("P: weighted mean speedup; us: `" + time_clock(data.stored.evaluations, data.scoring) + "` at the largest case; best: best baseline; limit: share of the attainable limit");
  }
  bool partial = false, missing = false, launch = false, differ = false, process = false, clock = false, origin = false, rule = false;
  for (const ProblemScore* problem : shown_problems(data, references)) {
    partial |= problem->partial;
    missing |= problem->missing > 0;
    launch |= problem->launch_bound_share > 0;
    differ |= problem->stories_differ;
    process |= problem->generations_differ;
    clock |= problem->clock_unsteady;
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
  add(differ, "differ: `call` and `span` tell different ratios in some case");
  add(process, "process: the candidate's two processes tell different ratios in some case");
  add(clock, "clock: in some case the device's clock fell by more than 3 % in more rounds than could be repeated");
  add(origin, "origin: accepted by the original's own measured error");
  add(rule, "rule: the published rule refuses it");
}

void add_failures(Document& page, const ReportData& data) {
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

void add_summary(Document& page, const ReportData& data) {
  if (!data.summaries.empty()) {
    page.title("Summary");
    page.grid(summary_grid(data));
    page.gap();
    page.line("a success passes every case; failures, partial problems and those without a record stay in the denominator");
    if (!data.scoring.cpu) {
      page.line("P > tau: share of all problems; the geometric mean is over the n of N successes alone, and says n");
      for (const std::string& line : undecided_lines(data)) {
        page.line(line);
      }
    }
  }
  for (const Summary& summary : data.summaries) {
    if (summary.baseline_ratio) {
      page.line(fmt::format("{}: {} times the speed of the best baseline at the largest case (geometric mean, n = {})",
                            origin_text(summary.origin), ratio_text(*summary.baseline_ratio), summary.baseline_problems));
    }
  }
  for (const Summary& summary : data.summaries) {
    if (summary.headroom_closed) {
      page.line(fmt::format("{}: {} of the way from the original's time to the attainable limit at the largest case (mean, n = {})",
                            origin_text(summary.origin), share_text(*summary.headroom_closed), summary.headroom_problems));
    }
  }
  if (const ClassTransitions transitions = class_transitions(data.sessions); !transitions.classes.empty()) {
    page.title("Bottleneck classes before and after");
    page.grid(class_transition_grid(transitions));
    page.gap();
    page.line(fmt::format("problems without a profile of the original or of the submission: {}", transitions.unknown));
  }
  if (const std::vector<SelectionBias> biases = selection_biases(data.sessions, data.problems); !biases.empty()) {
    page.title("What the search saw, and what the final measurement found");
    page.grid(selection_bias_grid(biases));
    page.gap();
    page.line(fmt::format("selection bias: the best P seen in a search lies {:+.1f}% from the final one (geometric mean, n = {}); only the final one is scored",
                          100 * *mean_excess(biases), biases.size()));
  }
  for (const std::string& line : cost_lines(data)) {
    page.line(line);
  }
  for (const std::string& line : self_test_lines(data)) {
    page.line(line);
  }
  Run told = data.stored.run;
  std::erase_if(told.figures, [](const auto& each) { return each.first.starts_with("planned_"); });  // the head says it where it matters
  for (const auto& [what, value] : run_figure_words(told)) {
    page.line(what + ": " + value);
  }
}

}  // namespace

std::string render_report(const StoredRun& stored, Format format, const ReportOptions& options) {
  const ReportData data(stored);
  if (format == Format::json) {
    return render_json(data, options);
  }
  if (format == Format::html) {
    return render_page(data);
  }
  Document page(format);
  add_head(page, data);
  if (format == Format::csv) {
    page.grid(csv_table(data, options.cases ? "cases" : options.table));
    return page.take();
  }
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
    page.line("id: first digits of the record's, which `mskb rerun` takes; ?: undecided, the interval reaches further than 1 % to either side");
  }
  return page.take();
}

}  // namespace mskb
