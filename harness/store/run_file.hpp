#pragma once
#include <filesystem>
#include <string>

#include "model/run.hpp"

namespace mskb {

std::string run_yaml(const Run& run);

// Throws InputError "run.yaml:4: what" for malformed YAML, a missing key or another schema.
Run parse_run_yaml(const std::string& text, const std::string& name);

}  // namespace mskb
