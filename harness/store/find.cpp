#include <algorithm>

#include "base/errors.hpp"
#include "store/run_reader.hpp"

namespace mskb {

namespace fs = std::filesystem;

std::vector<fs::path> find_runs(const fs::path& root) {
  if (!fs::is_directory(root)) {
    throw InputError(root.string() + ": no such directory; give a run or a directory of runs");
  }
  if (fs::exists(root / "run.yaml")) {
    return {root};
  }
  std::vector<fs::path> runs;
  for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
    if (entry.is_directory()) {
      const std::vector<fs::path> below = find_runs(entry.path());
      runs.insert(runs.end(), below.begin(), below.end());
    }
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

FoundEvaluation find_evaluation(const fs::path& root, const std::string& id) {
  if (id.size() < 4) {
    throw InputError("evaluation id '" + id + "': give 4 digits at least");
  }
  std::vector<FoundEvaluation> found;
  const std::vector<fs::path> runs = find_runs(root);
  for (const fs::path& directory : runs) {
    StoredRun stored = read_run(directory);
    for (Evaluation& evaluation : stored.evaluations) {
      if (evaluation.id.starts_with(id)) {
        found.push_back({directory, stored.run, std::move(evaluation)});
      }
    }
  }
  if (found.empty()) {
    throw InputError("evaluation '" + id + "': none in the " + std::to_string(runs.size()) + " runs below " +
                     root.string() + "; the ids stand in evaluations.jsonl");
  }
  if (found.size() > 1) {
    throw InputError("evaluation '" + id + "': " + found[0].evaluation.id + " in " + found[0].directory.string() + " and " +
                     found[1].evaluation.id + " in " + found[1].directory.string() + " match; give more digits or one run");
  }
  return std::move(found.front());
}

}  // namespace mskb
