#include "astra/loop.hpp"

#include <fmt/format.h>

#include <cmath>

#include "astra/tests_choice.hpp"
#include "common/device_text.hpp"
#include "common/problem_text.hpp"
#include "common/report_text.hpp"
#include "common/response.hpp"

namespace mskb::astra {

namespace {

// Over the cases that have a speedup on the clock; Astra's own figure.
std::optional<double> geometric_mean(const optimizer::Report& report, const std::string& clock) {
  double sum = 0;
  int count = 0;
  for (const optimizer::CaseReport& each : report.cases) {
    if (const auto found = each.speedup.find(clock); found != each.speedup.end() && found->second.value > 0) {
      sum += std::log(found->second.value);
      ++count;
    }
  }
  return count > 0 ? std::optional(std::exp(sum / count)) : std::nullopt;
}

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
    : start_(start), harness_(harness), agents_(agents), settings_(settings), code_(start.reference) {}

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
  const std::optional<optimizer::Report>& chosen = best_ ? best_ : untimed_;
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
  std::string text = fmt::format("{} tests wanted; the nearest size set is {}", tests.size(), test_sizes_);
  for (const WantedTest& test : tests) {
    text += "\n" + test.text;
  }
  agents_.log(text);
}

void Loop::profile_original() {
  tested_ = "It is the original, which is right.\n";
  profiled_ = "No times were taken.\n";
  if (!is_timed()) {
    return;
  }
  try {
    profiled_ = analysis(ask(start_.reference, settings_.scored_sizes));
  } catch (const optimizer::Refused& refused) {
    agents_.log(std::string("the original could not be timed: ") + refused.what());
  }
}

void Loop::lead_round(int number) {
  if (evaluations_left_ && *evaluations_left_ < 1) {
    throw optimizer::Stopped("no evaluation is left");
  }
  const std::string plan_text = plan(number);
  std::string result;
  const std::string source = code(plan_text);
  if (!source.empty() && source == code_) {
    result = "the same code as before";
  } else if (!source.empty()) {
    code_ = source;
    judge(source);
  }
  if (result.empty()) {
    result = tested_ + profiled_;
  }
  agents_.log(fmt::format("round {}: {}", number, result));
  log_ += fmt::format("Round {}. Plan:\n{}\nResult: {}\n", number, agents::plan_excerpt(plan_text, 3000),
                      agents::excerpt_of(result, 1500));
}

std::string Loop::plan(int number) {
  auto values = common_values();
  values["round"] = std::to_string(number);
  values["rounds"] = std::to_string(settings_.rounds);
  values["code"] = agents::fenced(code_);
  values["tests"] = tested_;
  values["times"] = profiled_;
  values["log"] = log_.empty() ? "Empty; this is the first round.\n" : log_;
  const std::string text = agents_.ask("planning", values).text;
  return is_blank(text) ? "No plan was given; correct the code if it failed, else make it faster.\n" : text + "\n";
}

// The new code; empty, with the reason in tested_, when the answer holds none.
std::string Loop::code(const std::string& plan) {
  auto values = common_values();
  values["code"] = agents::fenced(code_);
  values["plan"] = plan;
  const agents::ChatAnswer answer = agents_.ask("coding", values);
  const agents::KernelAnswer kernel = agents::kernel_in(answer.text, start_.entry);
  if (!kernel.renamed_from.empty()) {
    agents_.log(fmt::format("renamed {} to {}", kernel.renamed_from, start_.entry));
  }
  if (!kernel.source) {
    tested_ = fmt::format(
        "The last answer of the coding agent could not be used, and the code is that of the round before: {}{}\n",
        kernel.problem, answer.truncated ? " (it ended at the limit of output tokens)" : "");
  }
  return kernel.source.value_or("");
}

void Loop::judge(const std::string& source) {
  profiled_ = "No times were taken.\n";
  try {
    optimizer::Report report = ask(source, test_sizes_);
    if (agents::is_correct(report, start_.device) && is_timed() && test_sizes_ != settings_.scored_sizes) {
      untimed_ = report;
      report = ask(source, settings_.scored_sizes);
      untimed_.reset();
    }
    if (!agents::is_correct(report, start_.device)) {
      tested_ = agents::failure_text(report);
      return;
    }
    tested_ = "All tests passed.\n";
    const auto speed = [this](const optimizer::Report& each) {
      return each.weighted_speedup(start_.clock).value_or(0);
    };
    if (!best_ || speed(report) > speed(*best_)) {
      best_ = report;
    }
    if (is_timed()) {
      profiled_ = analysis(report);
    }
  } catch (const optimizer::Refused& refused) {
    tested_ = std::string("The harness refused it: ") + refused.what() + "\n";
  }
}

optimizer::Report Loop::ask(const std::string& source, const std::string& sizes) {
  optimizer::Proposal proposal;
  proposal.sources["kernel.cu"] = source;
  proposal.cases = {sizes};
  optimizer::Report report = harness_.evaluate(proposal);
  evaluations_left_ = report.left.evaluations;
  return report;
}

// Times, and what the profiling agent reads in them.
std::string Loop::analysis(const optimizer::Report& report) {
  std::string times = agents::times_text(report, start_.clock);
  if (const auto weighted = report.weighted_speedup(start_.clock)) {
    times += fmt::format("Speedup over the original: {:.3f} weighted by size, {:.3f} as the geometric mean\n",
                         *weighted, geometric_mean(report, start_.clock).value_or(0));
  }
  auto values = common_values();
  values["code"] = agents::fenced(code_);
  values["times"] = times;
  return times + "What the profiling agent says:\n" + agents_.ask("profiling", values).text + "\n";
}

std::map<std::string, std::string> Loop::common_values() const {
  return {{"problem", agents::problem_text(start_, settings_.scored_sizes)},
          {"device", agents::device_text(start_)},
          {"entry", start_.entry},
          {"declaration", start_.declaration}};
}

}  // namespace mskb::astra
