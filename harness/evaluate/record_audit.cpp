#include "evaluate/record_audit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <set>
#include <tuple>

#include "base/counted.hpp"
#include "base/errors.hpp"
#include "evaluate/baselines.hpp"
#include "evaluate/closing_figures.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/figure_audit.hpp"
#include "evaluate/physical_floor.hpp"
#include "evaluate/self_test.hpp"
#include "evaluate/self_test_run.hpp"
#include "model/command.hpp"
#include "model/task_file.hpp"

namespace mskb {

namespace {

std::string place(const Evaluation& evaluation) {
  return fmt::format("{} {} {}", evaluation.id, evaluation.case_name, evaluation.origin);
}

class Auditor {
 public:
  Auditor(const StoredRun& stored, const std::vector<Task>& tasks, const std::filesystem::path& home)
      : stored_(stored), tasks_(tasks), home_(home), libraries_(load_baseline_libraries(home)), rule_(rule_on_record(stored.evaluations)) {}

  RecordAudit run() {
    look_at_files();
    look_at_protocol();
    for (const Evaluation& evaluation : stored_.evaluations) {
      groups_[evaluation.group].push_back(&evaluation);
      if (evaluation.set == "check" && info(evaluation.verdict).failure) {
        failed_checks_.insert(checked_candidate(evaluation));
      }
      look_at_record(evaluation);
      look_at_candidate(evaluation);
    }
    tell_changed_cases();
    for (const auto& [id, group] : groups_) {
      look_at_group(group);
      look_for_times(group);
    }
    look_at_problems();
    look_at_run_figures();
    audit_.groups = groups_.size();
    audit_.records = stored_.evaluations.size();
    return std::move(audit_);
  }

 private:
  void find(std::string where, std::string what) { audit_.findings.push_back({std::move(where), std::move(what)}); }
  void expect(const Evaluation& evaluation, const char* field, const std::string& recorded, const std::string& wanted, const char* by) {
    if (recorded != wanted) {
      find(place(evaluation), fmt::format("{} is {} on record, {} by {}", field, recorded, wanted, by));
    }
  }

  void look_at_files() {
    for (const std::vector<std::string>* lines : {&stored_.damage, &stored_.notes}) {
      for (const std::string& line : *lines) {
        find("evaluations.jsonl", line);
      }
    }
  }

  std::optional<Problem> problem_of(const Evaluation& evaluation) const {
    const auto task = std::find_if(tasks_.begin(), tasks_.end(), [&](const Task& each) { return each.name == evaluation.task; });
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
      if (task != tasks_.end() && evaluation.precision == to_string(precision)) {
        return Problem{&*task, precision};
      }
    }
    return std::nullopt;
  }

  const std::vector<Case>& cases_of(const Problem& problem, const std::string& set) {
    auto& cases = cases_[problem.name() + " " + set];
    if (cases.empty()) {
      try {
        cases = make_cases(problem, set);
      } catch (const InputError&) {
        return cases;  // a set that the task does not have
      }
    }
    return cases;
  }

  void look_at_record(const Evaluation& evaluation) {
    const Run& run = stored_.run;
    expect(evaluation, "group", evaluation.group, group_id(run.id, evaluation.case_name), "run and case");
    expect(evaluation, "id", evaluation.id, evaluation_id(evaluation), "group, candidate and origin");
    expect(evaluation, "key", evaluation.key, run.key, "run.yaml");
    expect(evaluation, "sandbox", evaluation.sandbox, run.sandbox, "run.yaml");
    expect(evaluation, "backend", evaluation.backend, run.environment.backend, "run.yaml");
    expect(evaluation, "device", evaluation.device, run.environment.device, "run.yaml");
    const auto one_of = [&](const char* field, const std::string& value, std::initializer_list<std::string_view> known) {
      if (std::find(known.begin(), known.end(), value) == known.end()) {
        find(place(evaluation), fmt::format("{} is {}, which is none", field, value));
      }
    };
    one_of("paper_verdict", evaluation.paper_verdict, {"", "passed", "failed"});
    one_of("bitwise", evaluation.bitwise, {"", "same", "varies"});
    if (!(evaluation.wall_s >= 0 && evaluation.wall_s <= longest_s)) {
      find(place(evaluation), fmt::format("wall_s is {:.6g}, which is no time", evaluation.wall_s));
    }
    if (evaluation.timing) {
      if (untimed_) {
        find(place(evaluation), "it has times, but the command in run.yaml takes none");
      }
      expect(evaluation, "protocol", evaluation.timing->protocol, run.protocol, "run.yaml");
    }
    const auto problem = problem_of(evaluation);
    if (!problem) {
      find(place(evaluation), fmt::format("there is no problem {}/{}", evaluation.task, evaluation.precision));
      return;
    }
    const std::vector<Case>& cases = cases_of(*problem, evaluation.set);
    const auto found = std::find_if(cases.begin(), cases.end(), [&](const Case& each) { return each.name() == evaluation.case_name; });
    const std::string changed = found == cases.end() ? "the task has no such case in its set " + evaluation.set : changed_fields(evaluation, *found);
    if (!changed.empty()) {
      changed_cases_[{evaluation.case_name, changed}].push_back(&evaluation);
    } else if (evaluation.verdict == Verdict::passed) {
      look_at_pass(evaluation, *found);
      if (evaluation.timing) {
        if (const std::string why = implausible_time(*evaluation.timing, physical_floor_us(*found, run.environment)); !why.empty()) {
          find(place(evaluation), "it passed, and its " + why);
        }
      }
    }
  }

