#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/candidate.hpp"
#include "model/evaluation.hpp"
#include "model/run.hpp"

namespace mskb {

// A run as stored.
struct StoredRun {
  Run run;
  std::filesystem::path directory;
  std::vector<Evaluation> evaluations;
  std::vector<Evaluation> left_out; // of groups that are not whole: their cases exist, and have no result
  std::vector<std::string> notes;   // what was left out at the end: a cut last line, an incomplete group
  std::vector<std::string> damage;  // unreadable or refused lines elsewhere, verdicts that contradict their record; not empty: the run is invalid

  bool valid() const { return damage.empty(); }
};

// Throws InputError when there is no run, for another schema, or for records of another run.
StoredRun read_run(const std::filesystem::path& directory);

// Seconds that went into the cases on record that are timed: all but `check`. They count against --budget when the run goes on.
double seconds_of_timed_cases(const StoredRun& stored);

// A candidate that RunWriter::keep_candidate kept. Throws InputError when it is not there or no longer hashes to its id.
Candidate read_candidate(const std::filesystem::path& run_directory, const std::string& id);

// An evaluation by its id, or by the first digits of it (4 at least), in a run's directory or in any run below `root`.
struct FoundEvaluation {
  std::filesystem::path directory;  // of the run
  Run run;
  Evaluation evaluation;
};
// Throws InputError when none or several match.
FoundEvaluation find_evaluation(const std::filesystem::path& root, const std::string& id);

// The directories below `root` (itself included) that hold a run, by path.
std::vector<std::filesystem::path> find_runs(const std::filesystem::path& root);

}  // namespace mskb
