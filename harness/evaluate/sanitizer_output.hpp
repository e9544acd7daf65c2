#pragma once
#include <string>

namespace mskb {

// Reads what a worker under AddressSanitizer, UndefinedBehaviorSanitizer or compute-sanitizer printed. Addresses and process numbers, which
// differ from run to run, are left out; " at name.cu:14" follows where the report names a line of a .cu file.

// The first finding; empty where there is none.
std::string first_finding(const std::string& output);

// The first finding, else the last line, cut at 300 bytes.
std::string telling_line(const std::string& output);

}  // namespace mskb
