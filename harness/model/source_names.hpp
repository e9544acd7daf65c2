#pragma once
#include <map>
#include <optional>
#include <string>

namespace mskb {

// Why files of these names (the keys) cannot be a candidate's sources, in one line; nothing where they can. A name is written as a path into a
// folder of the compiler and of a run's records, into an #include and into lines for a terminal.
std::optional<std::string> find_name_fault(const std::map<std::string, std::string>& sources);

}  // namespace mskb
