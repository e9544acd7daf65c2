#pragma once
#include <filesystem>
#include <string>

#include "model/run.hpp"

namespace mskb {

// Throws InputError: the run in `directory` `what`, so that this command would not go on with it.
[[noreturn]] void refuse_resume(const std::filesystem::path& directory, const std::string& what);

// Refuses where `now`, the head that the command would give a new run, was not made in the same place and way as `then`: device, driver,
// toolkit, compiler, protocol and sandbox, and the problems and cases planned where both say how many.
void require_same_head(const std::filesystem::path& directory, const Run& then, const Run& now);

}  // namespace mskb
