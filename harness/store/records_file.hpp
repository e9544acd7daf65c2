#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/evaluation.hpp"

namespace mskb {

// What stands in an evaluations.jsonl.
struct RecordsFile {
  std::vector<Evaluation> evaluations;  // of complete groups, in order
  std::vector<Evaluation> left_out;     // of groups that are not
  std::set<std::string> groups;         // complete ones
  std::vector<std::string> notes;       // left out at the end, as a kill leaves it: a cut line, an incomplete group
  std::vector<std::string> damage;      // what no kill explains, with the line: the run is invalid
  std::uint64_t intact_bytes = 0;       // up to the end of the last complete group, or of the header
};

// The first line of evaluations.jsonl, with its newline.
std::string records_header(const std::string& run);

// Reads `text`, the contents of the file `name` of run `run`. Throws InputError for another schema or another run's records.
RecordsFile scan_records(std::string_view text, const std::string& name, const std::string& run);

}  // namespace mskb
