#include <fmt/format.h>

#include <cmath>

#include "astra/loop.hpp"
#include "common/device_text.hpp"
#include "common/problem_text.hpp"
#include "common/report_text.hpp"
#include "common/rounds_text.hpp"

// What the loop tells its agents of its own course.
namespace mskb::astra {

namespace {

// Over the cases that have a speedup on the clock; Astra's own figure.
std::optional<double> geometric_mean(const optimizer::Report& report, const std::string& clock) {
  double sum = 0;
  int count = 0;
  for (const optimizer::CaseReport& each : report.cases) {
    if (const auto found = each.speedup.find(clock); found != each.speedup.end() && found->second.value > 0) {
      sum += std::log(found->second.value);
      ++count;
    }
  }
  return count > 0 ? std::optional(std::exp(sum / count)) : std::nullopt;
}

}  // namespace

std::map<std::string, std::set<std::string>> prompt_values() {
  const std::set<std::string> common{"problem", "device", "entry", "declaration", "rows_rule", "wanted"};
  std::map<std::string, std::set<std::string>> names{{"system", {}},
                                                     {"testing", {"code", "sizes"}},
                                                     {"planning", {"round", "rounds", "start", "code", "tests", "times", "analysis", "log"}},
                                                     {"coding", {"code", "plan"}},
                                                     {"profiling", {"code", "version", "times"}}};
  for (auto& [prompt, own] : names) {
    own.insert(common.begin(), common.end());
  }
  return names;
}

std::map<std::string, std::string> Loop::common_values() const {
  return {{"problem", agents::problem_text(start_, settings_.scored_sizes)},
          {"device", agents::device_text(start_)},
          {"entry", start_.entry},
          {"declaration", start_.declaration},
          {"rows_rule", agents::has_rows(start_) ? ", and rows that no vector width divides" : ""},
          {"wanted", wanted_tests_.empty() ? "None that could be read.\n" : wanted_tests_}};
}

std::string Loop::start_text() const {
  const Round& from = entry(from_);
  std::string text;
  if (from.number == 0) {
    text = log_.empty() ? "The original.\n" : "The original: no version was correct and as fast as it.\n";
  } else if (!from.report) {
    text = fmt::format("The code of round {}, which failed and has to be corrected.", from.number);
    text += best_ == 0 ? " No version was correct so far.\n"
                       : fmt::format(" The best correct version so far is that of round {}: {}.\n", entry(best_).number, entry(best_).outcome);
  } else {
    text = fmt::format("The code of round {}, {}.\n", from.number,
                       is_timed() ? "the best correct version so far" : "the last that was correct; nothing is timed");
  }
  if (log_.empty() || log_.size() == from_) {
    return text;
  }
  const Round& last = log_.back();
  if (last.source.empty()) {
    return text + fmt::format("Round {} gave no new code: {}.\n", last.number, last.outcome);
  }
  return text + fmt::format("Round {} was correct but no better{}, and its code is dropped. What it tried is its plan in the log.\n",
                            last.number,
                            from.number > 0 && last.report && from.report
                                ? " (" + agents::lost_text(*last.report, *from.report, start_.clock) + ")"
                                : "");
}

std::string Loop::table_text() const {
  std::vector<agents::TimedVersion> versions;
  std::string means;
  for (const Round& round : log_) {
    if (round.report && agents::has_times(*round.report, start_.clock)) {
      versions.push_back({fmt::format("round {}", round.number), &*round.report});
      if (const auto mean = geometric_mean(*round.report, start_.clock)) {
        means += fmt::format("{}round {} {:.3f}", means.empty() ? "Geometric mean of the speedups: " : ", ", round.number, *mean);
      }
    }
  }
  return agents::times_table(original_.report ? &*original_.report : nullptr, versions, start_.clock) + (means.empty() ? "" : means + ".\n");
}

// Times are in the table, and what was said of the code at hand stands beside that.
std::string Loop::log_text() const {
  std::string text;
  for (const Round& round : log_) {
    text += fmt::format("Round {}: {}\nIts plan:\n{}\n", round.number, round.outcome, agents::plan_excerpt(round.plan, 4000));
    if (!round.analysis.empty() && round.number != entry(from_).number) {
      text += fmt::format("What the profiling agent said of it:\n{}\n", agents::plan_excerpt(round.analysis, 2500));
    }
  }
  return text.empty() ? "Empty; this is the first round.\n" : text;
}

}  // namespace mskb::astra
