#include "build/builder.hpp"

#include <algorithm>
#include <array>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/hashing.hpp"
#include "build/cache.hpp"
#include "build/commands.hpp"
#include "build/compiler.hpp"
#include "build/module_source.hpp"
#include "build/ptxas.hpp"
#include "build/shim.hpp"
#include "build/source_checks.hpp"
#include "simt/translate.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

// Raised when what a build makes of the same input changes.
constexpr std::uint64_t build_recipe = 2;

// Of the headers of ours in these folders of harness/.
std::string hash_headers(const fs::path& home, const std::vector<const char*>& folders) {
  std::vector<fs::path> files;
  for (const char* folder : folders) {
    std::error_code missing;
    for (const auto& entry : fs::recursive_directory_iterator(home / "harness" / folder, missing)) {
      const std::string extension = entry.path().extension().string();
      if (entry.is_regular_file() && extension != ".cpp" && extension != ".cu" && extension != ".txt") {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  Hasher hasher;
  for (const fs::path& file : files) {
    hasher.add(file.lexically_relative(home).string()).add(read_file(file));
  }
  return hasher.hex();
}

// The same words wherever the checkout lies.
void add_command(Hasher& hasher, const std::vector<std::string>& command, const fs::path& home) {
  for (std::string word : command) {
    if (const std::size_t at = word.find(home.string()); at != std::string::npos) {
      word.replace(at, home.string().size(), "<home>");
    }
    hasher.add(word);
  }
}

BuildOutcome failed(Verdict verdict, std::string detail) {
  BuildOutcome outcome;
  outcome.result.verdict = verdict;
  outcome.log = "no compiler was run\n" + detail + "\n";
  outcome.result.detail = std::move(detail);
  return outcome;
}

// What is wrong with a candidate that can be told without a compiler.
std::optional<BuildOutcome> find_fault(const Problem& problem, const Candidate& candidate, const EntryPoint& entry,
                                       Backend backend) {
  for (const auto find : {find_too_large, find_empty_source, find_outside_include}) {
    if (const auto reason = find(candidate)) {
      return failed(Verdict::build_failed, *reason);
    }
  }
  if (const auto reason = refused_flag(candidate.flags)) {
    return failed(Verdict::build_failed, *reason);
  }
  if (!candidate.is_baseline() && !candidate.libraries.empty()) {
    return failed(Verdict::build_failed, "only a baseline may link a library; remove " + candidate.libraries.front());
  }
  if (entry.missing) {
    return failed(Verdict::build_failed,
                  "entry point " + problem.entry() + "(...) is missing: define " + declaration_of(problem, problem.entry()));
  }
  if (entry.device_function) {
    return failed(Verdict::build_failed, "entry point " + entry.name +
                                             " is a device function: define the host function " +
                                             declaration_of(problem, entry.name));
  }
  if (backend == Backend::cpu && candidate.is_baseline()) {
    return failed(Verdict::skipped, "a library baseline needs the cuda backend");
  }
  return std::nullopt;
}

bool is_code(const std::string& name) {
  static constexpr std::array<std::string_view, 12> extensions{".cu",  ".cuh", ".h",   ".hh",  ".hpp", ".hxx",
                                                               ".cpp", ".cc",  ".cxx", ".inl", ".inc", ".tpp"};
  return std::find(extensions.begin(), extensions.end(), fs::path(name).extension().string()) != extensions.end();
}

// A candidate's file as it is compiled: as it is for nvcc, translated for the CPU backend.
std::optional<BuildOutcome> write_source(const fs::path& folder, const std::string& name, const std::string& text,
                                         Backend backend) {
  const fs::path path = folder / name;
  fs::create_directories(path.parent_path());
  if (backend == Backend::cuda || !is_code(name)) {
    write_file_atomically(path, text);
    return std::nullopt;
  }
  try {
    if (const auto unsupported = simt::find_unsupported(text)) {
      return failed(Verdict::skipped, "needs " + unsupported->feature + lacking_on_cpu + " (" + name + ":" +
                                          std::to_string(unsupported->line) + ")");
    }
    write_file_atomically(path, simt::translate(text, name));
  } catch (const simt::TranslateError& error) {
    std::string message = error.what();
    const std::string prefix = "line " + std::to_string(error.line) + ": ";
    return failed(Verdict::build_failed, name + ":" + std::to_string(error.line) + ": " +
                                             (message.starts_with(prefix) ? message.substr(prefix.size()) : message));
  }
  return std::nullopt;
}

// The compiler's first error in the contract's own words where the contract is what was broken.
std::string explain(const CompilerRun& run, const Problem& problem, const std::string& entry) {
  const bool ours = run.detail.starts_with(shim_name);
  const bool unknown = run.detail.find("not been declared") != std::string::npos ||
                       run.detail.find("the global scope has no") != std::string::npos;
  if (ours && unknown) {
    return "entry point " + entry + "(...) is missing: define " + declaration_of(problem, entry);
  }
  if (run.output.find(wrong_type_message(problem, entry)) != std::string::npos) {
    return wrong_type_message(problem, entry);
  }
  return run.detail;
}

void take_object(const fs::path& made, const fs::path& object) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(made, error)) || !fs::copy_file(made, object, error)) {
    throw HarnessError("copy " + made.string() + " to " + object.string() + ": " + (error ? error.message() : "not a plain file"));
  }
}

