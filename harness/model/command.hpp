#pragma once
#include <string>
#include <vector>

// The command line of a run, as its words stand in run.yaml.
namespace mskb {

bool has_word(const std::vector<std::string>& command, const std::string& word);

// The value of an option, given as one word or as two; empty where it is not there.
std::string option_of(const std::vector<std::string>& command, const std::string& option);

}  // namespace mskb
