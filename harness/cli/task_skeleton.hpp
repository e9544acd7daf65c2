#pragma once
#include <map>
#include <string>

namespace mskb::cli {

// The files of a new task by name: a copy of one vector, which holds at every line that the author has to decide a mark that
// refuse_unfilled refuses. Without its marks it is a task that passes `mskb check`.
std::map<std::string, std::string> task_skeleton(const std::string& name, const std::string& scenario, const std::string& family);

}  // namespace mskb::cli