BuildOutcome outcome_of(CompilerRun run) {
  BuildOutcome outcome;
  outcome.result.verdict = run.verdict;
  outcome.result.detail = std::move(run.detail);
  outcome.result.seconds = run.seconds;
  outcome.log = std::move(run.log);
  outcome.repeatable = run.repeatable;
  return outcome;
}

}  // namespace

Builder::Builder(fs::path home, fs::path cache, BuildOptions options)
    : home_(std::move(home)), cache_(std::move(cache)), options_(std::move(options)) {
  program_ = options_.compiler.empty() ? find_compiler(options_.backend) : options_.compiler.string();
  compiler_ = compiler_version(program_, options_.backend);
  module_headers_ = hash_headers(home_, {"include", "base", "model", "wire", "truth"});
  candidate_headers_ = options_.backend == Backend::cpu ? hash_headers(home_, {"simt/include"}) : "";
  baseline_headers_ = hash_headers(home_, {"include"});
}

void Builder::check_compiler() const { require_compiler(program_, compiler_, options_.backend); }

BuildResult Builder::candidate(const Problem& problem, const Candidate& candidate) const {
  check_compiler();
  const EntryPoint entry = find_too_large(candidate) ? EntryPoint{.name = problem.entry()} : find_entry_point(candidate, problem.entry());
  const std::string shim = make_shim(problem, candidate, entry.name, read_file(home_ / "harness/wire/invoke.hpp"));
  const CandidateCommand command = candidate_command(program_, options_, home_, candidate);

  Hasher hasher;
  hasher.add(build_recipe).add(options_.sandbox == SandboxLevel::full ? "candidate in a room" : "candidate").add(compiler_).add(shim).add(candidate.main_source);
  hasher.add(candidate_headers_).add(candidate.is_baseline() ? baseline_headers_ : "");
  hasher.add(candidate.sources.size());
  for (const auto& [name, text] : candidate.sources) {
    hasher.add(name).add(text);
  }
  hasher.add(candidate.flags.size());
  for (const std::string& flag : candidate.flags) {
    hasher.add(flag);
  }
  add_command(hasher, command.words, home_);

  return BuildCache(cache_ / "builds").get(hasher.hex(40), [&](const fs::path& object) {
    if (auto fault = find_fault(problem, candidate, entry, options_.backend)) {
      return std::move(*fault);
    }
    const TemporaryDirectory sources;
    for (const auto& [name, text] : candidate.sources) {
      if (auto fault = write_source(sources.path(), name, text, options_.backend)) {
        return std::move(*fault);
      }
    }
    write_file_atomically(sources.path() / command.shim_file, shim);
    // Its name is one that no source of a candidate may have.
    const fs::path made = sources.path() / "mskb_shim.so";
    std::vector<std::string> words = command.words;
    words.insert(words.end(), {"-o", made.filename().string()});
    const CompilerPlace place{sources.path(), options_.sandbox, {home_ / "harness/include", home_ / "harness/simt/include"}};
    const CompilerRun run = run_compiler(words, place, options_.time_limit);
    if (run.verdict == Verdict::passed) {
      take_object(made, object);
    }
    BuildOutcome outcome = outcome_of(run);
    if (run.verdict == Verdict::build_failed) {
      outcome.result.detail = explain(run, problem, entry.name);
    } else if (run.verdict == Verdict::passed && options_.backend == Backend::cuda) {
      outcome.result.resources = parse_ptxas(run.output);
    }
    for (const std::string& flag : command.ignored_flags) {
      outcome.log += "ignored on the CPU backend: " + flag + "\n";
    }
    return outcome;
  });
}

fs::path Builder::task_module(const Problem& problem) const {
  check_compiler();
  const std::string source = make_module_source(problem, options_.backend);
  const std::vector<std::string> command = module_command(program_, options_, home_, problem.task->directory);

  Hasher hasher;
  hasher.add(build_recipe).add("module").add(compiler_).add(module_headers_).add(source);
  add_command(hasher, command, home_);
  for (const char* name : {"oracle.hpp", "inputs.hpp"}) {
    const fs::path file = problem.task->directory / name;
    hasher.add(fs::exists(file) ? read_file(file) : "");
  }

  const BuildResult result = BuildCache(cache_ / "modules").get(hasher.hex(40), [&](const fs::path& object) {
    const TemporaryDirectory folder;
    write_file_atomically(folder.path() / module_file(options_.backend), source);
    const fs::path made = folder.path() / "module.so";
    std::vector<std::string> words = command;
    words.insert(words.end(), {"-o", made.filename().string()});
    const CompilerPlace place{.directory = folder.path(), .sandbox = SandboxLevel::none, .readable = {}};
    CompilerRun run = run_compiler(words, place, options_.time_limit);
    if (run.verdict == Verdict::passed) {
      take_object(made, object);
    }
    return outcome_of(std::move(run));
  });
  if (result.verdict != Verdict::passed) {
    throw InputError((problem.task->directory / "oracle.hpp").string() + ": does not compile for " + problem.name() +
                     ": " + result.detail + "; see " + result.log.string());
  }
  return result.object;
}

}  // namespace mskb
