#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/candidate.hpp"
#include "model/case.hpp"
#include "optimize/option_rule.hpp"

namespace mskb {

enum class OptimizerKind {
  identity,   // proposes the reference
  directory,  // a folder of finished solutions: <task>.cu, <task>_bf16.cu
  program,    // a process that speaks the protocol of docs/optimizer-protocol.md
};

// An optimizer as optimizers/<name>/optimizer.yaml states it.
struct OptimizerFile {
  std::string name, summary;
  OptimizerKind kind = OptimizerKind::directory;
  std::filesystem::path directory;
  std::vector<std::string> command;            // program: ready to start; every file of the folder as an absolute path
  std::map<std::string, std::string> options;  // program: what it understands, with the default of each
  std::map<std::string, OptionRule> rules;     // of every option
  bool checks = false;                         // program: answers `check`

  // The options of one session: the defaults with these in their place. Throws InputError for one that it does not understand
  // or whose value it does not take.
  std::map<std::string, std::string> with_options(const std::map<std::string, std::string>& given) const;
};

// Reads <directory>/optimizer.yaml. A folder without one that holds .cu files is a `directory` optimizer of the folder's name. Throws
// InputError "<directory>/optimizer.yaml:3: what, how to mend".
OptimizerFile load_optimizer(const std::filesystem::path& directory);

// `name` is a folder of <home>/optimizers, else the path of a directory. Throws InputError with the names there are.
OptimizerFile find_optimizer(const std::filesystem::path& home, const std::string& name);

// The folders of <home>/optimizers that hold an optimizer.yaml, sorted.
std::vector<std::string> optimizer_names(const std::filesystem::path& home);

// What an optimizer without a process proposes for a problem, of origin "optimizer:<name>"; nothing when its folder has no file for it. A BF16
// problem takes <task>_bf16.cu where that exists, else <task>.cu. Files of the folder that the source includes by "name" come along. A
// file without code is a candidate too: its verdict says so. Throws InputError for kind program.
std::optional<Candidate> solution(const OptimizerFile& optimizer, const Problem& problem);

}  // namespace mskb
