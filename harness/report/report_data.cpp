#include "report/report_data.hpp"

#include <charconv>
#include <set>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "report/figures.hpp"

namespace mskb {

namespace {

// Groups that hold a record of another device or backend than the run's: their figures do not belong into one table with the others.
StoredRun of_one_device(StoredRun stored) {
  const Environment& place = stored.run.environment;
  const auto is_foreign = [&](const Evaluation& evaluation) {
    return evaluation.device != place.device || evaluation.backend != place.backend;
  };
  std::set<std::string> foreign_groups;
  std::map<std::string, int> devices;
  for (const Evaluation& evaluation : stored.evaluations) {
    if (is_foreign(evaluation)) {
      foreign_groups.insert(evaluation.group);
      ++devices[evaluation.device];
    }
  }
  for (const Evaluation& evaluation : stored.evaluations) {
    if (foreign_groups.contains(evaluation.group)) {
      stored.left_out.push_back(evaluation);
    }
  }
  std::erase_if(stored.evaluations, [&](const Evaluation& evaluation) { return foreign_groups.contains(evaluation.group); });
  for (const auto& [device, records] : devices) {
    stored.notes.push_back(fmt::format("{} of {} in a run of {}; figures of two devices do not stand in one table", counted(records, "record"), device,
                                       place.device));
  }
  return stored;
}

int planned(const Run& run, const char* name) {
  int count = 0;
  if (const auto found = run.figures.find(name); found != run.figures.end()) {
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), count);
  }
  return count;
}

}  // namespace

ReportData::ReportData(const StoredRun& run)
    : stored(of_one_device(run)),
      scoring(ScoreOptions::of(stored.run, stored.evaluations)),
      cases(case_scores(stored.evaluations, scoring)),
      problems(scores(stored.evaluations, scoring, stored.left_out)),
      sessions(read_sessions(stored.directory)),
      planned_problems(planned(stored.run, "planned_problems")),
      planned_cases(planned(stored.run, "planned_cases")) {
  if (!stored.directory.empty()) {
    classes = read_profiled_classes(stored.directory / "profiles");
  }
  summaries = summarize(problems, planned_problems);
  std::set<std::string> sets;
  for (const ProblemScore& problem : problems) {
    sets.insert(problem.set);
  }
  several_sets = sets.size() > 1;
}

std::size_t ReportData::recorded_problems() const {
  std::set<std::string> names;
  for (const ProblemScore& problem : problems) {
    names.insert(problem.problem());
  }
  return names.size();
}

std::size_t ReportData::recorded_cases() const {
  std::set<std::string> groups;
  for (const Evaluation& evaluation : stored.evaluations) {
    groups.insert(evaluation.group);
  }
  return groups.size();
}

bool ReportData::unfinished() const {
  return static_cast<int>(recorded_problems()) < planned_problems || static_cast<int>(recorded_cases()) < planned_cases;
}

UndecidedCount undecided_count(const ReportData& data) {
  UndecidedCount count;
  for (const CaseScore& score : data.cases) {
    if (!score.speedup || score.evaluation->origin == "reference") {
      continue;
    }
    ++count.timed;
    if (!score.speedup->decided && data.scoring.clock != "batch") {
      ++count.undecided;
      count.faster += score.speedup->verdict == "faster";
      count.slower += score.speedup->verdict == "slower";
    }
  }
  return count;
}

std::vector<std::string> undecided_lines(const ReportData& data) {
  const UndecidedCount count = undecided_count(data);
  if (count.undecided == 0) {
    return {};
  }
  return {"undecided: how large the speedup is is not known to 1 %; its interval reaches further to either side",
          fmt::format("faster or slower is another question: of {} undecided of {} {} faster, {} slower, {} neither", count.undecided,
                      counted(count.timed, "speedup"), counted(count.faster, "is", "are"), count.slower,
                      count.undecided - count.faster - count.slower),
          "faster, slower: the whole interval lies more than 1 % off 1; neither: it does not, and nothing can be said"};
}

std::vector<std::string> cost_lines(const ReportData& data) {
  struct Sum {
    int sessions = 0, with_tokens = 0, with_money = 0;
    double evaluations = 0, tokens = 0, money = 0, wall_s = 0;
  };
  std::map<std::string, Sum> sums;
  for (const auto& [problem, session] : data.sessions.by_problem) {
    Sum& sum = sums[session.optimizer];
    ++sum.sessions;
    sum.evaluations += session.evaluations.value_or(0);
    sum.wall_s += session.wall_s.value_or(0);
    sum.with_tokens += session.tokens.has_value();
    sum.with_money += session.money.has_value();
    sum.tokens += session.tokens.value_or(0);
    sum.money += session.money.value_or(0);
  }
  std::vector<std::string> lines;
  for (const auto& [optimizer, sum] : sums) {
    std::string line = fmt::format("sessions of {}: {}, with {:.1f} evaluations and {:.0f} s each on average", optimizer, sum.sessions,
                                   sum.evaluations / sum.sessions, sum.wall_s / sum.sessions);
    line += sum.with_tokens == 0 ? "; tokens unknown"
                                 : fmt::format("; {:.0f} tokens a problem (known of {})", sum.tokens / sum.with_tokens, sum.with_tokens);
    const double each = sum.with_money == 0 ? 0 : sum.money / sum.with_money;
    const int decimals = each < 0.1 ? 4 : 2;  // of both, so that they agree
    line += sum.with_money == 0 ? "; cost unknown"
                                : fmt::format("; {:.{}f} US dollars a problem, {:.{}f} together (known of {})", each, decimals, sum.money, decimals, sum.with_money);
    lines.push_back(line);
  }
  for (const std::string& note : data.sessions.notes) {
    lines.push_back(note);
  }
  return lines;
}

}  // namespace mskb
