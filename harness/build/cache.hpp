#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "build/builder.hpp"

namespace mskb {

// What one build made. `object` is empty or a file that the cache takes over.
struct BuildOutcome {
  BuildResult result;  // `object` and `log` are filled in by the cache
  std::string log;
  bool repeatable = true;  // false: not kept
};

// Builds by key: <root>/<key>/{build.json, log.txt, object.so}. An entry appears by rename and is never changed; one
// that does not fit its own record (cut, edited) is made again.
class BuildCache {
 public:
  explicit BuildCache(std::filesystem::path root);

  // The entry of `key`, else what make(path for the object) gives. One make per key at a time, over all processes.
  BuildResult get(const std::string& key,
                  const std::function<BuildOutcome(const std::filesystem::path& object)>& make) const;

 private:
  std::optional<BuildResult> find(const std::string& key) const;
  BuildResult publish(const std::string& key, const std::filesystem::path& staging, BuildOutcome outcome) const;

  std::filesystem::path root_;
};

}  // namespace mskb
