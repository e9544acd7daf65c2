#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/candidate.hpp"
#include "model/evaluation.hpp"
#include "model/run.hpp"
#include "store/append_file.hpp"

namespace mskb {

// A run on disk: <directory>/{run.yaml, evaluations.jsonl, candidates/<id>/..., logs/}. evaluations.jsonl is append-only; its first line is
// {"schema": 1, "run": id}. A group is appended whole (one write, then fsync), so that after a kill either all its lines stand or an
// incomplete tail, which `resume` cuts away before it goes on.
class RunWriter {
 public:
  // New run: refuses a directory that already holds one (InputError: use --resume or another --out). Throws std::logic_error for an environment
  // without device, driver and toolkit (cuda) or device and compiler (cpu).
  static RunWriter create(const std::filesystem::path& directory, const Run& run);
  // Goes on with a run: reads run.yaml, cuts an incomplete tail away, keeps the rest. Throws InputError when there is none, when the schema
  // differs, when the records are damaged in a way that no kill explains, or when another process is writing.
  static RunWriter resume(const std::filesystem::path& directory);

  const Run& run() const { return run_; }
  // Groups that are complete on disk.
  bool has_group(const std::string& group) const { return groups_.contains(group); }
  // Appends the evaluations of one group. Throws HarnessError, with the file as it was before, when the disk is full. Throws
  // std::logic_error for a timing without a pass (of the verdict, or of the paper's under its protocol), a record without a device, a group
  // that is not whole, or one that is stored already.
  void append(const std::vector<Evaluation>& group);
  // Keeps a candidate under candidates/<id>/: its sources and candidate.yaml (origin, flags, libraries), from which `rerun` builds it again.
  void keep_candidate(const Candidate& candidate);
  // Keeps a text under logs/ and returns its path inside the run. Of a long one the middle is cut out, and the log says so.
  std::string keep_log(const std::string& name, const std::string& text);
  // Rewrites run.yaml with the key of a run that was made without one, and the hash of all submissions, which stay what they are from now on.
  // Throws std::logic_error where it has a key.
  void give_key(const std::string& key, const std::string& submissions);
  // Rewrites run.yaml with closing figures; of a run that went on with records, "parts" says so.
  void finish(const std::map<std::string, std::string>& figures);

 private:
  RunWriter() = default;
  std::filesystem::path directory_;
  Run run_;
  std::set<std::string> groups_;
  bool several_parts_ = false;
  AppendFile records_;
};

// Whether `directory` holds a run that `resume` can go on with.
bool holds_run(const std::filesystem::path& directory);

}  // namespace mskb
