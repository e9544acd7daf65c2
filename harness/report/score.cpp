#include "report/score.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace mskb {

namespace {

using Key = std::tuple<std::string, std::string, std::string, std::string>;  // task, precision, origin, candidate

struct KnownCandidate {
  std::size_t position;  // of its first evaluation
  Key key;
  std::vector<const CaseScore*> cases;
};

// By problem, and there in the order of the records.
std::vector<KnownCandidate> candidates_of(const std::vector<CaseScore>& all) {
  std::map<Key, KnownCandidate> by_key;
  for (const CaseScore& score : all) {
    const Evaluation& own = *score.evaluation;
    const Key key{own.task, own.precision, own.origin, own.candidate};
    const auto position = static_cast<std::size_t>(&score - all.data());
    by_key.emplace(key, KnownCandidate{position, key, {}}).first->second.cases.push_back(&score);
  }
  std::vector<KnownCandidate> list;
  for (auto& [key, candidate] : by_key) {
    list.push_back(std::move(candidate));
  }
  std::sort(list.begin(), list.end(), [](const KnownCandidate& a, const KnownCandidate& b) {
    return std::tie(std::get<0>(a.key), std::get<1>(a.key), a.position) <
           std::tie(std::get<0>(b.key), std::get<1>(b.key), b.position);
  });
  return list;
}

// A case that was evaluated twice counts once: its failure if there is one, else its last evaluation.
std::vector<CaseScore> without_repeats(const std::vector<const CaseScore*>& all) {
  std::map<std::string, std::size_t> place;
  std::vector<CaseScore> once;
  for (const CaseScore* score : all) {
    const auto [found, fresh] = place.emplace(score->evaluation->case_name, once.size());
    if (fresh) {
      once.push_back(*score);
    } else if (once[found->second].outcome != Outcome::failed) {
      once[found->second] = *score;
    }
  }
  return once;
}

std::string worst_of(const std::map<std::string, int>& counts) {
  std::string worst = "passed";
  int rank = 0;
  for (const VerdictInfo& known : verdicts) {
    const auto found = counts.find(std::string(known.name));
    if (found == counts.end() || known.verdict == Verdict::passed) {
      continue;
    }
    const int own = known.failure ? 1000000 + found->second : found->second;
    if (own > rank) {
      rank = own;
      worst = known.name;
    }
  }
  return worst;
}

void count(ProblemScore& problem, const CaseScore& score) {
  const Evaluation& evaluation = *score.evaluation;
  ++problem.cases;
  problem.passed += score.outcome == Outcome::passed;
  problem.failed += score.outcome == Outcome::failed;
  problem.skipped += score.outcome == Outcome::skipped;
  ++problem.verdicts[std::string(to_string(evaluation.verdict))];
  problem.origin_error |= evaluation.origin_error;
  // What ended before its outputs could be compared passes no rule.
  const bool not_compared = evaluation.set == "paper" && evaluation.paper_verdict.empty() && info(evaluation.verdict).failure;
  const std::string rule = not_compared ? "failed" : evaluation.paper_verdict;
  if (rule == "failed" || problem.paper_verdict.empty()) {
    problem.paper_verdict = rule;
  }
}

void add_largest(ProblemScore& problem, const std::vector<CaseScore>& cases) {
  const CaseScore* largest = nullptr;
  for (const CaseScore& score : cases) {
    const Evaluation& own = *score.evaluation;
    if (own.set == problem.set &&
        (largest == nullptr || std::pair(own.weight, case_index(own)) >
                                   std::pair(largest->evaluation->weight, case_index(*largest->evaluation)))) {
      largest = &score;
    }
  }
  if (largest == nullptr) {
    return;
  }
  problem.largest_case = largest->evaluation->case_name;
  problem.ratio_to_best_baseline = largest->ratio_to_best_baseline;
  problem.largest_us = largest->time_us;
  problem.reference_largest_us = largest->reference_us;
  problem.best_baseline_us = largest->best_baseline_us;
  problem.limit_share = largest->limit_share;
  problem.headroom_closed = largest->headroom_closed;
}

void add_speedup(ProblemScore& problem, const std::vector<CaseScore>& cases, double missing_weight) {
  double weights = missing_weight, sum = 0, low = 0, high = 0, call = 0, launch_bound = 0;
  int in_set = problem.missing, with_call = 0;
  for (const CaseScore& score : cases) {
    const Evaluation& own = *score.evaluation;
    if (own.set != problem.set) {
      continue;
    }
    ++in_set;
    weights += own.weight;
    if (!score.speedup) {
      continue;
    }
    ++problem.timed;
    problem.undecided += problem.clock != "batch" && !score.speedup->decided;
    problem.stories_differ |= own.timing->stories_differ;
    problem.generations_differ |= own.timing->generations_differ;
    problem.clock_unsteady |= own.timing->clock_unsteady;
    sum += own.weight * score.speedup->value;
    low += own.weight * score.speedup->low;
    high += own.weight * score.speedup->high;
    launch_bound += own.timing->launch_bound ? own.weight : 0;
    if (score.call_speedup) {
      ++with_call;
      call += own.weight * score.call_speedup->value;
    }
  }
  problem.partial |= problem.correct && problem.timed > 0 && problem.timed < in_set;
  if (!(weights > 0) || problem.timed == 0) {
    return;
  }
  problem.launch_bound_share = launch_bound / weights;
  if (problem.correct) {
    problem.weighted_speedup = sum / weights;
    problem.low = low / weights;
    problem.high = high / weights;
    if (with_call == problem.timed) {
      problem.call_weighted_speedup = call / weights;
    }
  }
}

}  // namespace

