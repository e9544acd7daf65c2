#pragma once
#include <filesystem>
#include <string>

#include "model/candidate.hpp"

namespace mskb {

// Writes <directory>/<sources> and <directory>/candidate.yaml, the latter last; does nothing when that is there already. Throws InputError for a
// source name that cannot be (model/source_names.hpp).
void write_candidate(const std::filesystem::path& directory, const Candidate& candidate);

// The text with its middle cut out when it is longer than `limit` bytes.
std::string shorten_log(const std::string& text, std::size_t limit);

// Throws InputError unless `name` is relative and stays below its directory.
void check_inner_path(const std::string& name);

}  // namespace mskb
