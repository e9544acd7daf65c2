#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/device_text.hpp"
#include "common/problem_text.hpp"
#include "common/report_text.hpp"
#include "common/rounds_text.hpp"
#include "cudamaster/flags.hpp"
#include "cudamaster/loop.hpp"

// What the loop tells its agents of its own course.
namespace mskb::cudamaster {

std::map<std::string, std::set<std::string>> prompt_values() {
  const std::set<std::string> common{"problem", "device", "entry", "declaration", "rows_rule", "rows_question", "kernel_from"};
  std::map<std::string, std::set<std::string>> names{
      {"system", {}},
      {"planner", {"round", "rounds", "original", "kernel", "start", "times", "profile", "resources", "question", "history"}},
      {"coder", {"kernel", "resources", "plan"}},
      {"compiler", {"allowed", "resources", "plan", "kernel", "history"}},
      {"debugger", {"attempt", "attempts", "original", "plan", "kernel", "flags", "failure"}}};
  for (auto& [prompt, own] : names) {
    own.insert(common.begin(), common.end());
  }
  return names;
}

std::map<std::string, std::string> Loop::common_values() const {
  const std::string best = is_scored() ? "the best correct version so far" : "the last correct version";
  return {{"problem", agents::problem_text(start_, settings_.scored_sizes)},
          {"device", agents::device_text(start_)},
          {"entry", start_.entry},
          {"declaration", start_.declaration},
          {"rows_rule", agents::has_rows(start_) ? ", and rows that do not start at a vector's alignment" : ""},
          {"rows_question", agents::has_rows(start_) ? " and unaligned rows" : ""},
          {"kernel_from", base_round_ == 0 ? "the original" : fmt::format("the kernel of round {}, {}", base_round_, best)}};
}

// Why the round starts from its kernel, and what the round before lost where that is another one. The last of history_ is the round itself.
std::string Loop::start_text() const {
  std::string text = base_round_ == 0 ? (history_.size() > 1 ? "The original: no version was correct and as fast as it.\n" : "The original.\n")
                     : is_scored()    ? fmt::format("The kernel of round {}: the best correct version so far, compiled with these options: {}.\n",
                                                    base_round_, flags_text(base_.flags))
                                      : fmt::format("The kernel of round {}, the last that was correct; nothing is timed.\n", base_round_);
  if (history_.size() < 2 || history_[history_.size() - 2].number == base_round_) {
    return text;
  }
  const Round& last = history_[history_.size() - 2];
  if (!last.report) {
    return text + fmt::format("Round {} gave no correct version, and its code is dropped. What it tried is its plan below.\n", last.number);
  }
  const bool compared = base_round_ != 0 && base_.report;
  return text + fmt::format("Round {} was correct but no better{}, and its code is dropped. What it tried is its plan below.\n", last.number,
                            compared ? " (" + agents::lost_text(*last.report, *base_.report, start_.clock) + ")" : "");
}

std::string Loop::table_text() const {
  std::vector<agents::TimedVersion> versions;
  for (const Round& round : history_) {
    if (round.report && agents::has_times(*round.report, start_.clock)) {
      versions.push_back({fmt::format("round {}", round.number), &*round.report});
    }
  }
  return agents::times_table(original_ ? &*original_ : nullptr, versions, start_.clock);
}

std::string Loop::profile_text() const {
  if (!base_.report) {
    return "There is none.\n";
  }
  if (!settings_.profile || base_.report->profile.empty()) {
    return fmt::format("There is none ({}).\n", settings_.profile ? base_.report->profile_reason : "switched off");
  }
  const auto profile = nlohmann::json::parse(base_.report->profile, nullptr, false);
  const auto member = [&](const char* name) { return profile.is_object() ? profile.value(name, std::string()) : std::string(); };
  std::string size;
  for (const optimizer::CaseReport& each : base_.report->cases) {
    if (each.name == member("case")) {
      size = " of the case " + agents::case_text(each);
    }
  }
  const std::string tool = member("tool").empty() ? "" : " (" + member("tool") + ")";
  return fmt::format(
      "Of one call{}, by a profiler{} in runs of its own, in which it empties the caches and runs each kernel many times: durations in it are not "
      "the times above, and are not scored.\n```json\n{}\n```\n",
      size, tool, base_.report->profile);
}

std::string Loop::resources_text() const {
  return base_.report ? agents::resources_text(*base_.report) : "It was not compiled yet.\n";
}

// What the planner says before its plan: read off figures where there are some.
std::string Loop::limit_question() const {
  const bool figures = base_.report && (agents::has_times(*base_.report, start_.clock) ||
                                        (settings_.profile && !base_.report->profile.empty()));
  return figures ? "what limits this kernel on this device, and which of the figures above show it"
                 : "what will limit this kernel on its GPU. There are no figures: reason from the code, the sizes and what "
                   "such GPUs have in common";
}

std::string Loop::history_text(bool with_plans) const {
  std::string text;
  for (const Round& round : history_) {
    if (&round == &history_.back()) {
      break;  // the one that is being worked on
    }
    text += fmt::format("Round {}: options {}; {}\n", round.number, flags_text(round.flags), round.result);
    if (with_plans) {
      text += fmt::format("Its plan:\n{}\n", agents::plan_excerpt(round.plan, 4000));
    }
  }
  return text.empty() ? "None; this is the first round.\n" : text;
}

}  // namespace mskb::cudamaster
