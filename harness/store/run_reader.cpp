#include "store/run_reader.hpp"

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
    stored.notes = std::move(records.notes);
    stored.damage = std::move(records.damage);
  } catch (const InputError& error) {
    throw InputError(directory.string() + ": " + error.what());
  }
  return stored;
}

}  // namespace mskb
