#include "common/rounds_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/report_text.hpp"

namespace mskb::agents {

namespace {

const optimizer::CaseReport* case_of(const optimizer::Report* report, const std::string& name) {
  if (report == nullptr) {
    return nullptr;
  }
  const auto found = std::find_if(report->cases.begin(), report->cases.end(),
                                  [&](const optimizer::CaseReport& each) { return each.name == name; });
  return found == report->cases.end() ? nullptr : &*found;
}

const double* figure(const std::map<std::string, double>& figures, const std::string& clock) {
  const auto found = figures.find(clock);
  return found == figures.end() ? nullptr : &found->second;
}

const optimizer::Speedup* speedup_of(const optimizer::CaseReport* each, const std::string& clock) {
  if (each == nullptr) {
    return nullptr;
  }
  const auto found = each->speedup.find(clock);
  return found == each->speedup.end() ? nullptr : &found->second;
}

bool has_interval(const optimizer::Speedup& speedup) { return speedup.high > speedup.low; }

std::string with_interval(double value, double low, double high) {
  return high > low ? fmt::format("{:.3f} [{:.3f}, {:.3f}]", value, low, high) : fmt::format("{:.3f}", value);
}

// 1 faster, -1 slower, 0 where the intervals meet.
int change(const optimizer::Speedup& now, const optimizer::Speedup& before) {
  return now.low > before.high ? 1 : now.high < before.low ? -1 : 0;
}

struct Row {
  std::string name, label;
};

void add_rows(std::vector<Row>& rows, const optimizer::Report* report, const std::string& clock) {
  if (report == nullptr) {
    return;
  }
  for (const optimizer::CaseReport& each : report->cases) {
    const bool known = std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.name == each.name; });
    if (!known && figure(each.median_us, clock) != nullptr) {
      rows.push_back({each.name, case_text(each)});
    }
  }
}

std::string original_cell(const Row& row, const optimizer::Report* original, const std::vector<TimedVersion>& versions,
                          const std::string& clock) {
  if (const auto* each = case_of(original, row.name)) {
    if (const double* median = figure(each->median_us, clock)) {
      return fmt::format("{:.2f}", *median);
    }
  }
  for (auto version = versions.rbegin(); version != versions.rend(); ++version) {
    const auto* each = case_of(version->report, row.name);
    const double* median = each == nullptr ? nullptr : figure(each->reference_median_us, clock);
    if (median != nullptr) {
      return fmt::format("{:.2f}", *median);
    }
  }
  return "-";
}

std::string cell(const Row& row, const std::vector<TimedVersion>& versions, std::size_t at, const std::string& clock) {
  const auto* each = case_of(versions[at].report, row.name);
  const double* median = each == nullptr ? nullptr : figure(each->median_us, clock);
  if (median == nullptr) {
    return "-";
  }
  std::string text = fmt::format("{:.2f}", *median);
  const optimizer::Speedup* speedup = speedup_of(each, clock);
  if (speedup == nullptr) {
    return text;
  }
  text += "; " + with_interval(speedup->value, speedup->low, speedup->high);
  const optimizer::Speedup* before = at == 0 ? nullptr : speedup_of(case_of(versions[at - 1].report, row.name), clock);
  if (before != nullptr && has_interval(*speedup) && has_interval(*before)) {
    const int changed = change(*speedup, *before);
    text += changed > 0 ? " faster" : changed < 0 ? " slower" : " same";
  }
  return text;
}

std::string meaning_text(const std::string& clock, bool several, bool intervals) {
  std::string text = "Of each version: its median time in us; its speedup";
  text += intervals ? " with the 95 % interval" : "";
  text += several && intervals ? ", and whether that is faster or slower than the version to its left (same: the intervals meet, so that no "
                                 "change is known)"
                               : "";
  text += clock == "batch" ? ".\nA speedup is the original's time over the version's, one figure without an interval. "
                           : ".\nA speedup is the geometric mean of the ratios original over version, each of one pass in which both were "
                             "timed by turns: it is not the quotient of two medians. ";
  return text + "The score is the arithmetic mean of the speedups, each weighted by its size's share" +
         (intervals ? "; beside it stands the same mean of the intervals' ends.\n" : ".\n");
}

std::string bare_launch_text(const optimizer::Report* original, const std::vector<TimedVersion>& versions, const std::string& clock) {
  std::vector<double> figures;
  const auto add = [&](const optimizer::Report* report) {
    for (std::size_t i = 0; report != nullptr && i < report->cases.size(); ++i) {
      if (report->cases[i].null_kernel_us > 0) {
        figures.push_back(report->cases[i].null_kernel_us);
      }
    }
  };
  add(original);
  for (const TimedVersion& version : versions) {
    add(version.report);
  }
  if (clock != "span" || figures.empty()) {
    return "";
  }
  std::nth_element(figures.begin(), figures.begin() + static_cast<std::ptrdiff_t>(figures.size() / 2), figures.end());
  return fmt::format("A bare launch, of one kernel that does nothing, takes {:.2f} us on the same clock.\n", figures[figures.size() / 2]);
}

}  // namespace

std::string score_text(const optimizer::Report& report, const std::string& clock) {
  const auto score = report.weighted_speedup(clock);
  if (!score) {
    return "";
  }
  double low = 0, high = 0, weights = 0;
  for (const optimizer::CaseReport& each : report.cases) {
    if (const optimizer::Speedup* speedup = speedup_of(&each, clock)) {
      low += each.weight * speedup->low;
      high += each.weight * speedup->high;
      weights += each.weight;
    }
  }
  return with_interval(*score, low / weights, high / weights);
}

std::string times_table(const optimizer::Report* original, const std::vector<TimedVersion>& versions, const std::string& clock) {
  std::vector<Row> rows;
  for (const TimedVersion& version : versions) {
    add_rows(rows, version.report, clock);
  }
  add_rows(rows, original, clock);
  if (rows.empty()) {
    return "No times were taken.\n";
  }
  std::string head = "| case | original, us |", line = "|---|---|", scores = "| score | |";
  bool scored = false, intervals = false;
  for (const TimedVersion& version : versions) {
    const std::string score = score_text(*version.report, clock);
    head += " " + version.name + " |";
    line += "---|";
    scores += " " + score + " |";
    scored = scored || !score.empty();
    intervals = intervals || score.find('[') != std::string::npos;
  }
  std::string text = head + "\n" + line + "\n";
  for (const Row& row : rows) {
    text += "| " + row.label + " | " + original_cell(row, original, versions, clock) + " |";
    for (std::size_t at = 0; at < versions.size(); ++at) {
      text += " " + cell(row, versions, at, clock) + " |";
    }
    text += "\n";
  }
  text += scored ? scores + "\n" : "";
  text += versions.empty() ? "" : meaning_text(clock, versions.size() > 1, intervals);
  return text + bare_launch_text(original, versions, clock);
}

std::string lost_text(const optimizer::Report& lower, const optimizer::Report& better, const std::string& clock) {
  int slower = 0, faster = 0, sizes = 0;
  for (const optimizer::CaseReport& each : lower.cases) {
    const optimizer::Speedup* now = speedup_of(&each, clock);
    const optimizer::Speedup* before = speedup_of(case_of(&better, each.name), clock);
    if (now != nullptr && before != nullptr) {
      const int changed = change(*now, *before);
      slower += changed < 0;
      faster += changed > 0;
      ++sizes;
    }
  }
  return fmt::format("score {} against {}; of {} sizes slower at {}, faster at {}, no change known at the others", score_text(lower, clock),
                     score_text(better, clock), sizes, slower, faster);
}

}  // namespace mskb::agents
