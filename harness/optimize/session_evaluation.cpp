#include "optimize/session_evaluation.hpp"

#include "base/files.hpp"
#include "base/replace.hpp"

namespace mskb {

std::string without_paths(std::string text, const std::map<std::string, std::string>& shown_as) {
  for (const auto& [path, name] : shown_as) {
    replace_all(text, path, name);
  }
  return text;
}

CandidateReport report_of(const BuildResult& result, const std::map<std::string, std::string>& shown_as) {
  CandidateReport report;
  report.build = result.verdict;
  report.build_detail = without_paths(result.detail, shown_as);
  report.build_seconds = result.seconds;
  report.kernels = result.resources;
  if (std::filesystem::exists(result.log)) {
    report.build_log = without_paths(read_file(result.log), shown_as);
  }
  return report;
}

std::optional<CandidateReport> screen(Measurer& cpu, const Problem& problem, const Candidate& reference, const Candidate& candidate,
                                      const std::map<std::string, std::string>& shown_as) {
  CandidateReport report = evaluate_for_session(cpu, problem, reference, candidate, {"smoke"}, shown_as);
  const Verdict verdict = overall_verdict(report);
  if (!info(verdict).failure || verdict == Verdict::build_failed || verdict == Verdict::timed_out) {
    return std::nullopt;
  }
  for (Evaluation& each : report.cases) {
    each.detail = each.detail.empty() ? "" : "on the CPU backend: " + each.detail;
  }
  report.references.clear();
  report.device_s = 0;
  return report;
}

CandidateReport evaluate_for_session(Measurer& measurer, const Problem& problem, const Candidate& reference,
                                     const Candidate& candidate, const std::vector<std::string>& sets,
                                     const std::map<std::string, std::string>& shown_as) {
  CandidateReport report;
  report.id = candidate.id();
  ProblemPlan plan;
  plan.problem = problem;
  plan.candidates = {reference, candidate};
  plan.sets = sets;
  EvaluatorSink sink;
  sink.group = [&](const std::vector<Evaluation>& group) {
    report.references.push_back(group.front());
    report.cases.push_back(group.back());
    report.device_s += group.back().wall_s;
  };
  sink.built = [&](const Problem&, const Candidate& built, const BuildResult& result) {
    if (built.origin != candidate.origin) {
      return;
    }
    const CandidateReport of_build = report_of(result, shown_as);
    report.build = of_build.build;
    report.build_detail = of_build.build_detail;
    report.build_seconds = of_build.build_seconds;
    report.kernels = of_build.kernels;
    report.build_log = of_build.build_log;
  };
  measurer.run({plan}, sink);
  return report;
}

}  // namespace mskb
