#include "cudamaster/loop.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "common/problem_text.hpp"
#include "common/report_text.hpp"
#include "common/response.hpp"
#include "cudamaster/flags.hpp"

namespace mskb::cudamaster {

namespace {

const char* const file_name = "kernel.cu";

bool wants_profile(const std::string& word) {
  if (word == "none" || word == "filtered" || word == "full") {
    return word != "none";
  }
  throw std::invalid_argument(fmt::format("option profile: '{}' is unknown; write none, filtered or full", word));
}

}  // namespace

Settings settings_from(const std::map<std::string, std::string>& options) {
  const auto text = [&](const char* name, const std::string& otherwise) {
    const auto found = options.find(name);
    return found == options.end() || found->second.empty() ? otherwise : found->second;
  };
  Settings settings;
  settings.rounds = agents::whole_option(options, "rounds", 1, 100).value_or(settings.rounds);
  settings.debug = agents::whole_option(options, "debug", 0, 100).value_or(settings.debug);
  settings.profile = wants_profile(text("profile", "filtered"));
  settings.original_sizes = text("original_sizes", settings.original_sizes);
  settings.scored_sizes = text("scored_sizes", settings.scored_sizes);
  return settings;
}

Loop::Loop(const optimizer::Start& start, optimizer::Harness& harness, agents::Agents& agents, const Settings& settings)
    : start_(start), harness_(harness), agents_(agents), settings_(settings) {
  base_.source = start.reference;
}

optimizer::Submission Loop::run() {
  std::string reason = "no version was correct";
  try {
    look_at_original();
    for (int number = 1; number <= settings_.rounds; ++number) {
      lead_round(number);
    }
  } catch (const optimizer::Stopped& stopped) {
    reason = stopped.what();
  } catch (const agents::ChatFailed& failed) {
    reason = failed.what();
  }
  const std::optional<Version>& chosen = best_ ? best_ : untimed_;
  if (!chosen) {
    return {"", reason};
  }
  agents_.log(fmt::format("submits {}: {}", chosen->report->id, agents::outcome_text(*chosen->report, start_.clock)));
  return chosen->report->submission();
}

bool Loop::is_scored() const { return !start_.clock.empty() && start_.cases.contains(settings_.scored_sizes); }

void Loop::look_at_original() {
  try {
    const std::string sizes = !settings_.original_sizes.empty() ? settings_.original_sizes : is_scored() ? settings_.scored_sizes : "smoke";
    original_ = base_.report = ask(start_.reference, {}, sizes, settings_.profile);
    agents_.log("the original: " + original_->verdict + (original_->detail.empty() ? "" : ": " + agents::excerpt_of(original_->detail, 600)));
  } catch (const optimizer::Refused& refused) {
    agents_.log(std::string("the original could not be looked at: ") + refused.what());
  }
}

void Loop::lead_round(int number) {
  if (evaluations_left_ && *evaluations_left_ < 1) {
    throw optimizer::Stopped("no evaluation is left");
  }
  history_.push_back({number, "", "not finished", {}, {}});
  Round& round = history_.back();
  round.plan = plan(number);
  Version version = code(round.plan);
  if (version.failure.empty()) {
    round.flags = flags_for(round.plan, version.source);
    version = evaluate(version.source, round.flags);
  }
  for (int attempt = 1; !version.correct() && attempt <= settings_.debug; ++attempt) {
    agents_.log(fmt::format("round {}: attempt {} to repair", number, attempt));
    version.flags = round.flags;
    version = repair(version, round.plan, attempt);
  }
  round.result = version.report ? agents::outcome_text(*version.report, start_.clock) : version.failure;
  if (version.correct()) {
    round.report = version.report;
    keep(version, round);
  }
  agents_.log(fmt::format("round {}: {}", number, round.result));
}

std::string Loop::plan(int number) {
  auto values = common_values();
  values["round"] = std::to_string(number);
  values["rounds"] = std::to_string(settings_.rounds);
  values["original"] = agents::fenced(start_.reference);
  values["kernel"] = base_.source == start_.reference ? "It is the original.\n" : agents::fenced(base_.source);
  values["start"] = start_text();
  values["times"] = table_text();
  values["profile"] = profile_text();
  values["resources"] = resources_text();
  values["question"] = limit_question();
  values["history"] = history_text(true);
  const std::string text = agents_.ask("planner", values).text;
  return text.find_first_not_of(" \t\r\n") == std::string::npos ? "No plan was given; make it faster as you see fit.\n"
                                                                : text + "\n";
}

Loop::Version Loop::code(const std::string& plan) {
  auto values = common_values();
  values["kernel"] = agents::fenced(base_.source);
  values["resources"] = resources_text();
  values["plan"] = plan;
  return read(agents_.ask("coder", values));
}

// A version that was not evaluated yet, or why there is none.
Loop::Version Loop::read(const agents::ChatAnswer& answer) {
  const agents::KernelAnswer kernel = agents::kernel_in(answer.text, start_.entry);
  if (!kernel.renamed_from.empty()) {
    agents_.log(fmt::format("renamed {} to {}", kernel.renamed_from, start_.entry));
  }
  Version version;
  version.source = kernel.source.value_or("");
  version.failure = kernel.problem;
  if (!kernel.source && answer.truncated) {
    version.failure += " (the answer ended at the limit of output tokens)";
  }
  return version;
}

std::vector<std::string> Loop::flags_for(const std::string& plan, const std::string& source) {
  auto values = common_values();
  values["allowed"] = allowed_flags_text();
  values["problem"] = agents::acceptance_text(start_) + agents::sizes_text(start_, settings_.scored_sizes);
  values["resources"] = resources_text();
  if (start_.device.backend != "cuda") {
    values["device"] += "Of these options only -D has an effect here; the others would count on the GPU.\n";
  }
  values["plan"] = plan;
  values["kernel"] = agents::fenced(source);
  values["history"] = history_text(false);
  const FlagChoice choice = choose_flags(agents::flags_in(agents_.ask("compiler", values).text));
  if (!choice.refused.empty()) {
    agents_.log("options that may not be added were left out: " + flags_text(choice.refused));
  }
  return choice.accepted;
}

Loop::Version Loop::repair(const Version& failed, const std::string& plan, int attempt) {
  auto values = common_values();
  values["attempt"] = std::to_string(attempt);
  values["attempts"] = std::to_string(settings_.debug);
  values["original"] = agents::fenced(start_.reference);
  values["plan"] = plan;
  values["kernel"] = failed.source.empty() ? "There is none yet.\n" : agents::fenced(failed.source);
  values["flags"] = flags_text(failed.flags) + "\n";
  values["failure"] = failed.last_answer.empty() ? failed.failure : failed.last_answer + "\n" + failed.failure;
  const Version repaired = read(agents_.ask("debugger", values));
  Version same = failed;
  if (!repaired.failure.empty()) {
    same.last_answer = "The last repair could not be used: " + repaired.failure + ".";
    return same;
  }
  if (repaired.source == failed.source) {
    same.last_answer = "The last repair was the same text again.";
    return same;
  }
  return evaluate(repaired.source, failed.flags);
}

Loop::Version Loop::evaluate(const std::string& source, const std::vector<std::string>& flags) {
  const std::string key = fmt::format("{}\n{}", fmt::join(flags, " "), source);
  if (const auto found = seen_.find(key); found != seen_.end()) {
    agents_.log("the same kernel as before is not evaluated again");
    return found->second;
  }
  Version version;
  version.source = source;
  version.flags = flags;
  try {
    version.report = ask(source, flags, "smoke", !is_scored() && settings_.profile);
    if (agents::is_correct(*version.report, start_.device) && is_scored()) {
      untimed_ = version;
      version.report = ask(source, flags, settings_.scored_sizes, settings_.profile);
      untimed_.reset();
    }
    if (!agents::is_correct(*version.report, start_.device)) {
      version.failure = agents::failure_text(*version.report);
    }
  } catch (const optimizer::Refused& refused) {
    version.report.reset();
    version.failure = std::string("The harness refused it: ") + refused.what();
  }
  seen_[key] = version;
  return version;
}

optimizer::Report Loop::ask(const std::string& source, const std::vector<std::string>& flags, const std::string& sizes,
                            bool profile) {
  optimizer::Proposal proposal;
  proposal.sources[file_name] = source;
  proposal.flags = flags;
  proposal.cases = {sizes};
  proposal.profile = profile;
  optimizer::Report report = harness_.evaluate(proposal);
  evaluations_left_ = report.left.evaluations;
  return report;
}

// A version that is slower than the original is no start for the next round, but better than no submission.
void Loop::keep(const Version& version, const Round& round) {
  const auto speed = [this](const Version& each) { return each.report->weighted_speedup(start_.clock).value_or(0); };
  const bool better = !best_ || speed(version) > speed(*best_);
  if (better) {
    best_ = version;
  }
  if (!is_scored() || (better && speed(version) >= 1)) {
    base_ = version;
    base_round_ = round.number;
  }
}

}  // namespace mskb::cudamaster
