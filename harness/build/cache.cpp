#include "build/cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/hashing.hpp"
#include "base/unique_fd.hpp"
#include "build/first_error.hpp"

namespace mskb {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int entry_schema = 1;

std::optional<std::string> read_if_there(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::string content_hash(const std::string& bytes) { return Hasher().add(bytes).hex(); }

// Held while an entry is made; ends with the process that holds it.
class EntryLock {
 public:
  explicit EntryLock(fs::path path) : path_(std::move(path)) {
    file_.reset(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!file_) {
      throw_errno("create " + path_.string());
    }
    while (::flock(file_.get(), LOCK_EX) != 0) {
      if (errno != EINTR) {
        throw_errno("lock " + path_.string());
      }
    }
  }
  // A waiter may hold the removed file and a newcomer a new one: then both make the entry, and the first to publish
  // wins.
  ~EntryLock() { ::unlink(path_.c_str()); }

 private:
  fs::path path_;
  UniqueFd file_;
};

// A directory in the cache's own file system, so that it can become an entry by rename.
class Staging {
 public:
  explicit Staging(const fs::path& root) {
    std::string pattern = (root / ".staging-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw_errno("create a directory in " + root.string());
    }
    path_ = pattern;
  }
  ~Staging() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

json to_json(const KernelResources& kernel) {
  return {{"kernel", display_line(kernel.kernel, 4096)}, {"registers", kernel.registers},
          {"static_shared", kernel.static_shared},       {"stack", kernel.stack},
          {"spill_stores", kernel.spill_stores},         {"spill_loads", kernel.spill_loads}};
}

KernelResources kernel_from(const json& value) {
  return {value.at("kernel"), value.at("registers"),    value.at("static_shared"),
          value.at("stack"),  value.at("spill_stores"), value.at("spill_loads")};
}

std::optional<Verdict> verdict_from(const std::string& name) {
  for (const VerdictInfo& entry : verdicts) {
    if (entry.name == name) {
      return entry.verdict;
    }
  }
  return std::nullopt;
}

// Removes what a killed process left behind.
void sweep(const fs::path& root) {
  std::error_code ignored;
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(6);
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool left_over = name.starts_with(".staging-") || name.ends_with(".lock");
    if (left_over && fs::last_write_time(entry.path(), ignored) < old) {
      fs::remove_all(entry.path(), ignored);
    }
  }
}

}  // namespace

BuildCache::BuildCache(fs::path root) : root_(std::move(root)) {
  std::error_code error;
  fs::create_directories(root_, error);
  if (error) {
    throw HarnessError("create " + root_.string() + ": " + error.message());
  }
  sweep(root_);
}

std::optional<BuildResult> BuildCache::find(const std::string& key) const {
  const fs::path folder = root_ / key;
  const auto text = read_if_there(folder / "build.json");
  if (!text) {
    return std::nullopt;
  }
  try {
    const json record = json::parse(*text);
    const auto verdict = verdict_from(record.at("verdict"));
    if (record.at("schema") != entry_schema || !verdict || !fs::exists(folder / "log.txt")) {
      return std::nullopt;
    }
    BuildResult result;
    result.verdict = *verdict;
    result.detail = record.at("detail");
    result.log = folder / "log.txt";
    for (const json& kernel : record.at("resources")) {
      result.resources.push_back(kernel_from(kernel));
    }
    result.cached = true;
    if (result.verdict == Verdict::passed) {
      result.object = folder / "object.so";
      const auto object = read_if_there(result.object);
      if (!object || content_hash(*object) != record.at("object_sha256")) {
        return std::nullopt;
      }
    }
    return result;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

BuildResult BuildCache::publish(const std::string& key, const fs::path& staging, BuildOutcome outcome) const {
  json record{{"schema", entry_schema},
              {"verdict", to_string(outcome.result.verdict)},
              {"detail", outcome.result.detail},
              {"seconds", outcome.result.seconds},
              {"resources", json::array()}};
  for (const KernelResources& kernel : outcome.result.resources) {
    record["resources"].push_back(to_json(kernel));
  }
  const bool passed = outcome.result.verdict == Verdict::passed;
  if (passed) {
    record["object_sha256"] = content_hash(read_file(staging / "object.so"));
  } else {
    std::error_code ignored;
    fs::remove(staging / "object.so", ignored);
  }
  write_file_atomically(staging / "log.txt", outcome.log);
  write_file_atomically(staging / "build.json", record.dump(2, ' ', false, json::error_handler_t::replace) + "\n");

  // An entry that is in the way is either good (somebody was quicker) or broken.
  fs::path folder = root_ / (outcome.repeatable ? key : key + ".log");
  std::error_code error;
  for (int attempt = 0; attempt < 3; ++attempt) {
    fs::rename(staging, folder, error);
    if (!error) {
      outcome.result.log = folder / "log.txt";
      outcome.result.object = passed ? folder / "object.so" : fs::path();
      return std::move(outcome.result);
    }
    if (outcome.repeatable) {
      if (auto other = find(key)) {
        return *other;
      }
    }
    const fs::path broken = staging.string() + ".broken";
    fs::rename(folder, broken, error);
    fs::remove_all(broken, error);
  }
  throw HarnessError("publish " + folder.string() + ": " + error.message());
}

BuildResult BuildCache::get(const std::string& key, const std::function<BuildOutcome(const fs::path&)>& make) const {
  if (auto entry = find(key)) {
    return *entry;
  }
  const EntryLock lock(root_ / (key + ".lock"));
  if (auto entry = find(key)) {
    return *entry;
  }
  const Staging staging(root_);
  fs::permissions(staging.path(), fs::perms(0755));
  return publish(key, staging.path(), make(staging.path() / "object.so"));
}

}  // namespace mskb
