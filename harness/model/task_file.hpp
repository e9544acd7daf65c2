#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/candidate.hpp"
#include "model/case.hpp"

namespace mskb {

// Reads <directory>/task.yaml. Throws InputError "tasks/x/task.yaml:12: what, how to mend" for malformed YAML, a missing or unknown key, a name
// that is not the directory's, an expression that does not parse, or a signature whose names clash.
Task load_task(const std::filesystem::path& directory);

struct RefusedTask {
  std::string name, error;  // that of its directory; the one line of load_task
};

// Every directory under <home>/tasks that holds a task.yaml, by name. What load_task refuses ends the first with its error, and is handed out by the second.
std::vector<Task> load_tasks(const std::filesystem::path& home);
std::vector<Task> load_tasks(const std::filesystem::path& home, std::vector<RefusedTask>& refused);

// Whether a pattern of select_tasks names a task by its name or a glob.
bool matches_name(const std::string& pattern, const std::string& name);

// Tasks by name, glob, scenario or family; all when `patterns` is empty. Throws InputError for a pattern that matches nothing (with the nearest name);
// `flag` is what the pattern was given by.
std::vector<const Task*> select_tasks(const std::vector<Task>& tasks, const std::vector<std::string>& patterns,
                                      const std::string& flag = "--task ");

// reference.cu expanded for a precision: $real, $entry, $load(x), $store(x), and $fp32{...} / $bf16{...} parts, as docs/task-format.md says.
std::string expand_source(std::string_view text, const Problem& problem);

// The task's own kernel as a candidate of origin "reference".
Candidate reference_candidate(const Problem& problem);

// "void <task>_bf16(const __nv_bfloat16* in, __nv_bfloat16* out, int B, int D)"
std::string declaration(const Problem& problem);

}  // namespace mskb
