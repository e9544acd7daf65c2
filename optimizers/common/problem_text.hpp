#pragma once
#include <string>

#include "mskb/optimizer.hpp"

// What the harness tells, in words for a prompt.
namespace mskb::agents {

// What is to be computed: declaration, arguments, sizes, and what is easily got wrong. `scored` is the size set that
// counts.
std::string problem_text(const optimizer::Start& start, const std::string& scored);

// Where candidates run, as the harness has read it from the device.
std::string device_text(const optimizer::Start& start);

// The original as a fenced file.
std::string fenced(const std::string& source);

}  // namespace mskb::agents
