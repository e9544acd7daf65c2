#include <sstream>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "model/task_file.hpp"
#include "optimize/optimizer_file.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

// The name in `#include "name"`; empty for any other line.
std::string quoted_include(const std::string& line) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') {
    return "";
  }
  const std::size_t word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) {
    return "";
  }
  const std::size_t open = line.find_first_not_of(" \t", word + 7);
  if (open == std::string::npos || line[open] != '"') {
    return "";
  }
  const std::size_t close = line.find('"', open + 1);
  return close == std::string::npos ? "" : line.substr(open + 1, close - open - 1);
}

// Adds the files of the folder that `including` includes, and what those include.
void add_includes(const fs::path& folder, const fs::path& including, std::map<std::string, std::string>& sources) {
  std::istringstream lines(sources.at(including.string()));
  for (std::string line; std::getline(lines, line);) {
    const std::string quoted = quoted_include(line);
    if (quoted.empty() || fs::path(quoted).is_absolute()) {
      continue;
    }
    const fs::path name = (including.parent_path() / quoted).lexically_normal();
    if (*name.begin() != ".." && !sources.contains(name.string()) && fs::is_regular_file(folder / name)) {
      sources[name.string()] = read_file(folder / name);
      add_includes(folder, name, sources);
    }
  }
}

}  // namespace

std::optional<Candidate> solution(const OptimizerFile& optimizer, const Problem& problem) {
  const std::string origin = "optimizer:" + optimizer.name;
  if (optimizer.kind == OptimizerKind::program) {
    throw InputError("optimizer " + optimizer.name + " is a program, which a session asks: use mskb optimize");
  }
  if (optimizer.kind == OptimizerKind::identity) {
    Candidate candidate = reference_candidate(problem);
    candidate.origin = origin;
    return candidate;
  }
  std::vector<std::string> names{problem.task->name + ".cu"};
  if (problem.precision == Precision::bf16) {
    names.insert(names.begin(), problem.task->name + "_bf16.cu");
  }
  for (const std::string& name : names) {
    if (fs::is_regular_file(optimizer.directory / name)) {
      Candidate candidate = candidate_from_file(optimizer.directory / name, origin);
      add_includes(optimizer.directory, name, candidate.sources);
      return candidate;
    }
  }
  return std::nullopt;
}

}  // namespace mskb
