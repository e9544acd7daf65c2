#pragma once
#include "store/run_reader.hpp"

namespace mskb::cli {

// Of a command that made this run: 1 where anything failed, also a reference or a baseline, else 0. Throws InputError where every case was
// skipped, with the reason on record: nothing ran.
int exit_code_of(const StoredRun& run);

}  // namespace mskb::cli
