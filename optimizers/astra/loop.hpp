#pragma once
#include <map>
#include <optional>
#include <set>
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

// The names that the values of each prompt have.
std::map<std::string, std::set<std::string>> prompt_values();

// One problem: tests and a first profile, then R rounds of plan, code, test, profile, log. The profile is times alone.
class Loop {
 public:
  Loop(const optimizer::Start& start, optimizer::Harness& harness, agents::Agents& agents, const Settings& settings);

  // The best correct kernel, or none with the reason; the original itself is never submitted. Throws
  // optimizer::Suspended where an answer is awaited.
  optimizer::Submission run();

 private:
  // An entry of the log.
  struct Round {
    int number = 0;                           // 0: the original
    std::string plan, source, outcome;
    std::string tested, analysis;             // what the tests and the profiling agent said of the source
    std::optional<optimizer::Report> report;  // of a version that was correct
  };

  void make_tests();
  void profile_original();
  void lead_round(int number);
  std::string plan(int number);
  void code(Round& round);
  void judge(Round& round);
  void choose_start(const Round& round);
  optimizer::Report ask(const std::string& source, const std::string& sizes);
  std::string analysis(const Round& round);
  bool is_timed() const { return !start_.clock.empty() && start_.cases.contains(settings_.scored_sizes); }
  double score(const Round& round) const;

  // What the prompts say; loop_text.cpp.
  std::map<std::string, std::string> common_values() const;
  std::string start_text() const;
  std::string table_text() const;
  std::string log_text() const;

  const optimizer::Start& start_;
  optimizer::Harness& harness_;
  agents::Agents& agents_;
  Settings settings_;
  std::string test_sizes_ = "smoke", wanted_tests_;
  Round original_;
  std::vector<Round> log_;
  std::size_t from_ = 0, best_ = 0;          // entries of log_, counted from 1, that the next round starts from and that is best; 0: the original
  std::optional<optimizer::Report> untimed_;  // passed its tests and has no profile yet
  std::optional<double> evaluations_left_;
  const Round& entry(std::size_t number) const { return number == 0 ? original_ : log_.at(number - 1); }
};

}  // namespace mskb::astra
