#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "build/builder.hpp"
#include "evaluate/contents.hpp"
#include "evaluate/keeper_client.hpp"
#include "model/backend.hpp"
#include "model/candidate.hpp"
#include "model/case.hpp"
#include "model/evaluation.hpp"
#include "model/run.hpp"
#include "sandbox/process.hpp"

namespace mskb {

enum class Protocol { strict, paper };

constexpr const char* to_string(Protocol protocol) { return protocol == Protocol::strict ? "strict" : "paper"; }

struct EvaluatorOptions {
  std::filesystem::path home, cache;
  Backend backend = Backend::cpu;
  int device = 0;
  Protocol protocol = Protocol::strict;
  SandboxLevel sandbox = SandboxLevel::full;
  bool sanitize = false;                     // cuda: under compute-sanitizer; cpu: AddressSanitizer and UBSan. Verdicts only
  bool races = false;                        // cpu: data races between CUDA threads are faults. Verdicts only
  std::string sanitizer_tool = "memcheck";   // compute-sanitizer's
  bool timing = true;                        // false: verdicts only (always so on the CPU)
  int jobs = 2;                              // builds in parallel
  std::chrono::duration<double> budget{0};   // for all timing of this run; 0: none
  std::chrono::duration<double> budget_spent{0};  // of it, by earlier parts of the run
  std::chrono::duration<double> case_budget{3};  // most of it for one case
  // Fixed part of a call's time limit, to which 20 of the reference's calls are added. 0: 2 s on cuda, 20 s on cpu.
  std::chrono::duration<double> hang_limit{0};
  std::chrono::seconds oracle_limit = mskb::oracle_limit;
  RunKey key;
  std::string run_id;
};

// What is evaluated together: the reference first, then everything that is to be compared with it.
struct ProblemPlan {
  Problem problem;
  std::vector<Candidate> candidates;         // candidates[0] is the reference
  std::vector<std::string> sets;             // size sets to time; `check` always comes before them
  std::string only_case;                     // one case by name and nothing else (mskb rerun); empty: all of the sets
};

struct EvaluatorSink {
  // Whether this group is on disk already (then it is not evaluated again).
  std::function<bool(const std::string& group)> has_group = [](const std::string&) { return false; };
  // Whether a `check` case of this candidate failed in a group that is on disk already.
  std::function<bool(const Problem&, const Candidate&)> failed_check = [](const Problem&, const Candidate&) { return false; };
  // One complete group: one case, all candidates, reference first.
  std::function<void(const std::vector<Evaluation>&)> group = [](const std::vector<Evaluation>&) {};
  // A build has ended. `log` is the text of its log.
  std::function<void(const Problem&, const Candidate&, const BuildResult&)> built =
      [](const Problem&, const Candidate&, const BuildResult&) {};
  // One line about something that went wrong and was mended: not a verdict, but the reader is to know.
  std::function<void(const std::string&)> notice = [](const std::string&) {};
  // One line of progress; not an event of record.
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

// The pipe from Case x Candidates to Evaluations: builds, keeps one keeper for the device and one worker per candidate, checks first and
// times afterwards. Starts a new keeper and repeats the group when the keeper is lost, at most twice for one group.
class Evaluator {
 public:
  explicit Evaluator(EvaluatorOptions options);  // without a device everything that builds is skipped
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  const Environment& environment() const;
  // Every group of every plan, in order. Verdicts are data; an exception is a harness failure or wrong input.
  void run(const std::vector<ProblemPlan>& plans, const EvaluatorSink& sink);
  // Figures of all runs so far: the share of wall time in which a candidate's call was running; of the timed pairs, the share whose interval is
  // wider than 1 % (undecided) and the share of which neither faster, slower nor same can be said (no_verdict).
  std::map<std::string, std::string> figures() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The id of a case's group in a run.
std::string group_id(const std::string& run_id, const std::string& case_name);
// From its group, candidate and origin.
std::string evaluation_id(const Evaluation& evaluation);

}  // namespace mskb