std::vector<ProblemScore> scores(const std::vector<Evaluation>& evaluations, const ScoreOptions& options,
                                 const std::vector<Evaluation>& left_out) {
  const std::vector<CaseScore> all = case_scores(evaluations, options);
  std::map<std::pair<std::string, std::string>, std::map<std::string, const Evaluation*>> known;  // problem, set -> cases
  for (const CaseScore& score : all) {
    const Evaluation& own = *score.evaluation;
    known[{own.task + "/" + own.precision, own.set}].emplace(own.case_name, &own);
  }
  for (const Evaluation& own : left_out) {
    known[{own.task + "/" + own.precision, own.set}].emplace(own.case_name, &own);
  }
  std::vector<ProblemScore> result;
  for (const KnownCandidate& candidate : candidates_of(all)) {
    const std::vector<CaseScore> cases = without_repeats(candidate.cases);
    std::set<std::string> sets;
    for (const CaseScore& score : cases) {
      sets.insert(score.evaluation->set);
    }
    if (sets.size() > 1) {
      sets.erase("check");
    }
    for (const std::string& set : sets) {
      ProblemScore problem;
      std::tie(problem.task, problem.precision, problem.origin, problem.candidate) = candidate.key;
      problem.set = set;
      problem.clock = options.clock;
      std::set<std::string> own_names;
      for (const CaseScore& score : cases) {
        if (score.evaluation->set == set || score.evaluation->set == "check") {
          count(problem, score);
          own_names.insert(score.evaluation->case_name);
        }
      }
      double missing_weight = 0;
      for (const auto& [name, other] : known[{problem.problem(), set}]) {
        if (!own_names.contains(name)) {
          ++problem.missing;
          missing_weight += other->weight;
        }
      }
      std::set<std::string> lost_checks;
      for (const Evaluation& other : left_out) {
        if (other.set == "check" && set != "check" && other.task == problem.task && other.precision == problem.precision) {
          lost_checks.insert(other.case_name);
        }
      }
      problem.missing += static_cast<int>(lost_checks.size());
      problem.correct = problem.failed == 0;
      problem.partial = problem.skipped > 0 || problem.missing > 0;
      problem.worst_verdict = worst_of(problem.verdicts);
      add_speedup(problem, cases, missing_weight);
      add_largest(problem, cases);
      result.push_back(std::move(problem));
    }
  }
  return result;
}

std::vector<ProblemScore> scores(const std::vector<Evaluation>& evaluations, const std::string& clock) {
  ScoreOptions options;
  options.protocol = clock == "batch" ? "paper" : "strict";
  options.clock = clock;
  return scores(evaluations, options);
}

}  // namespace mskb
