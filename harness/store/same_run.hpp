#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "model/run.hpp"

namespace mskb {

// Throws InputError: the run in `directory` `what`, so that this command would not go on with it.
[[noreturn]] void refuse_resume(const std::filesystem::path& directory, const std::string& what);

// Refuses where `now`, the head that the command would give a new run, was not made in the same place and way as `then`: device, driver,
// toolkit, compiler, protocol and sandbox, and the problems and cases planned where both say how many.
void require_same_run(const std::filesystem::path& directory, const Run& then, const Run& now);

// The value of an option in a command line, given as one word or as two; empty where it is not there.
std::string option_of(const std::vector<std::string>& command, const std::string& option);

}  // namespace mskb
