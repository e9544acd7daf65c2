#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "common/agents.hpp"
#include "common/chat_json.hpp"
#include "mskb/optimizer.hpp"

// A loop of agents without processes: answers from a script, and a harness that looks only at words in the text of a
// candidate.
namespace mskb::test {

// Prompts that hold every name that they are said to have a value for.
inline agents::Prompts full_prompts(const std::filesystem::path& folder, const std::map<std::string, std::set<std::string>>& names_of_values) {
  for (const auto& [prompt, names] : names_of_values) {
    std::string text;
    for (const std::string& name : names) {
      text += "{{" + name + "}}\n";
    }
    write_file_atomically(folder / (prompt + ".md"), text);
  }
  return agents::Prompts(folder);
}

// A kernel file as an agent answers it. `words` decide what the harness says: broken, wrong, odd (refused), unsupported
// (skipped), slow at scored sizes only wrong (late), speed=2.5.
inline std::string kernel(const std::string& words) {
  return "// " + words + "\nextern \"C\" void doubled(const float* in, float* out, int N) {}\n";
}
inline std::string fenced_kernel(const std::string& words) { return "```cuda\n" + kernel(words) + "```\n"; }

inline optimizer::Start start_of_test(bool timed) {
  optimizer::Start start;
  start.task = "doubled";
  start.precision = "fp32";
  start.summary = "out[i] = 2 in[i]";
  start.entry = "doubled";
  start.declaration = "void doubled(const float* in, float* out, int N)";
  start.signature = {
      {"in", "in", "f32", {"N"}, false}, {"out", "out", "f32", {"N"}, false}, {"N", "dim", "i32", {}, false}};
  start.dims = {{"N", "elements"}};
  start.valid = {"N >= 1"};
  start.reset = "nothing";
  start.accept = {{"out", "elementwise", 0, 2e-6, 0, 0}};
  start.decisions = {"N may be 1.", "The BF16 original rounds twice. Kept."};
  start.reference_file = "reference.cu";
  start.reference = "// the original\nextern \"C\" void doubled(const float* in, float* out, int N) {}\n";
  start.cases["smoke"] = {{"doubled/fp32/smoke/0", "64", {{"N", 64}}, 64}};
  start.cases["check"] = {{"doubled/fp32/check/0", "1", {{"N", 1}}, 1}};
  start.cases["paper"] = {{"doubled/fp32/paper/0", "1000", {{"N", 1000}}, 1000},
                          {"doubled/fp32/paper/1", "3000", {{"N", 3000}}, 3000}};
  start.device.backend = timed ? "cuda" : "cpu";
  start.device.name = "a device";
  start.device.compiler = "a compiler";
  if (timed) {
    start.device.compute_capability = "9.0";
    start.device.multiprocessors = 132;
    start.device.l2_bytes = 50 << 20;
    start.device.memory_bytes = 1 << 30;
    start.device.memory_bandwidth = 4.8e12;
    start.device.driver = "13.0";
    start.device.toolkit = "a compiler";
    start.clock = "span";
  }
  start.budget.evaluations = 20;
  start.budget.wall_s = 3600;
  return start;
}

class FakeHarness : public optimizer::Harness {
 public:
  explicit FakeHarness(const optimizer::Start& start) : start_(start), left_(start.budget.evaluations.value_or(1000)) {}

  optimizer::Report evaluate(const optimizer::Proposal& proposal) override {
    const std::string& source = proposal.sources.begin()->second;
    log("evaluate " + first_line(source) + " [" + join(proposal.flags) + "] on " + join(proposal.cases) +
        (proposal.profile ? " with profile" : ""));
    if (left_ <= 0) {
      throw optimizer::Stopped("the budget of evaluations is spent");
    }
    const auto has = [&](const char* word) { return source.find(word) != std::string::npos; };
    if (has("odd")) {
      throw optimizer::Refused("the file is odd");
    }
    optimizer::Report report;
    report.id = "id of " + first_line(source) + join(proposal.flags);
    report.left.evaluations = --left_;
    report.kernels = {{"doubled_kernel", 32, 1024, 0, 0, 0}};
    report.profile_reason = proposal.profile ? profile_reason : "not asked for";
    const bool scored = proposal.cases.front() == "paper";
    report.verdict = has("broken")                             ? "build_failed"
                     : has("unsupported")                      ? "skipped"
                     : has("wrong") || (scored && has("late")) ? "mismatch"
                                                               : "passed";
    if (report.verdict == "build_failed") {
      report.detail = "kernel.cu:1: error: broken";
      report.build_log = "kernel.cu:1: error: broken\nmore of the log";
      report.kernels.clear();
      return report;
    }
    for (const std::string& set : {std::string("check"), proposal.cases.front()}) {
      for (const optimizer::Case& each : start_.cases.at(set)) {
        report.cases.push_back(case_report(set, each, report.verdict, speed_of(source), scored));
      }
    }
    report.detail = report.cases.front().detail;
    if (proposal.profile && report.passed()) {
      report.profile = profile;
    }
    return report;
  }
  void note(const optimizer::Note& note) override {
    notes.push_back(note);
    if (note.role == "loop") {
      log("note " + note.text);
    }
  }
  std::optional<optimizer::Report> best() const override { return std::nullopt; }
  void log(const std::string& line) { exchange.push_back(line); }

