#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/characters.hpp"
#include "report/escape.hpp"
#include "report/figures.hpp"
#include "report/page_parts.hpp"

namespace mskb {

namespace {

std::string shown(const std::string& text) { return escape_html(visible_text(text)); }

// A cell with its figure to sort by; without one it sorts last.
std::string figure_cell(const std::optional<double>& value, const std::string& text, bool wide, const std::string& more = "") {
  return fmt::format("<td class=\"n{}\"{}>{}{}</td>", wide ? " wide" : "", value ? fmt::format(" data-v=\"{:.6g}\"", *value) : "", text, more);
}

// Where P and its interval lie between 1/8 and 128 times, as a small picture beside the figures.
std::string whisker(double value, double low, double high) {
  constexpr double least = -3, most = 7, width = 84;
  const auto x = [&](double ratio) { return (std::clamp(std::log2(std::max(ratio, 1e-9)), least, most) - least) / (most - least) * width; };
  return fmt::format("<svg class=\"w\" viewBox=\"-3 0 90 12\" aria-hidden=\"true\"><path class=\"one\" d=\"M{0:.1f} 0V12\"/>"
                     "<path class=\"span\" d=\"M{1:.1f} 6H{2:.1f}\"/><circle cx=\"{3:.1f}\" cy=\"6\" r=\"2.6\"/></svg>",
                     x(1), x(low), std::max(x(high), x(low) + 0.1), x(value));
}

struct Badge {
  std::string text, meaning;
};

std::vector<Badge> badges_of(const ProblemScore& problem, bool paper) {
  std::vector<Badge> badges;
  if (problem.partial) {
    badges.push_back({"partial", "some case is skipped, missing or without a time; it counts as no success"});
  }
  if (problem.missing > 0) {
    badges.push_back({fmt::format("{} missing", problem.missing), "cases without a record"});
  }
  if (problem.undecided > 0) {
    badges.push_back({fmt::format("{} undecided", problem.undecided), "cases whose interval reaches further than 1 % to either side"});
  }
  if (problem.launch_bound_share > 0) {
    badges.push_back({"launch-bound " + share_text(problem.launch_bound_share), "weight share of cases shorter than three null kernels"});
  }
  if (problem.stories_differ) {
    badges.push_back({"clocks differ", "in some case the clocks call and span tell ratios that differ by more than 10 %"});
  }
  if (problem.generations_differ) {
    badges.push_back({"processes differ", "in some case its two processes tell ratios that differ by more than twice the interval's half-width"});
  }
  if (problem.clock_unsteady) {
    badges.push_back({"clock fell", "in some case the device's clock fell by more than 3 % in more rounds than could be repeated"});
  }
  if (problem.origin_error) {
    badges.push_back({"origin error", "accepted by the original's own measured error"});
  }
  if (!paper && problem.correct && problem.paper_verdict == "failed") {
    badges.push_back({"rule refuses", "the published acceptance rule refuses it"});
  }
  return badges;
}

std::string row(const ReportData& data, const ProblemScore& problem, bool hidden) {
  const bool paper = data.is_paper();
  const std::string verdict = !paper || problem.paper_verdict.empty() ? problem.worst_verdict : problem.paper_verdict;
  const char* kind = !problem.correct ? "bad" : problem.is_success() ? "good" : "part";
  std::string html = fmt::format(
      "<tr{7} data-problem=\"{0}\" data-precision=\"{1}\" data-origin=\"{2}\" data-verdict=\"{3}\"><th scope=\"row\" data-v=\"{0}\">"
      "<a class=\"open\" href=\"#\" data-open=\"{0}\">{4}</a> <span class=\"precision\">{1}</span>{5}</th><td>{2}</td>"
      "<td><span class=\"verdict {6}\">{3}</span></td>",
      shown(problem.problem()), shown(problem.precision), shown(origin_text(problem.origin)), shown(verdict), shown(problem.task),
      data.several_sets ? fmt::format(" <span class=\"precision\">{}</span>", shown(problem.set)) : "", kind,
      hidden ? " data-original" : "");
  html += fmt::format("<td class=\"n wide\" data-v=\"{0}\">{0}<span class=\"of\">/{1}</span></td>", problem.passed,
                      problem.cases + problem.missing);
  if (!data.scoring.cpu) {
    const bool scored = problem.timed > 0 || !problem.correct;
    const bool interval = problem.low != problem.high;
    html += figure_cell(scored ? std::optional(problem.weighted_speedup) : std::nullopt, scored ? ratio_text(problem.weighted_speedup) : "–",
                        false, interval ? fmt::format(" <span class=\"of\">{}–{}</span>", ratio_text(problem.low), ratio_text(problem.high)) : "");
    html += fmt::format("<td class=\"picture wide\">{}</td>",
                        problem.weighted_speedup > 0 ? whisker(problem.weighted_speedup, problem.low, problem.high) : "");
    const auto ratio = [](const std::optional<double>& value) { return value ? ratio_text(*value) : "–"; };
    const auto time = [](const std::optional<double>& value) { return value ? time_text(value) : "–"; };
    const auto share = [](const std::optional<double>& value) { return value ? share_text(value) : "–"; };
    html += figure_cell(problem.call_weighted_speedup, ratio(problem.call_weighted_speedup), true);
    html += figure_cell(problem.reference_largest_us, time(problem.reference_largest_us), true);
    html += figure_cell(problem.largest_us, time(problem.largest_us), true);
    html += figure_cell(problem.ratio_to_best_baseline, ratio(problem.ratio_to_best_baseline), true);
    html += figure_cell(problem.limit_share, share(problem.limit_share), true);
    html += figure_cell(problem.headroom_closed, share(problem.headroom_closed), true);
  }
  html += "<td class=\"flags\">";
  const char* before = "";
  for (const Badge& badge : badges_of(problem, paper)) {
    html += fmt::format("{}<span class=\"badge\" title=\"{}\">{}</span>", before, badge.meaning, badge.text);
    before = " · ";
  }
  return html + "</td></tr>\n";
}

enum class Column { text, figure, wide_figure };

std::string heading(const char* title, const char* meaning, Column column) {
  return fmt::format("<th scope=\"col\" aria-sort=\"none\"{}><button type=\"button\" class=\"sort\" title=\"{}\">{}</button></th>",
                     column == Column::text ? "" : column == Column::figure ? " class=\"n\"" : " class=\"n wide\"", meaning, title);
}

}  // namespace

std::string page_problem_table(const ReportData& data) {
  std::string html = "<table id=\"problems\"><caption class=\"hidden\">Problems of the run, a row for each candidate</caption><thead><tr>";
  html += heading("Problem", "task and precision", Column::text) + heading("Candidate", "who wrote it", Column::text) +
          heading("Verdict", "the worst of all cases", Column::text) + heading("Cases", "passed of all, check cases included", Column::wide_figure);
  if (!data.scoring.cpu) {
    const std::string clock = time_clock(data.stored.evaluations, data.scoring), meaning = escape_html(clock_meaning(clock));
    html += heading("P", "mean speedup over the original, weighted by size, with its interval", Column::figure) +
            "<th scope=\"col\" class=\"picture wide\"><span class=\"hidden\">P as a picture</span></th>" +
            heading("P call", "P on the host's clock: what a user waits for", Column::wide_figure) +
            heading(fmt::format("Original {} µs", clock).c_str(), ("the original's time at the largest case: " + meaning).c_str(), Column::wide_figure) +
            heading(fmt::format("Own {} µs", clock).c_str(), ("time at the largest case: " + meaning).c_str(), Column::wide_figure) +
            heading("× library", "best library's time over this one's, at the largest case", Column::wide_figure) +
            heading("Limit", "share of the attainable limit at the largest case", Column::wide_figure) +
            heading("Closed", "share of the way from the original to the limit", Column::wide_figure);
  }
  html += "<th scope=\"col\">Notes</th></tr></thead>\n<tbody>\n";
  const std::vector<const ProblemScore*> always = shown_problems(data, false);
  for (const ProblemScore& problem : data.problems) {
    html += row(data, problem, std::find(always.begin(), always.end(), &problem) == always.end());
  }
  return html + "</tbody></table>\n";
}

}  // namespace mskb
