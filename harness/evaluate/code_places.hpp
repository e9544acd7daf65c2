#pragma once
#include <filesystem>
#include <string>

namespace mskb {

// Turns every "{0x1a2b}" of a worker's report into "name.cu:14": the line of the object's source at that address, of the innermost inlined
// function that stands in a candidate's own file. Left as it is where the object does not tell (no addr2line, no line numbers).
std::string name_code_places(std::string text, const std::filesystem::path& object);

}  // namespace mskb
