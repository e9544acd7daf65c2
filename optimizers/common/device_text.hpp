#pragma once
#include <string>

#include "mskb/optimizer.hpp"

// Where candidates run, and how that is timed, in words for a prompt.
namespace mskb::agents {

// On the CPU backend also which GPU to think of, and what the emulation has and lacks.
std::string device_text(const optimizer::Start& start);

// What the CPU backend offers candidates; a test holds it against the translator.
std::string emulation_text();

}  // namespace mskb::agents