  // What a record says of its case, against the task; empty where they agree. With another size nothing else can be the same.
  static std::string changed_fields(const Evaluation& evaluation, const Case& test_case) {
    const std::tuple<const char*, std::string, std::string> fields[] = {
        {"size", evaluation.size, test_case.size_text()},
        {"weight", fmt::format("{}", evaluation.weight), fmt::format("{}", test_case.weight)},
        {"bytes", fmt::format("{}", evaluation.bytes), fmt::format("{}", test_case.bytes)},
        {"flops", fmt::format("{}", evaluation.flops), fmt::format("{}", test_case.flops)}};
    std::vector<std::string> changed;
    for (const auto& [field, recorded, wanted] : fields) {
      if (recorded != wanted) {
        changed.push_back(fmt::format("{} is {} on record, {} by the task", field, recorded, wanted));
        if (changed.front().starts_with("size ")) {
          break;
        }
      }
    }
    return fmt::format("{}", fmt::join(changed, "; "));
  }

  // One line of all records of a case that say the same.
  void tell_changed_cases() {
    for (const auto& [changed, evaluations] : changed_cases_) {
      const std::size_t more = evaluations.size() - 1;
      find(place(*evaluations.front()), changed.second + (more > 0 ? fmt::format(" (so in {} of the case)", counted(more, "other record")) : ""));
    }
  }

  // A pass checked each output of the case. That it says and refused nothing was seen when it was read.
  void look_at_pass(const Evaluation& evaluation, const Case& test_case) {
    const auto contradicted = [&](const std::string& what) { find(place(evaluation), "it passed, but " + what); };
    std::map<std::string, const OutputError*> errors;
    for (const OutputError& error : evaluation.errors) {
      errors[error.output] = &error;
    }
    std::size_t outputs = 0;
    for (const CaseArgument& argument : test_case.arguments) {
      if (argument.role != Role::out && argument.role != Role::inout) {
        continue;
      }
      ++outputs;
      const auto found = errors.find(argument.name);
      if (found != errors.end() && (!(found->second->worst_ratio >= 0) || !(found->second->l2 >= 0) || !(found->second->worst_absolute >= 0))) {
        contradicted("an error of " + argument.name + " is negative");
      }
      if (found == errors.end() || found->second->checked < std::min(argument.elements, least_checked)) {
        contradicted("too little of " + argument.name + " was checked");
      }
    }
    if (evaluation.errors.size() != outputs) {
      contradicted(fmt::format("tells of {}, the task has {}", counted(evaluation.errors.size(), "output"), outputs));
    }
  }

  // Where the reference of a case was timed, whatever passed everything was.
  void look_for_times(const std::vector<const Evaluation*>& group) {
    const bool timed = std::any_of(group.begin(), group.end(), [](const Evaluation* each) { return each->origin == "reference" && each->timing; });
    for (const Evaluation* each : group) {
      if (timed && each->verdict == Verdict::passed && !each->timing && !failed_checks_.contains(checked_candidate(*each))) {
        find(place(*each), "it passed, but has no times, and the reference has");
      }
    }
  }

  static std::string checked_candidate(const Evaluation& evaluation) {
    return evaluation.task + "/" + evaluation.precision + " " + evaluation.candidate;
  }

