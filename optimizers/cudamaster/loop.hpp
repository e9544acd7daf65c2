#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/agents.hpp"
#include "mskb/optimizer.hpp"

namespace mskb::cudamaster {

struct Settings {
  int rounds = 3;                        // R
  int debug = 3;                         // D, attempts to repair per round
  bool profile = true;                   // ask for profiles; the harness filters them as the same option says
  std::string original_sizes;            // size set on which the original is looked at; empty: the scored ones where there are times
  std::string scored_sizes =
      "paper";  // size set that counts; asked for where there are times, and only with kernels that pass `smoke`
};

// Throws std::invalid_argument with one line that names the option.
Settings settings_from(const std::map<std::string, std::string>& options);

// The names that the values of each prompt have.
std::map<std::string, std::set<std::string>> prompt_values();

// One problem: R rounds of planner, coder, compiler, and up to D times debugger.
class Loop {
 public:
  Loop(const optimizer::Start& start, optimizer::Harness& harness, agents::Agents& agents, const Settings& settings);

  // The best correct kernel, or none with the reason; the original itself is never submitted. Throws
  // optimizer::Suspended where an answer is awaited.
  optimizer::Submission run();

 private:
  // A kernel file with its flags, and what came of it.
  struct Version {
    std::string source;
    std::vector<std::string> flags;
    std::optional<optimizer::Report> report;  // absent: it never reached the harness
    std::string failure;                      // for the debugger; empty where it is correct
    std::string last_answer;                  // why the last attempt to repair it changed nothing

    bool correct() const { return report && failure.empty(); }
  };
  struct Round {
    int number = 0;
    std::string plan, result;
    std::vector<std::string> flags;
    std::optional<optimizer::Report> report;  // of a version that was correct
  };

  void look_at_original();
  void lead_round(int number);
  std::string plan(int number);
  Version code(const std::string& plan);
  std::vector<std::string> flags_for(const std::string& plan, const std::string& source);
  Version repair(const Version& failed, const std::string& plan, int attempt);
  Version read(const agents::ChatAnswer& answer);
  Version evaluate(const std::string& source, const std::vector<std::string>& flags);
  optimizer::Report ask(const std::string& source, const std::vector<std::string>& flags, const std::string& sizes,
                        bool profile);
  void keep(const Version& version, const Round& round);

  // What the prompts say; loop_text.cpp.
  std::map<std::string, std::string> common_values() const;
  std::string start_text() const;
  std::string table_text() const;
  std::string profile_text() const;
  std::string resources_text() const;
  std::string limit_question() const;
  std::string history_text(bool with_plans) const;
  bool is_scored() const;

  const optimizer::Start& start_;
  optimizer::Harness& harness_;
  agents::Agents& agents_;
  Settings settings_;
  Version base_;  // what the next round starts from: the best correct kernel so far, at first the original
  int base_round_ = 0;
  std::optional<optimizer::Report> original_;
  std::vector<Round> history_;
  std::map<std::string, Version> seen_;  // by source and flags
  std::optional<Version> best_;
  std::optional<Version> untimed_;  // the last that was correct on `smoke` and had no scored sizes yet
  std::optional<double> evaluations_left_;
};

}  // namespace mskb::cudamaster
