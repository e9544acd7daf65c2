#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "build/builder.hpp"

namespace mskb {

// The compiler's words, without the output's name; to be run in the folder that holds the sources.
struct CandidateCommand {
  std::vector<std::string> words;
  std::string shim_file;                   // the translation unit, in that folder
  std::vector<std::string> ignored_flags;  // the candidate's flags that this backend has no use for
};
CandidateCommand candidate_command(const std::string& program, const BuildOptions& options,
                                   const std::filesystem::path& home, const Candidate& candidate);

std::vector<std::string> module_command(const std::string& program, const BuildOptions& options,
                                        const std::filesystem::path& home, const std::filesystem::path& task);
std::string module_file(Backend backend);

// Throws InputError, with the way to mend it, when there is no compiler for the backend.
void require_compiler(const std::string& program, const std::string& version, Backend backend);

}  // namespace mskb
