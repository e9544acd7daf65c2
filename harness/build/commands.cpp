#include "build/commands.hpp"

#include <sstream>

#include "base/errors.hpp"
#include "base/subprocess.hpp"
#include "build/flags.hpp"
#include "simt/translate.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::vector<std::string> gencode(const std::string& architectures) {
  std::vector<std::string> words;
  std::istringstream list(architectures);
  for (std::string each; std::getline(list, each, ',');) {
    words.push_back("-gencode=arch=compute_" + each + ",code=sm_" + each);
  }
  return words;
}

// Where the toolkit's own libraries lie, which the loader may not know.
std::string toolkit_libraries(const std::string& nvcc) {
  return (fs::weakly_canonical(nvcc).parent_path().parent_path() / "lib64").string();
}

CandidateCommand cuda_command(const std::string& program, const BuildOptions& options, const fs::path& home,
                              const Candidate& candidate) {
  const CompilerFlags flags = flags_for(Backend::cuda, candidate.flags);
  CandidateCommand command;
  command.shim_file = "mskb_shim.cu";
  command.words = {program, "-std=c++17"};
  if (!flags.optimization) {
    command.words.push_back("-O3");
  }
  // Undefined symbols are an error here, rather than when the worker loads the object.
  append(command.words, {"-lineinfo", "-shared", "-cudart", "shared", "-Xcompiler", "-fPIC,-fvisibility=hidden",
                         "-Xlinker", "--no-undefined", "-Xptxas", "-v"});
  append(command.words, gencode(options.architecture));
  append(command.words, flags.used);
  if (candidate.is_baseline()) {
    append(command.words,
           {"-I", (home / "harness/include").string(), "-Xlinker", "-rpath=" + toolkit_libraries(program)});
  }
  command.words.push_back(command.shim_file);
  for (const std::string& library : candidate.libraries) {
    command.words.push_back("-l" + library);
  }
  return command;
}

CandidateCommand cpu_command(const std::string& program, const BuildOptions& options, const fs::path& home,
                             const Candidate& candidate) {
  const CompilerFlags flags = flags_for(Backend::cpu, candidate.flags);
  CandidateCommand command;
  command.shim_file = "mskb_shim.cpp";
  command.ignored_flags = flags.ignored;
  command.words = {program};
  const simt::Flavour flavour = options.races ? simt::Flavour::races : options.sanitize ? simt::Flavour::asan : simt::Flavour::plain;
  append(command.words, simt::compile_flags(flavour, (home / "harness/simt/include").string()));
  append(command.words, {"-ffp-contract=off", "-w", "-fmax-errors=100"});
  append(command.words, flags.used);
  command.words.push_back(command.shim_file);
  return command;
}

}  // namespace

CandidateCommand candidate_command(const std::string& program, const BuildOptions& options, const fs::path& home,
                                   const Candidate& candidate) {
  return options.backend == Backend::cuda ? cuda_command(program, options, home, candidate)
                                          : cpu_command(program, options, home, candidate);
}

std::string module_file(Backend backend) { return backend == Backend::cuda ? "module.cu" : "module.cpp"; }

std::vector<std::string> module_command(const std::string& program, const BuildOptions& options, const fs::path& home,
                                        const fs::path& task) {
  std::vector<std::string> words{program, "-std=c++20", "-O2", "-shared"};
  if (options.backend == Backend::cuda) {
    append(words, {"--fmad=false", "-Xcompiler", "-fPIC,-fvisibility=hidden,-ffp-contract=off", "-cudart", "shared",
                   "--expt-relaxed-constexpr"});
    append(words, gencode(options.architecture));
  } else {
    append(words, {"-ffp-contract=off", "-fPIC", "-fvisibility=hidden", "-pthread"});
  }
  append(words, {"-I", (home / "harness").string(), "-I", (home / "harness/include").string(), "-I", task.string(),
                 module_file(options.backend)});
  return words;
}

void require_compiler(const std::string& program, const std::string& version, Backend backend) {
  if (!program.empty() && (!version.empty() || program_exists(program))) {
    return;
  }
  if (!program.empty()) {
    throw InputError("compiler " + program + " cannot be run; give the path of nvcc or g++");
  }
  throw InputError(backend == Backend::cuda
                       ? "nvcc was not found; install the CUDA toolkit or put its bin/ on PATH, or use --device cpu"
                       : "g++ was not found; install the package g++");
}

}  // namespace mskb
