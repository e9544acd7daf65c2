#include "cli/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/errors.hpp"

namespace mskb::cli {

namespace {

using Members = std::multiset<std::string>;  // "<origin> <candidate>"

[[noreturn]] void refuse(const StoredRun& stored, const std::string& what) {
  throw InputError(fmt::format("--resume: the run in {} {}; repeat its command (it stands in run.yaml), or choose another --out",
                               stored.directory.string(), what));
}

void require_same(const StoredRun& stored, const char* what, const std::string& then, const std::string& now) {
  if (then != now) {
    refuse(stored, fmt::format("has the {} '{}', this one has '{}'", what, then, now));
  }
}

// Flags that change what a verdict or a timing means, and that no other field of a run shows.
void require_same_flag(const StoredRun& stored, const Run& now, const char* flag) {
  const auto has = [&](const Run& run) { return std::find(run.command.begin(), run.command.end(), flag) != run.command.end(); };
  if (has(stored.run) != has(now)) {
    refuse(stored, fmt::format("was made {} {}", has(stored.run) ? "with" : "without", flag));
  }
}

}  // namespace

void require_same_run(const StoredRun& stored, const Run& now, const std::vector<ProblemPlan>& plans) {
  const Run& then = stored.run;
  require_same(stored, "device", then.environment.device, now.environment.device);
  require_same(stored, "driver", then.environment.driver, now.environment.driver);
  require_same(stored, "toolkit", then.environment.toolkit, now.environment.toolkit);
  require_same(stored, "compiler", then.environment.compiler, now.environment.compiler);
  require_same(stored, "protocol", then.protocol, now.protocol);
  require_same(stored, "sandbox", then.sandbox, now.sandbox);
  require_same_flag(stored, now, "--sanitize");
  require_same_flag(stored, now, "--races");
  require_same_flag(stored, now, "--no-timing");

  if (const auto planned = then.figures.find("planned_problems");
      planned != then.figures.end() && planned->second != std::to_string(plans.size())) {
    refuse(stored, fmt::format("compares {} problems, this one {}", planned->second, plans.size()));
  }
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
      refuse(stored, fmt::format("compares other candidates on {}: {}; this command: {}", plan.problem.name(),
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
