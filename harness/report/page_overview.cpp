#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/characters.hpp"
#include "model/command.hpp"
#include "report/escape.hpp"
#include "report/figures.hpp"
#include "report/page_parts.hpp"
#include "report/run_figures.hpp"
#include "report/self_test.hpp"

namespace mskb {

namespace {

std::string shown(const std::string& text) { return escape_html(visible_text(text)); }

std::string tile(const std::string& figure, const std::string& what) {
  return fmt::format("<div class=\"tile\"><dt>{}</dt><dd>{}</dd></div>", what, figure);
}

std::string notice(const char* kind, const std::string& text) {
  return fmt::format("<p class=\"notice {}\" role=\"note\">{}</p>\n", kind, shown(text));
}

std::string notices(const ReportData& data) {
  std::string html;
  for (const std::string& damage : data.stored.damage) {
    html += notice("bad", "Invalid run, do not cite: " + damage);
  }
  if (const std::string reason = unfit_reason(data.stored.run); !reason.empty()) {
    html += notice("bad", "Unfit: the start-up self-test failed, do not cite: " + reason);
  }
  for (const std::string& note : data.stored.notes) {
    html += notice("part", "Left out: " + note);
  }
  for (const std::string& note : data.sessions.notes) {
    html += notice("part", note);
  }
  if (data.stored.evaluations.empty()) {
    html += notice("part", "This run is empty: no complete record is on file, so there is nothing to score.");
  }
  if (data.unfinished()) {
    html += notice("part", fmt::format("Unfinished: {} of {} planned problems and {} of {} planned cases have records; what follows is of those alone.",
                                       data.recorded_problems(), data.planned_problems, data.recorded_cases(),
                                       data.planned_cases == 0 ? "an unknown number" : fmt::format("{}", data.planned_cases)));
  }
  if (data.scoring.cpu) {
    html += notice("part", "CPU backend: verdicts only; no speedup is ever computed from it.");
  }
  if (const std::string mode = judged_with(data.stored.run.command); !mode.empty()) {
    html += notice("part", "Judged with " + mode + ", which finds more faults than a plain run.");
  }
  if (data.stored.run.sandbox != "full") {
    html += notice("part", fmt::format("The sandbox was `{}`: candidates were not kept from the machine.", data.stored.run.sandbox));
  }
  if (!data.scoring.cpu && data.scoring.clock == "call" && !data.stored.evaluations.empty()) {
    html += notice("part", "No record has the clock `span`: speedups are on `call`, which includes launch and synchronization.");
  }
  return html;
}

std::string tiles(const ReportData& data) {
  int passed = 0, failed = 0, skipped = 0;
  for (const CaseScore& score : data.cases) {
    passed += score.outcome == Outcome::passed;
    failed += score.outcome == Outcome::failed;
    skipped += score.outcome == Outcome::skipped;
  }
  const std::size_t planned = std::max<std::size_t>(static_cast<std::size_t>(data.planned_problems), data.recorded_problems());
  std::string html = "<dl class=\"tiles\">";
  html += tile(fmt::format("{}<span class=\"of\"> of {}</span>", data.recorded_problems(), planned), "problems on record");
  html += tile(fmt::format("{}", passed), "evaluations passed");
  html += tile(fmt::format("{}", failed), "failed");
  html += tile(fmt::format("{}", skipped), "skipped");
  if (!data.scoring.cpu) {
    const UndecidedCount count = undecided_count(data);
    html += tile(fmt::format("{}<span class=\"of\"> of {}</span>", count.undecided, count.timed), "speedups undecided (interval wider than 1 %)");
  }
  const std::string line = fmt::format("{}", fmt::join(undecided_lines(data), "; "));
  return html + "</dl>\n" + (line.empty() ? "" : fmt::format("<p class=\"fine\" id=\"undecided\">{}</p>\n", shown(line)));
}

std::string summary_table(const ReportData& data) {
  const bool timed = !data.scoring.cpu;
  std::string html = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Summary by candidate\"><table id=\"summary\"><caption class=\"hidden\">"
                     "Summary by candidate</caption><thead><tr><th scope=\"col\">Candidate</th>";
  if (data.several_sets) {
    html += "<th scope=\"col\">Sizes</th>";
  }
  for (const char* title : {"Problems", "Correct", "Partial", "Incorrect", "No record"}) {
    html += fmt::format("<th scope=\"col\" class=\"n\">{}</th>", title);
  }
  for (const double tau : thresholds) {
    if (timed || tau == 0) {
      html += fmt::format("<th scope=\"col\" class=\"n\">{}</th>", tau == 0 ? std::string("Success") : fmt::format("P &gt; {}", tau));
    }
  }
  html += timed ? "<th scope=\"col\" class=\"n\">Geometric mean</th><th scope=\"col\" class=\"n\">× best library</th></tr></thead><tbody>\n"
                : "</tr></thead><tbody>\n";
  for (const Summary& summary : data.summaries) {
    html += fmt::format("<tr><th scope=\"row\">{}</th>", shown(origin_text(summary.origin)));
    if (data.several_sets) {
      html += fmt::format("<td>{}</td>", shown(summary.set));
    }
    for (const int count : {summary.problems, summary.correct, summary.partial, summary.incorrect, summary.without_record}) {
      html += fmt::format("<td class=\"n\">{}</td>", count);
    }
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
      if (timed || thresholds[i] == 0) {
        html += fmt::format("<td class=\"n\">{}</td>", share_text(static_cast<double>(summary.successes[i]) / summary.problems));
      }
    }
    if (timed) {
      const auto mean = [](const std::optional<double>& value, int n, int of) {
        return fmt::format("<td class=\"n\">{} <span class=\"of\">n = {} of {}</span></td>", value ? ratio_text(*value) : "–", n, of);
      };
      html += mean(summary.geometric_mean, summary.geometric_problems, summary.problems) +
              mean(summary.baseline_ratio, summary.baseline_problems, summary.problems);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string failures(const ReportData& data) {
  const std::vector<std::string> lines = failure_lines(data);
  if (lines.empty()) {
    return "";
  }
  std::string html = fmt::format("<details class=\"failures\"><summary>{} of failed or skipped cases</summary><ul>\n",
                                 lines.size() == 1 ? std::string("One kind") : fmt::format("{} kinds", lines.size()));
  for (const std::string& line : lines) {
    html += fmt::format("<li>{}</li>\n", shown(line));
  }
  return html + "</ul></details>\n";
}

// Words as a shell takes them.
std::string command_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@") == std::string::npos;
    std::string quoted = "'";
    for (const char c : word) {
      quoted += c == '\'' ? "'\\''" : std::string(1, c);
    }
    line += (line.empty() ? "" : " ") + (plain ? word : quoted + "'");
  }
  return line;
}

}  // namespace

std::string page_overview(const ReportData& data) {
  std::string html = notices(data) + tiles(data);
  if (!data.summaries.empty()) {
    html += summary_table(data);
    html += "<p class=\"fine\">A success passes every case; failures, partial problems and those without a record stay in the denominator. ";
    html += data.scoring.cpu ? "</p>\n" : "The geometric mean is over the n successes alone.</p>\n";
    html += data.scoring.cpu ? "" : "<div id=\"overview-charts\" class=\"charts\"></div>\n";
  }
  for (const std::string& line : self_test_lines(data)) {
    html += fmt::format("<p class=\"fine\">{}</p>\n", shown(line));
  }
  return html + failures(data);
}

std::string page_environment(const ReportData& data) {
  const Run& run = data.stored.run;
  const Environment& place = run.environment;
  std::vector<std::pair<std::string, std::string>> facts{
      {"Device", place.device},       {"Compute capability", place.compute_capability},
      {"Driver", place.driver},       {"Toolkit", place.toolkit},
      {"Runtime", place.runtime},     {"Compiler", place.compiler},
      {"Processor", place.cpu.empty() ? "" : fmt::format("{}, {} cores", place.cpu, place.cores)},
      {"System", place.kernel},       {"Protocol", run.protocol},
      {"Sandbox", run.sandbox},       {"Run", run.id + " of " + run.started},
      {"mskb", run.tool_version + (run.tool_commit.empty() ? "" : " (" + run.tool_commit + ")")}};
  if (place.multiprocessors > 0) {
    facts.push_back({"Multiprocessors", fmt::format("{}", place.multiprocessors)});
  }
  if (place.l2_bytes > 0) {
    facts.push_back({"L2 cache", fmt::format("{:.0f} MiB", place.l2_bytes / 1048576)});
  }
  facts.push_back({"Memory bandwidth", place.memory_bandwidth > 0 ? fmt::format("{:.0f} GB/s by data sheet", place.memory_bandwidth / 1e9) : "unknown"});
  facts.push_back({"FP32 peak", place.fp32_flops > 0 ? fmt::format("{:.1f} TFLOP/s vector", place.fp32_flops / 1e12) : "unknown"});
  for (const auto& [what, value] : run_figure_words(run)) {
    facts.push_back({what, value});
  }
  std::string html = "<dl class=\"facts\">\n";
  for (const auto& [name, value] : facts) {
    if (!value.empty()) {
      html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", shown(name), shown(value));
    }
  }
  html += "</dl>\n<h3>Self-test of every case</h3>\n";
  const std::vector<std::string> tests = self_test_lines(data);
  html += tests.empty() ? "<p>Not asked for: <code>--self-test</code> also times, at every case, the original against itself and against a slower copy.</p>\n" : "<ul>\n";
  for (const std::string& line : tests) {
    html += fmt::format("<li>{}</li>\n", shown(line));
  }
  html += tests.empty() ? "" : "</ul>\n";
  const std::vector<std::string> costs = cost_lines(data);
  if (!costs.empty()) {
    html += "<h3>Sessions</h3>\n<ul>\n";
    for (const std::string& line : costs) {
      html += fmt::format("<li>{}</li>\n", shown(line));
    }
    html += "</ul>\n";
  }
  return html + fmt::format("<h3>How it was made</h3>\n<pre class=\"command\" tabindex=\"0\" aria-label=\"Command of the run\">{}</pre>\n"
                            "<p>An evaluation is repeated with <code>mskb rerun ID --from RUN</code>, where RUN is this run's directory; the "
                            "page of each problem shows the line for each case.</p>\n",
                            shown(command_line(run.command)));
}

}  // namespace mskb
