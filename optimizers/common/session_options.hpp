#pragma once
#include <map>
#include <string>

#include "mskb/optimizer.hpp"

namespace mskb::agents {

// The options of one session: in those that name files `{task}` and `{precision}` are filled in, and what the session's own folder is for is put
// there (environment MSKB_SESSION_DIR): an exchange without a folder, the journal of paid answers unless it is `none`.
std::map<std::string, std::string> session_options(const optimizer::Start& start);

}  // namespace mskb::agents
