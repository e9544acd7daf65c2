#include <nlohmann/json.hpp>

#include "report/figures.hpp"
#include "report/report_data.hpp"
#include "report/self_test.hpp"

namespace mskb {

namespace {

using Json = nlohmann::ordered_json;

Json figure(const std::optional<double>& value) { return value ? Json(rounded(*value)) : Json(nullptr); }

Json problem_json(const ProblemScore& problem, bool timed) {
  Json json;
  json["task"] = problem.task;
  json["precision"] = problem.precision;
  json["set"] = problem.set;
  json["origin"] = problem.origin;
  json["candidate"] = problem.candidate;
  json["correct"] = problem.correct;
  json["partial"] = problem.partial;
  json["verdicts"] = problem.verdicts;
  json["paper_verdict"] = problem.paper_verdict;
  json["origin_error"] = problem.origin_error;
  json["cases"] = {{"all", problem.cases},           {"passed", problem.passed},   {"failed", problem.failed},
                   {"skipped", problem.skipped},     {"missing", problem.missing}, {"timed", problem.timed},
                   {"undecided", problem.undecided}};
  if (!timed) {
    return json;
  }
  json["clock"] = problem.clock;
  json["weighted_speedup"] = rounded(problem.weighted_speedup);
  json["low"] = rounded(problem.low);
  json["high"] = rounded(problem.high);
  json["call_weighted_speedup"] = figure(problem.call_weighted_speedup);
  json["launch_bound_share"] = rounded(problem.launch_bound_share);
  json["stories_differ"] = problem.stories_differ;
  json["generations_differ"] = problem.generations_differ;
  json["clock_unsteady"] = problem.clock_unsteady;
  json["largest"] = {{"case", problem.largest_case},
                     {"us", figure(problem.largest_us)},
                     {"reference_us", figure(problem.reference_largest_us)},
                     {"best_baseline_us", figure(problem.best_baseline_us)},
                     {"ratio_to_best_baseline", figure(problem.ratio_to_best_baseline)},
                     {"limit_share", figure(problem.limit_share)},
                     {"headroom_closed", figure(problem.headroom_closed)}};
  return json;
}

Json summary_json(const Summary& summary, bool timed) {
  Json json;
  json["origin"] = summary.origin;
  json["set"] = summary.set;
  json["problems"] = summary.problems;
  json["correct"] = summary.correct;
  json["partial"] = summary.partial;
  json["incorrect"] = summary.incorrect;
  json["without_record"] = summary.without_record;
  if (!timed) {
    return json;
  }
  json["cumulative_success"] = Json::array();
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    json["cumulative_success"].push_back(
        {{"tau", thresholds[i]}, {"problems", summary.successes[i]},
         {"share", rounded(static_cast<double>(summary.successes[i]) / summary.problems)}});
  }
  json["geometric_mean"] = {{"value", figure(summary.geometric_mean)}, {"problems", summary.geometric_problems}};
  json["ratio_to_best_baseline"] = {{"value", figure(summary.baseline_ratio)}, {"problems", summary.baseline_problems}};
  json["headroom_closed"] = {{"value", figure(summary.headroom_closed)}, {"problems", summary.headroom_problems}};
  json["timed_cases"] = summary.timed_cases;
  json["undecided_cases"] = summary.undecided_cases;
  return json;
}

Json case_json(const CaseScore& score, bool timed) {
  const Evaluation& own = *score.evaluation;
  Json json;
  json["id"] = own.id;
  json["case"] = own.case_name;
  json["size"] = own.size;
  json["origin"] = own.origin;
  json["verdict"] = std::string(to_string(own.verdict));
  json["paper_verdict"] = own.paper_verdict;
  json["detail"] = own.detail;
  if (!timed) {
    return json;
  }
  json["weight"] = rounded(own.weight);
  const auto estimate = [](const std::optional<SpeedupEstimate>& speedup) -> Json {
    if (!speedup) {
      return nullptr;
    }
    return {{"value", rounded(speedup->value)}, {"low", rounded(speedup->low)}, {"high", rounded(speedup->high)},
            {"decided", speedup->decided},      {"verdict", speedup->verdict}};
  };
  json["speedup"] = estimate(score.speedup);
  json["call_speedup"] = estimate(score.call_speedup);
  json["us"] = figure(score.time_us);
  json["reference_us"] = figure(score.reference_us);
  json["best_baseline"] = score.best_baseline;
  json["best_baseline_us"] = figure(score.best_baseline_us);
  json["ratio_to_best_baseline"] = figure(score.ratio_to_best_baseline);
  json["limit_us"] = figure(score.limit_us);
  json["limit_share"] = figure(score.limit_share);
  json["headroom_closed"] = figure(score.headroom_closed);
  return json;
}

}  // namespace

std::string render_json(const ReportData& data, const ReportOptions& options) {
  const Run& run = data.stored.run;
  const bool timed = !data.scoring.cpu;
  Json json;
  json["schema"] = record_schema;
  json["run"] = {{"id", run.id},
                 {"started", run.started},
                 {"protocol", run.protocol},
                 {"backend", run.environment.backend},
                 {"device", run.environment.device},
                 {"driver", run.environment.driver},
                 {"toolkit", run.environment.toolkit},
                 {"sandbox", run.sandbox},
                 {"version", run.tool_version},
                 {"commit", run.tool_commit},
                 {"planned_problems", data.planned_problems}};
  json["valid"] = data.stored.valid();
  json["damage"] = data.stored.damage;
  json["unfinished"] = data.unfinished();
  if (const std::string reason = unfit_reason(run); !reason.empty()) {
    json["unfit"] = reason;
  }
  json["notes"] = data.stored.notes;
  json["figures"] = run.figures;
  json["self_test"] = self_test_lines(data);
  json["sessions"] = cost_lines(data);
  json["problems"] = Json::array();
  for (const ProblemScore* problem : shown_problems(data, options.references)) {
    json["problems"].push_back(problem_json(*problem, timed));
  }
  json["summary"] = Json::array();
  for (const Summary& summary : data.summaries) {
    json["summary"].push_back(summary_json(summary, timed));
  }
  if (options.cases) {
    json["cases"] = Json::array();
    for (const CaseScore& score : data.cases) {
      json["cases"].push_back(case_json(score, timed));
    }
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mskb
