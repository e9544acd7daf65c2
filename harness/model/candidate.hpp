#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mskb {

// Sources + build options + entry point + origin. Everything that is timed is one.
struct Candidate {
  std::string origin;                                // "reference", "baseline:<library>", "optimizer:<name>#<n>", "file:<name>"
  std::string main_source;                           // a key of `sources`: the file that defines the entry point
  std::map<std::string, std::string> sources;        // relative name -> text
  std::vector<std::string> flags;                    // added compile flags, from the allow-list
  std::vector<std::string> libraries;                // -l names; baselines only, from library.yaml
  std::vector<std::string> allowed_loads;            // shared objects it may load beside the runtime; baselines only

  // Content hash of sources, flags and libraries: 16 hexadecimal digits.
  std::string id() const;
  bool is_reference() const { return origin == "reference"; }
  bool is_baseline() const { return origin.starts_with("baseline:"); }
};

// One file from disk. Throws InputError when it cannot be read.
Candidate candidate_from_file(const std::filesystem::path& file, std::string origin);

}  // namespace mskb
