#pragma once
#include <map>
#include <string>

#include "mskb/optimizer.hpp"

namespace mskb::agents {

std::map<std::string, std::string> session_options(const std::string& task, const std::string& precision, std::map<std::string, std::string> options);

// The options of one session: in those that name files `{task}` and `{precision}` are filled in, and what the session's own folder is for is put
// there (environment MSKB_SESSION_DIR): an exchange without a folder, the journal of paid answers unless it is `none`.
// `session` has the members `task`, `precision` and `options`: a Start, or a Check.
template <class Session>
std::map<std::string, std::string> session_options(const Session& session) {
  return session_options(session.task, session.precision, session.options);
}

}  // namespace mskb::agents