  void look_at_protocol() {
    const Run& run = stored_.run;
    const bool paper = option_of(run.command, "--protocol") == "paper";
    const std::string wanted = run.environment.backend == "cpu" ? "verdicts" : paper ? "paper" : "strict";
    if (run.protocol != wanted) {
      find("run.yaml", fmt::format("protocol is {}, its command and backend make it {}", run.protocol, wanted));
    }
    if (has_word(run.command, "--no-sandbox") && run.sandbox != "none") {
      find("run.yaml", fmt::format("sandbox is {}, its command has --no-sandbox", run.sandbox));
    }
    for (const std::string& file : options_of(run.command, "--candidate")) {
      const std::string origin = "file:" + std::filesystem::path(file).filename().string();
      if (!stored_.evaluations.empty() &&
          std::none_of(stored_.evaluations.begin(), stored_.evaluations.end(), [&](const Evaluation& each) { return each.origin == origin; })) {
        find("run.yaml", fmt::format("its command names {}, of which nothing is on record", file));
      }
    }
    untimed_ = has_word(run.command, "--no-timing") || has_word(run.command, "--sanitize");
  }

  // Sources against the id once for each candidate, and against what the origin promises for each problem.
  void look_at_candidate(const Evaluation& evaluation) {
    if (seen_.insert(evaluation.candidate).second) {
      try {
        Candidate candidate = read_candidate(stored_.directory, evaluation.candidate);
        candidate.allowed_loads.clear();  // not hashed; a baseline's come from its library
        audit_.candidates.emplace(evaluation.candidate, std::move(candidate));
      } catch (const InputError& error) {
        find("candidates/" + evaluation.candidate, error.what());
      }
    }
    const auto problem = problem_of(evaluation);
    if (!problem || !seen_.insert(problem->name() + " " + evaluation.origin + " " + evaluation.candidate).second) {
      return;
    }
    const std::string promised = promised_id(*problem, evaluation.origin);
    if (!promised.empty() && promised != evaluation.candidate) {
      find(place(evaluation), fmt::format("its sources are not what {} has for {} here: {} on record, {} now", evaluation.origin,
                                          problem->name(), evaluation.candidate, promised));
    }
  }

  // Empty where an origin promises no sources.
  std::string promised_id(const Problem& problem, const std::string& origin) const {
    Candidate candidate;
    candidate.origin = origin;
    if (candidate.is_reference() || origin == identity_self_test(problem).origin || origin == slower_self_test(problem).origin) {
      return reference_candidate(problem).id();
    }
    if (candidate.is_baseline()) {
      const std::string library = origin.substr(origin.find(':') + 1);
      const bool known = std::any_of(libraries_.begin(), libraries_.end(), [&](const auto& each) { return each.name == library; });
      const auto found = known ? baseline_candidates(home_, libraries_, problem, {library}) : std::vector<Candidate>{};
      return found.empty() ? "none" : found.front().id();
    }
    return "";
  }

  void look_at_group(const std::vector<const Evaluation*>& group) {
    const Evaluation& first = *group.front();
    const Evaluation* reference = nullptr;
    std::set<std::string> members;
    for (const Evaluation* evaluation : group) {
      expect(*evaluation, "case", evaluation->case_name, first.case_name, "its group");
      members.insert(evaluation->origin + " " + evaluation->candidate);
      reference = evaluation->origin == "reference" ? evaluation : reference;
    }
    if (reference == nullptr) {
      find(place(first), "its group has no reference");
    }
    for (const Evaluation* evaluation : group) {
      for (const std::string& what : figure_faults(*evaluation, reference, rule_, audit_.figures)) {
        find(place(*evaluation), what);
      }
    }
    const std::string problem = first.task + "/" + first.precision;
    const auto [known, fresh] = members_.emplace(problem, members);
    if (!fresh && known->second != members) {
      find(place(first), fmt::format("its group compares {}, another of the problem {}", fmt::join(members, ", "), fmt::join(known->second, ", ")));
    }
    recorded_[problem][first.set].insert(first.case_name);
  }

  // A set of which some cases are on record and others are not, and a problem without its `check` cases.
  void look_at_problems() {
    for (auto& [name, sets] : recorded_) {
      sets["check"];
      for (const auto& [set, names] : sets) {
        const auto any = std::find_if(stored_.evaluations.begin(), stored_.evaluations.end(),
                                      [&, &problem = name](const Evaluation& each) { return each.task + "/" + each.precision == problem; });
        const auto problem = problem_of(*any);
        for (const Case& test_case : problem ? cases_of(*problem, set) : std::vector<Case>{}) {
          if (!names.contains(test_case.name())) {
            find("evaluations.jsonl", fmt::format("{} is not on record, other cases of its problem are", test_case.name()));
          }
        }
      }
    }
  }

