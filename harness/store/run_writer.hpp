#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/unique_fd.hpp"
#include "model/evaluation.hpp"
#include "model/run.hpp"

namespace mskb {

// A run on disk: <directory>/{run.yaml, evaluations.jsonl, candidates/<id>/..., logs/}. evaluations.jsonl is append-only; its first line is
// {"schema": 1, "run": id}. A group is appended whole (one write, then fsync), so that after a kill either all its lines stand or an
// incomplete tail, which `resume` cuts away before it goes on.
class RunWriter {
 public:
  // New run: refuses a directory that already holds one (InputError: use --resume or another --out).
  static RunWriter create(const std::filesystem::path& directory, const Run& run);
  // Goes on with a run: reads run.yaml, drops lines of incomplete groups, keeps the rest. Throws InputError when there is none, when the schema
  // differs, or when another process is writing (lock file).
  static RunWriter resume(const std::filesystem::path& directory);

  const Run& run() const { return run_; }
  // Groups that are complete on disk.
  bool has_group(const std::string& group) const { return groups_.contains(group); }
  // Appends the evaluations of one group. Throws HarnessError, with the file as it was before, when the disk is full. Throws
  // std::logic_error for a timing without a pass or a record without a device.
  void append(const std::vector<Evaluation>& group);
  // Keeps the sources of a candidate under candidates/<id>/, and a text under logs/ (both once).
  void keep_candidate(const std::string& id, const std::map<std::string, std::string>& sources);
  std::string keep_log(const std::string& name, const std::string& text);  // returns the path inside the run
  // Rewrites run.yaml with closing figures.
  void finish(const std::map<std::string, std::string>& figures);

 private:
  RunWriter() = default;
  std::filesystem::path directory_;
  Run run_;
  std::set<std::string> groups_;
  UniqueFd lock_, records_;
};

// A run as stored. Notes say what was left out (a cut last line, an incomplete group); an unknown schema throws InputError.
struct StoredRun {
  Run run;
  std::filesystem::path directory;
  std::vector<Evaluation> evaluations;
  std::vector<std::string> notes;
};
StoredRun read_run(const std::filesystem::path& directory);

}  // namespace mskb