  std::vector<std::string> exchange;  // one line per message, and per request
  std::vector<optimizer::Note> notes;
  std::string profile = R"({"case":"doubled/fp32/paper/1","tool":"a profiler","class":"memory latency bound"})";
  std::string profile_reason = "counters are denied";

  static std::string first_line(const std::string& source) { return source.substr(0, source.find('\n')); }

 private:
  static std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
      text += (text.empty() ? "" : " ") + word;
    }
    return text;
  }
  static double speed_of(const std::string& source) {
    const std::size_t at = source.find("speed=");
    return at == std::string::npos ? 1 : std::atof(source.c_str() + at + 6);
  }
  optimizer::CaseReport case_report(const std::string& set, const optimizer::Case& each, const std::string& verdict,
                                    double speed, bool scored) const {
    optimizer::CaseReport report{each.name, set, each.size, verdict, "", each.weight, {}, {}, {}, {}};
    if (verdict == "mismatch") {
      report.detail = "out[0]: got 0, want 2";
      report.errors = {{"out", 10, 4, 1, 0, 3e5}};
    } else if (verdict == "skipped") {
      report.detail = "the CPU backend lacks inline PTX";
    } else if (!start_.clock.empty() && set != "check") {
      // At smoke sizes everything is equally fast.
      const double here = scored ? speed : 9;
      report.median_us["span"] = 10 / here;
      report.reference_median_us["span"] = 10;
      report.speedup["span"] = {here, here * 0.98, here * 1.02, here > 1 ? "faster" : "same"};
      report.null_kernel_us = 0.5;
    }
    return report;
  }

  const optimizer::Start& start_;
  double left_;
};

// Answers by agent, in order. An answer "FAIL text" is a request that fails, one that ends in "CUT" ended at the limit
// of tokens.
class ScriptedChat : public agents::Chat {
 public:
  ScriptedChat(std::map<std::string, std::deque<std::string>> answers, FakeHarness& harness)
      : answers_(std::move(answers)), harness_(harness) {}

  agents::ChatAnswer ask(const agents::ChatRequest& request) override {
    requests.push_back(request);
    harness_.log("ask " + request.agent);
    std::deque<std::string>& left = answers_[request.agent];
    if (left.empty()) {
      throw std::logic_error("no answer is scripted for this request of " + request.agent);
    }
    agents::ChatAnswer answer;
    answer.text = left.front();
    left.pop_front();
    if (answer.text.starts_with("FAIL")) {
      throw agents::ChatFailed(answer.text.substr(5));
    }
    if (answer.text.ends_with("CUT")) {
      answer.text.resize(answer.text.size() - 3);
      answer.truncated = true;
    }
    answer.model = "a-model-1";
    answer.usage.input_tokens = 100;
    answer.usage.output_tokens = 10;
    return answer;
  }
  bool all_used() const {
    for (const auto& entry : answers_) {
      if (!entry.second.empty()) {
        return false;
      }
    }
    return true;
  }
  // What the agent was told in its n-th request.
  std::string told(const std::string& agent, std::size_t n = 0) const {
    for (const agents::ChatRequest& request : requests) {
      if (request.agent == agent && n-- == 0) {
        return request.messages.at(1).content;
      }
    }
    return "(not asked)";
  }
  std::size_t asked(const std::string& agent) const {
    std::size_t count = 0;
    for (const agents::ChatRequest& request : requests) {
      count += request.agent == agent;
    }
    return count;
  }

  std::vector<agents::ChatRequest> requests;

 private:
  std::map<std::string, std::deque<std::string>> answers_;
  FakeHarness& harness_;
};

// The whole exchange as text: each request with all that was sent, each answer, each message to the harness.
inline std::string transcript_of(const ScriptedChat& chat, const FakeHarness& harness) {
  std::string text;
  std::size_t request = 0, note = 0;
  for (const std::string& line : harness.exchange) {
    text += "==== " + line + "\n";
    if (line.starts_with("ask ")) {
      for (const agents::Message& message : chat.requests.at(request++).messages) {
        text += "---- " + message.role + "\n" + message.content + "\n";
      }
      while (harness.notes.at(note).role == "loop") {
        ++note;
      }
      text += "---- answer\n" +
              agents::answer_from_json(nlohmann::json::parse(harness.notes.at(note++).more.at("answer"))).text + "\n";
    }
  }
  return text;
}

// MSKB_UPDATE_GOLDEN=1 in the environment writes the file anew; look at the difference before committing it.
inline void expect_golden(const std::string& file, const std::string& text) {
  const std::string path = std::string(MSKB_SOURCE_DIR) + "/tests/optimizers/" + file;
  if (std::getenv("MSKB_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
  }
  std::stringstream stored;
  stored << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(text, stored.str()) << file;
}

}  // namespace mskb::test
