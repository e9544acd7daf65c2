#include "report/compare.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.hpp"
#include "base/errors.hpp"
#include "model/command.hpp"
#include "report/comparison.hpp"
#include "report/figures.hpp"
#include "report/self_test.hpp"

namespace mskb {

namespace {

void check_comparable(const Run& a, const Run& b, bool any_device) {
  const auto refuse = [&](const char* what, const std::string& of_a, const std::string& of_b) {
    if (of_a != of_b && !any_device) {
      throw InputError(fmt::format("run {} is of {} {} and run {} of {}; their figures do not compare, ask with --any-device to see them "
                                   "side by side", a.id, what, of_a, b.id, of_b));
    }
  };
  refuse("backend", a.environment.backend, b.environment.backend);
  refuse("device", a.environment.device, b.environment.device);
  refuse("protocol", a.protocol, b.protocol);
}

// Whether every problem has one file at most: then the files of the run are one contestant.
bool has_one_file_each(const ReportData& data) {
  std::set<ProblemKey> seen;
  for (const ProblemScore& problem : data.problems) {
    if (problem.origin.starts_with("file:") && !seen.insert({problem.problem(), problem.set}).second) {
      return false;
    }
  }
  return true;
}

std::vector<Contestant> contestants_of(const ReportData& data, std::size_t run, bool baselines) {
  const bool one_file = has_one_file_each(data);
  std::map<std::string, Contestant> by_author;
  for (const ProblemScore& problem : data.problems) {
    const bool library = problem.origin.starts_with("baseline:");
    if (problem.origin == "reference" || problem.origin.starts_with("selftest:") || library != baselines) {
      continue;
    }
    const std::string author = library ? "baseline" : one_file && problem.origin.starts_with("file:") ? "file" : author_of(problem.origin);
    Contestant& contestant = by_author[author];
    contestant.run = run;
    contestant.author = author;
    const ProblemScore*& own = contestant.problems[{problem.problem(), problem.set}];
    if (own == nullptr || !library || problem.weighted_speedup > own->weighted_speedup) {
      own = &problem;
    }
  }
  std::vector<Contestant> list;
  for (auto& [author, contestant] : by_author) {
    list.push_back(std::move(contestant));
  }
  return list;
}

void add_contestants(Comparison& comparison, bool baselines) {
  std::vector<std::vector<Contestant>> by_run;
  bool others = false;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    by_run.push_back(contestants_of(*comparison.runs[i], i, false));
    others = others || !by_run.back().empty();
  }
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    if (baselines || !others) {
      for (Contestant& library : contestants_of(*comparison.runs[i], i, true)) {
        by_run[i].push_back(std::move(library));
      }
    }
    const std::string letter = i < 26 ? std::string(1, static_cast<char>('a' + i)) : fmt::format("r{}", i + 1);
    int number = 0;
    for (Contestant& contestant : by_run[i]) {
      contestant.label = by_run[i].size() == 1 ? letter : fmt::format("{}{}", letter, ++number);
      comparison.contestants.push_back(std::move(contestant));
    }
  }
}

// Where the runs hold one candidate at most: their originals, which tells how well the runs agree.
void compare_originals(Comparison& comparison) {
  comparison.contestants.clear();
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    Contestant originals;
    originals.run = i;
    originals.label = i < 26 ? std::string(1, static_cast<char>('a' + i)) : fmt::format("r{}", i + 1);
    originals.author = "reference";
    for (const ProblemScore& problem : comparison.runs[i]->problems) {
      if (problem.origin == "reference") {
        originals.problems[{problem.problem(), problem.set}] = &problem;
      }
    }
    comparison.contestants.push_back(std::move(originals));
  }
  comparison.lines.push_back("the runs hold one candidate at most: their originals are compared, whose P is 1 by definition; see the times");
}

using CaseKey = std::pair<std::string, std::string>;  // case, candidate and origin

std::map<CaseKey, const CaseScore*> cases_of(const ReportData& data) {
  std::map<CaseKey, const CaseScore*> cases;
  for (const CaseScore& score : data.cases) {
    cases.insert_or_assign({score.evaluation->case_name, score.evaluation->origin + "\n" + score.evaluation->candidate}, &score);
  }
  return cases;
}

void add_cases(Standing& standing, const std::map<CaseKey, const CaseScore*>& base_cases, const std::map<CaseKey, const CaseScore*>& own_cases) {
  const std::string base_key = standing.base->origin + "\n" + standing.base->candidate, own_key = standing.own->origin + "\n" + standing.own->candidate;
  double logs = 0;
  int times = 0;
  for (const auto& [key, base] : base_cases) {
    const Evaluation& evaluation = *base->evaluation;
    if (key.second != base_key || evaluation.task != standing.base->task || evaluation.precision != standing.base->precision ||
        evaluation.set != standing.base->set) {
      continue;
    }
    const auto found = own_cases.find({key.first, own_key});
    if (found == own_cases.end()) {
      continue;
    }
    const CaseScore& own = *found->second;
    if (base->time_us && own.time_us) {
      logs += std::log(*base->time_us / *own.time_us);
      ++times;
    }
    if (base->speedup && own.speedup) {
      const bool win = own.speedup->low > base->speedup->high, loss = own.speedup->high < base->speedup->low;
      ++(win ? standing.wins : loss ? standing.losses : standing.undecided);
    }
  }
  if (times > 0) {
    standing.time_ratio = std::exp(logs / times);
  }
}

