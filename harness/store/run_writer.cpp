#include "store/run_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <stdexcept>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "store/archive.hpp"
#include "store/record.hpp"
#include "store/records_file.hpp"
#include "store/run_file.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t log_limit = 64 * 1024;

void check_environment(const Environment& environment) {
  const bool cuda = environment.backend == "cuda";
  if (environment.device.empty() || (cuda && (environment.driver.empty() || environment.toolkit.empty())) ||
      (!cuda && (environment.backend != "cpu" || environment.compiler.empty()))) {
    throw std::logic_error("a run without its device, driver and toolkit (cuda) or device and compiler (cpu)");
  }
}

void sync_directory(const fs::path& directory) {
  const UniqueFd folder(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder || ::fsync(folder.get()) != 0) {
    throw_errno("sync " + directory.string());
  }
}

// "<name>.tmp.<pid>": a file that write_file_atomically had not yet renamed when it was killed.
bool is_half_written(const std::string& name) {
  const std::size_t mark = name.rfind(".tmp.");
  return mark != std::string::npos && name.find_first_not_of("0123456789", mark + 5) == std::string::npos;
}

void sweep(const fs::path& directory) {
  std::vector<fs::path> left;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file() && is_half_written(entry.path().filename().string())) {
      left.push_back(entry.path());
    }
  }
  for (const fs::path& file : left) {
    fs::remove(file);
  }
}

}  // namespace

bool holds_run(const fs::path& directory) { return fs::exists(directory / "run.yaml"); }

// run.yaml is written last: where it stands, the run can be resumed.
RunWriter RunWriter::create(const fs::path& directory, const Run& run) {
  check_environment(run.environment);
  if (holds_run(directory)) {
    throw InputError(directory.string() + ": holds a run already; go on with --resume or choose another --out");
  }
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) {
    throw InputError(directory.string() + ": cannot be created (" + failed.message() + "); choose another --out");
  }
  RunWriter writer;
  writer.directory_ = directory;
  writer.run_ = run;
  const fs::path file = directory / "evaluations.jsonl";
  writer.records_ = AppendFile::open(file);
  const std::string text = read_file(file);
  const std::size_t first = text.find('\n');
  if (first != std::string::npos && first + 1 < text.size()) {
    throw InputError(file.string() + ": records without a run.yaml; move them away or choose another --out");
  }
  writer.records_.truncate(0);
  writer.records_.append(records_header(run.id));
  write_file_atomically(directory / "run.yaml", run_yaml(run));
  sync_directory(directory);
  return writer;
}

RunWriter RunWriter::resume(const fs::path& directory) {
  if (!holds_run(directory)) {
    throw InputError(directory.string() + ": no run.yaml, so no run to go on with; begin one without --resume");
  }
  RunWriter writer;
  writer.directory_ = directory;
  const fs::path file = directory / "evaluations.jsonl";
  writer.records_ = AppendFile::open(file);
  writer.run_ = parse_run_yaml(read_file(directory / "run.yaml"), (directory / "run.yaml").string());
  RecordsFile records = scan_records(read_file(file), file.string(), writer.run_.id);
  if (!records.damage.empty()) {
    throw InputError(records.damage.front() + "; the run is damaged and cannot go on; begin another with --out");
  }
  sweep(directory);
  if (records.intact_bytes != writer.records_.size()) {
    writer.records_.truncate(records.intact_bytes);
  }
  if (records.intact_bytes == 0) {
    writer.records_.append(records_header(writer.run_.id));
  }
  writer.groups_ = std::move(records.groups);
  writer.several_parts_ = !writer.groups_.empty();
  return writer;
}

void RunWriter::append(const std::vector<Evaluation>& group) {
  if (group.empty()) {
    throw std::logic_error("an empty group");
  }
  std::string lines;
  std::set<std::string> ids;
  for (const Evaluation& evaluation : group) {
    if (const std::string fault = record_fault(evaluation); !fault.empty()) {
      throw std::logic_error(fault);
    }
    if (evaluation.group != group.front().group || evaluation.group_size != static_cast<int>(group.size())) {
      throw std::logic_error("record " + evaluation.id + " does not belong to a group of " + std::to_string(group.size()));
    }
    if (!ids.insert(evaluation.id).second) {
      throw std::logic_error("record " + evaluation.id + " twice in its group");
    }
    lines += record_line(evaluation) + "\n";
  }
  if (has_group(group.front().group)) {
    throw std::logic_error("group " + group.front().group + " is stored already");
  }
  records_.append(lines);
  groups_.insert(group.front().group);
}

void RunWriter::keep_candidate(const Candidate& candidate) {
  write_candidate(directory_ / "candidates" / candidate.id(), candidate);
}

std::string RunWriter::keep_log(const std::string& name, const std::string& text) {
  check_inner_path(name);
  const std::string inner = "logs/" + name;
  if (!fs::exists(directory_ / inner)) {
    fs::create_directories((directory_ / inner).parent_path());
    write_file_atomically(directory_ / inner, shorten_log(text, log_limit));
  }
  return inner;
}

void RunWriter::give_key(const std::string& key, const std::string& submissions) {
  if (!run_.key.empty()) {
    throw std::logic_error("a second key for a run");
  }
  run_.key = key;
  run_.figures["submissions"] = submissions;
  write_file_atomically(directory_ / "run.yaml", run_yaml(run_));
}

void RunWriter::finish(const std::map<std::string, std::string>& figures) {
  for (const auto& [name, value] : figures) {
    run_.figures[name] = value;
  }
  if (several_parts_) {
    run_.figures["parts"] = "several; the time taken and the share spent measuring are of the last";
  }
  write_file_atomically(directory_ / "run.yaml", run_yaml(run_));
}

}  // namespace mskb