  void look_at_run_figures() {
    const auto& figures = stored_.run.figures;
    look_at_self_test();
    const auto within = [&](const char* name, double most, const char* what) {
      const auto found = figures.find(name);
      if (found == figures.end()) {
        return;
      }
      const char* const end = found->second.data() + found->second.size();
      double value = 0;
      const auto [stop, error] = std::from_chars(found->second.data(), end, value);
      if (error != std::errc() || stop != end || !(value >= 0 && value <= most)) {
        find("run.yaml", fmt::format("{} is {}, which is no {}", name, found->second, what));
      }
    };
    within("wall_s", longest_s, "time");
    within("measuring_share", 1, "share");
    if (!RunKey::is_key(stored_.run.key)) {
      find("run.yaml", fmt::format("key is {}, which is none", stored_.run.key.empty() ? "empty" : stored_.run.key));
    }
    if (stored_.run.environment.backend == "cuda" && !(stored_.run.environment.memory_bandwidth > 0)) {
      find("run.yaml", "memory_bandwidth is not there, so that no time can be too short");
    }
    const auto planned = [&](const char* name, std::size_t there) {
      if (const auto found = figures.find(name); found != figures.end() && found->second != std::to_string(there)) {
        find("run.yaml", fmt::format("{} is {}, {} are on record", name, found->second, there));
      }
    };
    if (figures.contains("wall_s") && !figures.contains("planned_problems")) {
      find("run.yaml", "planned_problems is not there, so that what was left out does not show");
    }
    planned("planned_problems", recorded_.size());
    planned("planned_cases", groups_.size());
    // As earlier versions wrote it.
    const auto resumed = figures.find("resumed");
    const bool of_the_last_part = resumed != figures.end() && resumed->second == "the run was interrupted; its times and shares are those of its last part";
    for (const auto& [name, value] : closing_figures(stored_.evaluations)) {
      const auto found = figures.find(name);
      if (figures.contains("wall_s") && found == figures.end()) {
        find("run.yaml", fmt::format("{} is not there, the records say {}", name, value));
      } else if (found != figures.end() && !of_the_last_part && found->second != value) {
        find("run.yaml", fmt::format("{} is {}, the records say {}", name, found->second, value));
      }
    }
  }

  // That it failed is for the reader of a run to say; here, that it was made, and ended as its parts did.
  void look_at_self_test() {
    const auto& figures = stored_.run.figures;
    const auto found = figures.find("self_test");
    const auto timed_run = [&] {
      const auto timed = [](const Evaluation& each) { return each.timing && each.timing->protocol == to_string(Protocol::strict); };
      return std::any_of(stored_.evaluations.begin(), stored_.evaluations.end(), timed);
    };
    if (found == figures.end() || found->second.starts_with("not run: ")) {
      if (timed_run()) {
        find("run.yaml", found == figures.end() ? "self_test is not there, and it has times" : "self_test was not run, and it has times");
      }
      return;
    }
    for (const std::string& what : self_test_faults(figures, timed_run())) {
      find("run.yaml", what);
    }
  }

  const StoredRun& stored_;
  const std::vector<Task>& tasks_;
  const std::filesystem::path& home_;
  const std::vector<BaselineLibrary> libraries_;
  const IntervalRule rule_;
  static constexpr double longest_s = 1e7;  // of a run: four months
  static constexpr std::uint64_t least_checked = 65536;  // elements of an output, where it has so many
  std::set<std::string> failed_checks_;  // "<problem> <candidate>"
  bool untimed_ = false;  // by the command of the run
  RecordAudit audit_;
  std::map<std::string, std::vector<const Evaluation*>> groups_;
  std::map<std::string, std::vector<Case>> cases_;
  std::map<std::pair<std::string, std::string>, std::vector<const Evaluation*>> changed_cases_;  // by name and what changed
  std::map<std::string, std::set<std::string>> members_;                          // by problem
  std::map<std::string, std::map<std::string, std::set<std::string>>> recorded_;  // case names by problem and set
  std::set<std::string> seen_;
};

}  // namespace

RecordAudit audit_records(const StoredRun& stored, const std::vector<Task>& tasks, const std::filesystem::path& home) {
  return Auditor(stored, tasks, home).run();
}

}  // namespace mskb