bool solves(const ProblemScore* score) { return score != nullptr && score->is_success(); }

// Of scores on different clocks, or by different rules, none wins; of those of a damaged run, nothing is said.
Standing standing_of(const ProblemScore* base, const ProblemScore* own, bool timed, bool same_protocol, bool damaged) {
  Standing standing;
  standing.base = base;
  standing.own = own;
  if (damaged) {
    return standing;
  }
  const bool base_solves = solves(base), own_solves = solves(own);
  if (base_solves && own_solves) {
    standing.outcome = ProblemOutcome::undecided;
    if (timed && base->low > 0 && own->low > 0) {
      standing.ratio = own->weighted_speedup / base->weighted_speedup;
      standing.low = own->low / base->high;
      standing.high = own->high / base->low;
      // Without intervals (protocol paper) two scores are no more than their point estimates.
      const bool interval = own->low < own->high || base->low < base->high;
      if (interval && same_protocol) {
        standing.outcome = *standing.low > 1  ? ProblemOutcome::win
                           : *standing.high < 1 ? ProblemOutcome::loss
                                                : ProblemOutcome::undecided;
      }
    }
  } else if (base_solves != own_solves && same_protocol) {
    standing.outcome = own_solves ? ProblemOutcome::win : ProblemOutcome::loss;
  }
  return standing;
}

// The problems that a run holds a record of, its original's if nobody else's.
std::set<ProblemKey> problems_of(const ReportData& data) {
  std::set<ProblemKey> keys;
  for (const ProblemScore& problem : data.problems) {
    keys.insert({problem.problem(), problem.set});
  }
  return keys;
}

void add_standings(Comparison& comparison) {
  std::vector<std::map<CaseKey, const CaseScore*>> cases;
  std::vector<std::set<ProblemKey>> asked;
  for (const auto& run : comparison.runs) {
    cases.push_back(cases_of(*run));
    asked.push_back(problems_of(*run));
  }
  std::set<ProblemKey> keys;
  for (const Contestant& contestant : comparison.contestants) {
    for (const auto& [key, score] : contestant.problems) {
      keys.insert(key);
    }
  }
  comparison.problems.assign(keys.begin(), keys.end());
  comparison.totals.resize(comparison.contestants.size());
  std::vector<double> logs(comparison.contestants.size(), 0);
  for (const ProblemKey& key : comparison.problems) {
    comparison.common += std::all_of(asked.begin(), asked.end(), [&](const std::set<ProblemKey>& of_run) { return of_run.contains(key); });
    const auto score_of = [&](const Contestant& contestant) {
      const auto found = contestant.problems.find(key);
      return found == contestant.problems.end() ? nullptr : found->second;
    };
    const Contestant& first = comparison.contestants.front();
    std::vector<Standing> row;
    for (std::size_t i = 0; i < comparison.contestants.size(); ++i) {
      const Contestant& contestant = comparison.contestants[i];
      const bool same_protocol = comparison.runs[first.run]->is_paper() == comparison.runs[contestant.run]->is_paper();
      const bool damaged = !comparison.runs[first.run]->stored.valid() || !comparison.runs[contestant.run]->stored.valid();
      Standing standing = standing_of(score_of(first), score_of(contestant), comparison.timed, same_protocol, damaged);
      if (i > 0 && standing.own != nullptr && standing.base != nullptr && comparison.timed && !damaged) {
        add_cases(standing, cases[first.run], cases[contestant.run]);
      }
      const auto was_asked = [&](const Contestant& one, const ProblemScore* score) {
        return score != nullptr || (!one.is_library() && asked[one.run].contains(key));
      };
      if (!was_asked(contestant, standing.own) || !was_asked(first, standing.base)) {
        standing.outcome = ProblemOutcome::neither;
      }
      Total& total = comparison.totals[i];
      total.wins += standing.outcome == ProblemOutcome::win;
      total.losses += standing.outcome == ProblemOutcome::loss;
      total.undecided += standing.outcome == ProblemOutcome::undecided;
      total.neither += standing.outcome == ProblemOutcome::neither;
      total.cases_won += standing.wins;
      total.cases_lost += standing.losses;
      total.cases_undecided += standing.undecided;
      if (standing.ratio) {
        logs[i] += std::log(*standing.ratio);
        ++total.ratios;
        total.mean_ratio = std::exp(logs[i] / total.ratios);
      }
      row.push_back(standing);
    }
    comparison.standings.push_back(std::move(row));
  }
}

