#include "store/run_reader.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "store/records_file.hpp"
#include "store/run_file.hpp"

namespace mskb {

StoredRun read_run(const std::filesystem::path& directory) {
  if (!std::filesystem::exists(directory / "run.yaml")) {
    throw InputError(directory.string() + ": no run.yaml; give the directory of a run");
  }
  StoredRun stored;
  stored.directory = directory;
  stored.run = parse_run_yaml(read_file(directory / "run.yaml"), (directory / "run.yaml").string());
  try {
    RecordsFile records = scan_records(read_file(directory / "evaluations.jsonl"), "evaluations.jsonl", stored.run.id);
    stored.evaluations = std::move(records.evaluations);
    stored.left_out = std::move(records.left_out);
    stored.notes = std::move(records.notes);
    stored.damage = std::move(records.damage);
  } catch (const InputError& error) {
    throw InputError(directory.string() + ": " + error.what());
  }
  return stored;
}

double seconds_of_timed_cases(const StoredRun& stored) {
  std::map<std::string, double> by_group;  // the seconds of a group stand in each of its records
  for (const Evaluation& evaluation : stored.evaluations) {
    if (evaluation.set != "check") {
      double& seconds = by_group[evaluation.group];
      seconds = std::max(seconds, evaluation.wall_s);
    }
  }
  return std::accumulate(by_group.begin(), by_group.end(), 0.0, [](double sum, const auto& each) { return sum + each.second; });
}

}  // namespace mskb
