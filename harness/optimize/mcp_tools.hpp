#pragma once
#include <string>
#include <vector>

#include "optimize/json.hpp"

namespace mskb {

// The list of tools with their JSON Schemas, as `tools/list` answers. `sets`: the size sets that may be asked for.
Json mcp_tools(const std::vector<std::string>& sets);

// A tool's arguments as a message of docs/optimizer-protocol.md; that the arguments are right is for the session to say. Throws
// std::invalid_argument, in one line, where they cannot be a message at all.
Json mcp_message(const std::string& tool, const Json& arguments);

}  // namespace mskb
