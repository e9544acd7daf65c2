#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/agents.hpp"
#include "mskb/optimizer.hpp"

namespace mskb::astra {

struct Settings {
  int rounds = 5;                      // R
  std::string scored_sizes = "paper";  // size set that is timed
};

// Throws std::invalid_argument with one line that names the option.
Settings settings_from(const std::map<std::string, std::string>& options);

// One problem: tests and a first profile, then R rounds of plan, code, test, profile, log. The profile is times alone.
class Loop {
 public:
  Loop(const optimizer::Start& start, optimizer::Harness& harness, agents::Agents& agents, const Settings& settings);

  // The best correct kernel, or none with the reason; the original itself is never submitted. Throws
  // optimizer::Suspended where an answer is awaited.
  optimizer::Submission run();

 private:
  void make_tests();
  void profile_original();
  void lead_round(int number);
  std::string plan(int number);
  std::string code(const std::string& plan);
  void judge(const std::string& source);
  optimizer::Report ask(const std::string& source, const std::string& sizes);
  std::string analysis(const optimizer::Report& report);
  bool is_timed() const { return !start_.clock.empty() && start_.cases.contains(settings_.scored_sizes); }
  std::map<std::string, std::string> common_values() const;

  const optimizer::Start& start_;
  optimizer::Harness& harness_;
  agents::Agents& agents_;
  Settings settings_;
  std::string test_sizes_ = "smoke";
  // The previous round's code, right or wrong, and what its tests and its profile said.
  std::string code_, tested_, profiled_, log_;
  std::optional<optimizer::Report> best_, untimed_;  // untimed: passed its tests and has no profile yet
  std::optional<double> evaluations_left_;
};

}  // namespace mskb::astra
