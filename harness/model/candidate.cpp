#include "model/candidate.hpp"

#include "base/files.hpp"
#include "base/hashing.hpp"

namespace mskb {

std::string Candidate::id() const {
  Hasher hasher;
  hasher.add(main_source);
  hasher.add(sources.size());
  for (const auto& [name, text] : sources) {
    hasher.add(name).add(text);
  }
  for (const std::vector<std::string>* list : {&flags, &libraries}) {
    hasher.add(list->size());
    for (const std::string& item : *list) {
      hasher.add(item);
    }
  }
  return hasher.hex(16);
}

Candidate candidate_from_file(const std::filesystem::path& file, std::string origin) {
  Candidate candidate;
  candidate.origin = std::move(origin);
  candidate.main_source = file.filename().string();
  candidate.sources[candidate.main_source] = read_file(file);
  return candidate;
}

}  // namespace mskb
