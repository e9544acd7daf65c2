#pragma once
#include <string>

namespace mskb::cli {

// When Ctrl-C (SIGINT) or SIGTERM ends this process from now on and `out` holds a run, it says on standard error that its records stay and how the command
// goes on. The signal ends it all the same.
void tell_how_to_go_on(const std::string& command, const std::string& out);

}  // namespace mskb::cli
