#pragma once
#include <string>
#include <vector>

// The command line of a run, as its words stand in run.yaml.
namespace mskb {

bool has_word(const std::vector<std::string>& command, const std::string& word);

// --races or --sanitize, under which more is a failure than in a plain run; empty without either.
std::string judged_with(const std::vector<std::string>& command);

// The values of an option that may be repeated: in its own word, or in the words behind it up to the next option.
std::vector<std::string> options_of(const std::vector<std::string>& command, const std::string& option);

// The first value of an option, given as one word or as two; empty where it is not there.
std::string option_of(const std::vector<std::string>& command, const std::string& option);

}  // namespace mskb