// How far the references' times of two runs are apart.
void add_drift(Comparison& comparison) {
  const auto reference_times = [](const ReportData& data) {
    std::map<std::string, double> times;
    for (const CaseScore& score : data.cases) {
      if (score.evaluation->origin == "reference" && score.time_us) {
        times[score.evaluation->case_name + "\n" + score.evaluation->candidate] = *score.time_us;
      }
    }
    return times;
  };
  const auto base = reference_times(*comparison.runs.front());
  for (std::size_t i = 1; i < comparison.runs.size() && comparison.timed; ++i) {
    double logs = 0;
    int shared = 0;
    for (const auto& [key, time] : reference_times(*comparison.runs[i])) {
      if (const auto found = base.find(key); found != base.end()) {
        logs += std::log(time / found->second);
        ++shared;
      }
    }
    if (shared > 0) {
      comparison.lines.push_back(fmt::format("the originals took {:.3f} times as long in run {} as in run {} (geometric mean of {}); "
                                             "times of two runs were not measured side by side",
                                             std::exp(logs / shared), comparison.runs[i]->stored.run.id, comparison.runs.front()->stored.run.id,
                                             counted(shared, "shared case")));
    }
  }
}

}  // namespace

Comparison compare_runs(const std::vector<StoredRun>& runs, const CompareOptions& options) {
  Comparison comparison;
  std::set<std::string> seen;
  for (const StoredRun& run : runs) {
    if (!run.directory.empty() && !seen.insert(std::filesystem::weakly_canonical(run.directory).string()).second) {
      throw InputError(fmt::format("run {} is given twice; give two runs, or one alone to compare its candidates", run.run.id));
    }
  }
  for (const StoredRun& run : runs) {
    check_comparable(runs.front().run, run.run, options.any_device);
    comparison.runs.push_back(std::make_unique<ReportData>(run));
    const ReportData& data = *comparison.runs.back();
    comparison.timed = comparison.timed && !data.scoring.cpu;
    for (const std::string& damage : data.stored.damage) {
      comparison.lines.push_back("INVALID RUN " + run.run.id + ", do not cite: " + damage);
    }
    if (const std::string reason = unfit_reason(run.run); !reason.empty()) {
      comparison.lines.push_back("unfit: the start-up self-test of run " + run.run.id + " failed, do not cite: " + reason);
    }
    for (const std::string& note : data.stored.notes) {
      comparison.lines.push_back("left out of run " + run.run.id + ": " + note);
    }
  }
  add_contestants(comparison, options.baselines);
  if (comparison.contestants.size() < 2 && runs.size() > 1) {
    compare_originals(comparison);
  }
  if (comparison.contestants.size() < 2) {
    std::vector<std::string> ids;
    for (const StoredRun& run : runs) {
      ids.push_back(run.run.id);
    }
    throw InputError(fmt::format("nothing to compare in run {}: there is {}; give runs with other candidates, or --baselines to compare with the "
                                 "vendor libraries", fmt::join(ids, ", "),
                                 comparison.contestants.empty() ? "no candidate beside the originals" : "one candidate only"));
  }
  add_standings(comparison);
  const bool shared = std::any_of(comparison.standings.begin(), comparison.standings.end(), [](const std::vector<Standing>& row) {
    return std::count_if(row.begin(), row.end(), [](const Standing& standing) { return standing.own != nullptr; }) > 1;
  });
  if (!shared) {
    throw InputError("the candidates share no problem of the same size set; give runs of the same tasks and --sizes");
  }
  add_drift(comparison);
  if (comparison.common < static_cast<int>(comparison.problems.size())) {
    comparison.lines.push_back(fmt::format("{} of {} problems are common to all runs; those that a run was not asked for are nobody's", comparison.common,
                                           comparison.problems.size()));
  }
  if (std::any_of(comparison.runs.begin(), comparison.runs.end(), [](const auto& run) { return !run->stored.valid(); })) {
    comparison.lines.push_back("a run is invalid: against it nothing is won or lost");
  }
  if (std::any_of(comparison.runs.begin(), comparison.runs.end(), [&](const auto& run) { return run->is_paper() != comparison.runs.front()->is_paper(); })) {
    comparison.lines.push_back("the protocols differ, and with them the clocks and the rules of what is right: nothing is won or lost between them");
  }
  const auto judged = [](const auto& run) { return judged_with(run->stored.run.command); };
  if (std::any_of(comparison.runs.begin(), comparison.runs.end(), [&](const auto& run) { return judged(run) != judged(comparison.runs.front()); })) {
    comparison.lines.push_back("some runs were judged with --races or --sanitize, others not: a failure of one may be a pass of another");
  }
  if (comparison.timed) {
    comparison.spend = spend_rows(comparison, options.spend);
  }
  return comparison;
}

}  // namespace mskb
