#include "cli/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/command.hpp"
#include "store/same_run.hpp"

namespace mskb::cli {

namespace {

using Members = std::multiset<std::string>;  // "<origin> <candidate>"

// Flags that change what a verdict or a timing means, and that no other field of a run shows.
void require_same_flag(const StoredRun& stored, const Run& now, const char* flag) {
  const bool then = has_word(stored.run.command, flag);
  if (then != has_word(now.command, flag)) {
    refuse_resume(stored.directory, fmt::format("was made {} {}", then ? "with" : "without", flag));
  }
}

}  // namespace

void require_same_run(const StoredRun& stored, const Run& now, const std::vector<ProblemPlan>& plans) {
  require_same_head(stored.directory, stored.run, now);
  require_same_flag(stored, now, "--sanitize");
  require_same_flag(stored, now, "--races");
  require_same_flag(stored, now, "--no-timing");

  std::map<std::string, Members> on_record;  // by problem: a run compares the same candidates at all cases of a problem
  for (const Evaluation& evaluation : stored.evaluations) {
    Members& members = on_record[evaluation.task + "/" + evaluation.precision];
    if (static_cast<int>(members.size()) < evaluation.group_size) {
      members.insert(evaluation.origin + " " + evaluation.candidate);
    }
  }
  for (const ProblemPlan& plan : plans) {
    const auto found = on_record.find(plan.problem.name());
    Members planned;
    for (const Candidate& candidate : plan.candidates) {
      planned.insert(candidate.origin + " " + candidate.id());
    }
    if (found != on_record.end() && found->second != planned) {
      refuse_resume(stored.directory, fmt::format("compares other candidates on {}: {}; this command: {}", plan.problem.name(),
                                                  fmt::join(found->second, ", "), fmt::join(planned, ", ")));
    }
  }
}

std::set<std::string> failed_checks(const StoredRun& stored) {
  std::set<std::string> failed;
  for (const Evaluation& evaluation : stored.evaluations) {
    if (evaluation.set == "check" && info(evaluation.verdict).failure) {
      failed.insert(fmt::format("{}/{} {}", evaluation.task, evaluation.precision, evaluation.candidate));
    }
  }
  return failed;
}

}  // namespace mskb::cli
