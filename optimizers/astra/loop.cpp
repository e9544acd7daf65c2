#include "astra/loop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "astra/tests_choice.hpp"
#include "common/problem_text.hpp"
#include "common/report_text.hpp"
#include "common/response.hpp"

namespace mskb::astra {

namespace {

std::string sizes_text(const optimizer::Start& start) {
  std::string text;
  for (const auto& [set, cases] : start.cases) {
    text += set + ":";
    for (const optimizer::Case& each : cases) {
      text += " " + each.size;
    }
    text += "\n";
  }
  return text;
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

}  // namespace

Settings settings_from(const std::map<std::string, std::string>& options) {
  Settings settings;
  settings.rounds = agents::whole_option(options, "rounds", 1, 100).value_or(settings.rounds);
  if (const auto found = options.find("scored_sizes"); found != options.end() && !found->second.empty()) {
    settings.scored_sizes = found->second;
  }
  return settings;
}

Loop::Loop(const optimizer::Start& start, optimizer::Harness& harness, agents::Agents& agents, const Settings& settings)
    : start_(start), harness_(harness), agents_(agents), settings_(settings) {
  original_.source = start.reference;
  original_.tested = "It is the original, which is right.\n";
}

optimizer::Submission Loop::run() {
  std::string reason = "no version was correct";
  try {
    make_tests();
    profile_original();
    for (int number = 1; number <= settings_.rounds; ++number) {
      lead_round(number);
    }
  } catch (const optimizer::Stopped& stopped) {
    reason = stopped.what();
  } catch (const agents::ChatFailed& failed) {
    reason = failed.what();
  }
  const std::optional<optimizer::Report>& chosen = best_ > 0 ? entry(best_).report : untimed_;
  if (!chosen) {
    return {"", reason};
  }
  agents_.log(fmt::format("submits {}: {}", chosen->id, agents::outcome_text(*chosen, start_.clock)));
  return chosen->submission();
}

void Loop::make_tests() {
  auto values = common_values();
  values["code"] = agents::fenced(start_.reference);
  values["sizes"] = sizes_text(start_);
  const std::vector<WantedTest> tests = wanted_tests(agents_.ask("testing", values).text);
  std::vector<std::string> sets{"smoke"};
  if (is_timed() && settings_.scored_sizes != "smoke") {
    sets.push_back(settings_.scored_sizes);
  }
  test_sizes_ = nearest_set(tests, start_, sets);
  for (const WantedTest& test : tests) {
    wanted_tests_ += "- " + test.text + "\n";
  }
  agents_.log(fmt::format("{} tests wanted; the nearest size set is {}\n{}", tests.size(), test_sizes_, wanted_tests_));
}

void Loop::profile_original() {
  if (!is_timed()) {
    return;
  }
  try {
    original_.report = ask(start_.reference, settings_.scored_sizes);
    original_.analysis = analysis(original_);
  } catch (const optimizer::Refused& refused) {
    agents_.log(std::string("the original could not be timed: ") + refused.what());
  }
}

void Loop::lead_round(int number) {
  if (evaluations_left_ && *evaluations_left_ < 1) {
    throw optimizer::Stopped("no evaluation is left");
  }
  Round round;
  round.number = number;
  round.plan = plan(number);
  code(round);
  if (!round.source.empty()) {
    const auto same = [&](const Round& earlier) { return earlier.source == round.source; };
    const auto found = std::find_if(log_.begin(), log_.end(), same);
    if (found != log_.end() || same(original_)) {
      round.outcome = found == log_.end() ? "the same code as the original" : fmt::format("the same code as in round {}", found->number);
      round.source.clear();
    } else {
      judge(round);
    }
  }
  agents_.log(fmt::format("round {}: {}", number, round.outcome));
  log_.push_back(round);
  choose_start(round);
  const bool goes_on = number < settings_.rounds && !(evaluations_left_ && *evaluations_left_ < 1);
  if (is_timed() && round.report && goes_on) {  // after the last round nobody would read it
    log_.back().analysis = analysis(round);
  }
}

std::string Loop::plan(int number) {
  const Round& from = entry(from_);
  auto values = common_values();
  values["round"] = std::to_string(number);
  values["rounds"] = std::to_string(settings_.rounds);
  values["start"] = start_text();
  values["code"] = agents::fenced(from.source);
  values["tests"] = from.tested;
  values["times"] = table_text();
  values["analysis"] = is_blank(from.analysis) ? "Nothing.\n" : from.analysis + "\n";
  values["log"] = log_text();
  const std::string text = agents_.ask("planning", values).text;
  return is_blank(text) ? "No plan was given; correct the code if it failed, else make it faster.\n" : text + "\n";
}

// The new code; none, with the reason as the outcome, when the answer holds none.
void Loop::code(Round& round) {
  auto values = common_values();
  values["code"] = agents::fenced(entry(from_).source);
  values["plan"] = round.plan;
  const agents::ChatAnswer answer = agents_.ask("coding", values);
  const agents::KernelAnswer kernel = agents::kernel_in(answer.text, start_.entry);
  if (!kernel.renamed_from.empty()) {
    agents_.log(fmt::format("renamed {} to {}", kernel.renamed_from, start_.entry));
  }
  if (!kernel.source) {
    round.outcome = fmt::format("the answer of the coding agent could not be used: {}{}", kernel.problem,
                                answer.truncated ? " (it ended at the limit of output tokens)" : "");
  }
  round.source = kernel.source.value_or("");
}

void Loop::judge(Round& round) {
  try {
    optimizer::Report report = ask(round.source, test_sizes_);
    if (agents::is_correct(report, start_.device) && is_timed() && test_sizes_ != settings_.scored_sizes) {
      untimed_ = report;
      report = ask(round.source, settings_.scored_sizes);
      untimed_.reset();
    }
    round.outcome = agents::outcome_text(report, start_.clock);
    if (!agents::is_correct(report, start_.device)) {
      round.tested = agents::failure_text(report);
      return;
    }
    round.tested = "All tests passed.\n";
    round.report = report;
  } catch (const optimizer::Refused& refused) {
    round.outcome = std::string("the harness refused it: ") + refused.what();
    round.tested = std::string("The harness refused it: ") + refused.what() + "\n";
  }
}

double Loop::score(const Round& round) const { return round.report ? round.report->weighted_speedup(start_.clock).value_or(0) : 0; }

// What failed is corrected in the next round; what is correct and no better gives way to the best.
void Loop::choose_start(const Round& round) {
  if (round.source.empty()) {
    return;
  }
  if (!round.report) {
    from_ = log_.size();
    return;
  }
  if (best_ == 0 || score(round) > score(entry(best_))) {
    best_ = log_.size();
  }
  from_ = !is_timed() ? log_.size() : score(entry(best_)) >= 1 ? best_ : 0;
}

optimizer::Report Loop::ask(const std::string& source, const std::string& sizes) {
  optimizer::Proposal proposal;
  proposal.sources["kernel.cu"] = source;
  proposal.cases = {sizes};
  optimizer::Report report = harness_.evaluate(proposal);
  evaluations_left_ = report.left.evaluations;
  return report;
}

// What the profiling agent reads in the times of a version, beside those of the versions before it.
std::string Loop::analysis(const Round& round) {
  auto values = common_values();
  values["code"] = agents::fenced(round.source);
  values["version"] = round.number == 0 ? "the original" : fmt::format("round {}", round.number);
  values["times"] = table_text();
  return agents_.ask("profiling", values).text;
}

}  // namespace mskb::astra
