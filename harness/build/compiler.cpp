#include "build/compiler.hpp"

#include <cstdlib>
#include <map>
#include <mutex>
#include <regex>
#include <sstream>

#include "base/errors.hpp"
#include "base/subprocess.hpp"
#include "build/first_error.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

std::string version_text(const std::string& program) {
  try {
    const SubprocessResult result =
        run_subprocess({program, "--version"}, {.time_limit = std::chrono::seconds(20), .directory = {}});
    return result.ok() ? result.output : "";
  } catch (const HarnessError&) {
    return "";
  }
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string ask_version(const std::string& program, Backend backend) {
  const std::string text = version_text(program);
  if (backend == Backend::cpu || text.empty()) {
    return first_line(text);
  }
  std::smatch found;
  const bool known = std::regex_search(text, found, std::regex("V([0-9.]+)"));
  return "nvcc " + (known ? found[1].str() : first_line(text)) + " with " + first_line(version_text("g++"));
}

// Limits that the compiler and what it starts inherit. A template bomb must not take the machine's memory, nor an array
// its disk.
std::vector<std::string> limited(const std::vector<std::string>& argv) {
  std::vector<std::string> whole{"env", "LC_ALL=C"};
  if (program_exists("prlimit")) {
    whole.insert(whole.end(), {"prlimit", "--as=12884901888", "--fsize=268435456", "--core=0"});
  }
  whole.insert(whole.end(), argv.begin(), argv.end());
  return whole;
}

std::string quoted(const std::vector<std::string>& argv) {
  std::string line;
  for (const std::string& word : argv) {
    const bool plain = !word.empty() && word.find_first_of(" \t\"'\\$();<>|&*?") == std::string::npos;
    line += (line.empty() ? "" : " ") + (plain ? word : "'" + word + "'");
  }
  return line;
}

bool contains(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

// Compilers report by words and an ordinary exit code that they, or what they had started, were ended from outside.
bool tells_of_signal(const std::string& output) {
  return contains(output, "Killed") || contains(output, "Kill signal") || contains(output, ": Terminated") ||
         contains(output, ": Interrupt") || contains(output, "terminated by signal") || contains(output, "died due to signal");
}

// Words that the compiler's own text can hold as well, when a source makes it print them.
bool may_lack_processes(const std::string& output) {
  return contains(output, "Resource temporarily unavailable") || contains(output, "Failed to preprocess host compiler properties");
}

std::string seconds_text(std::chrono::milliseconds limit) {
  return limit.count() % 1000 == 0 ? std::to_string(limit.count() / 1000) + " s"
                                   : std::to_string(limit.count()) + " ms";
}

// The folder that holds the compiler and what belongs to it: of /opt/x/bin/g++, /opt/x.
fs::path folder_of(const std::string& program) {
  std::istringstream path(program.find('/') == std::string::npos ? variable("PATH") : "");
  fs::path found = program;
  for (std::string folder; std::getline(path, folder, ':');) {
    if (std::error_code error; fs::exists(fs::path(folder) / program, error)) {
      found = fs::path(folder) / program;
      break;
    }
  }
  std::error_code error;
  const fs::path folder = fs::canonical(found, error).parent_path();
  return folder.filename() == "bin" ? folder.parent_path() : folder;
}

SubprocessResult run_in_room(const std::vector<std::string>& argv, const CompilerPlace& place, std::chrono::milliseconds time_limit) {
  Room room{place.directory, place.readable};
  room.readable.push_back(folder_of(argv.at(0)));
  std::vector<std::string> words = limited(argv);
  for (const char* name : {"CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "NVCC_CCBIN"}) {
    if (const std::string value = variable(name); !value.empty()) {
      words.insert(words.begin() + 1, std::string(name) + "=" + value);
      std::istringstream paths(value);
      for (std::string path; std::getline(paths, path, ':');) {
        room.readable.push_back(path);
      }
    }
  }
  SandboxedProcess process("/usr/bin/env", {words.begin() + 1, words.end()}, UniqueFd(), SandboxLevel::full, room, std::size_t{2} << 20);
  SubprocessResult result;
  ProcessEnd end = process.wait(time_limit);
  if (!end.ended) {
    result.timed_out = true;
    end = process.kill();
  }
  result.exit_code = end.exit_code;
  result.signal = end.signal;
  result.output = process.output();
  result.output_cut = process.output_cut();
  return result;
}

SubprocessResult run_once(const std::vector<std::string>& argv, const CompilerPlace& place, std::chrono::milliseconds time_limit) {
  return place.sandbox == SandboxLevel::full ? run_in_room(argv, place, time_limit)
                                             : run_subprocess(limited(argv), {.time_limit = time_limit, .directory = place.directory});
}

// Once more where there may have been no room for the compiler's processes. Throws HarnessError where there is none for an empty source either.
SubprocessResult run_with_processes(const std::vector<std::string>& argv, const CompilerPlace& place, std::chrono::milliseconds time_limit) {
  const SubprocessResult result = run_once(argv, place, time_limit);
  if (result.ok() || result.timed_out || !may_lack_processes(result.output + result.errors)) {
    return result;
  }
  const bool is_nvcc = fs::path(argv.at(0)).filename() == "nvcc";
  const SubprocessResult empty = run_once({argv.at(0), "-x", is_nvcc ? "cu" : "c++", "-E", "/dev/null"}, place, time_limit);
  if (!empty.ok() && may_lack_processes(empty.output + empty.errors)) {
    throw HarnessError("compile in " + place.directory.string() + ": the machine allows no more processes");
  }
  return run_once(argv, place, time_limit);
}

bool is_full(const fs::path& directory) {
  std::error_code error;
  return fs::space(directory, error).available < (std::uintmax_t{1} << 20);
}

}  // namespace

std::string find_compiler(Backend backend) {
  if (backend == Backend::cpu) {
    return program_exists("g++") ? "g++" : "";
  }
  const std::string home = variable("CUDA_HOME");
  std::istringstream path(variable("PATH") + ":" + (home.empty() ? "/usr/local/cuda" : home) + "/bin");
  for (std::string folder; std::getline(path, folder, ':');) {
    if (const fs::path program = fs::path(folder) / "nvcc"; program.is_absolute() && program_exists(program.string())) {
      return program.string();
    }
  }
  return "";
}

std::string compiler_version(const std::string& program, Backend backend) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, Backend>, std::string> known;
  const std::lock_guard lock(mutex);
  const auto [entry, fresh] = known.try_emplace({program, backend});
  if (fresh && !program.empty()) {
    entry->second = ask_version(program, backend);
  }
  return entry->second;
}

CompilerRun run_compiler(const std::vector<std::string>& argv, const CompilerPlace& place, std::chrono::milliseconds time_limit) {
  const auto start = std::chrono::steady_clock::now();
  const SubprocessResult result = run_with_processes(argv, place, time_limit);
  CompilerRun run;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.output = result.output + result.errors;
  run.log = "command: " + quoted(argv) + "\nexit: " +
            (result.timed_out       ? "stopped at the time limit"
             : result.exit_code < 0 ? "signal " + std::to_string(result.signal)
                                    : std::to_string(result.exit_code)) +
            "\n--- output\n" + run.output +
            (result.output_cut ? "\n--- cut here\n" : "\n");
  if (result.timed_out) {
    run.verdict = Verdict::timed_out;
    run.detail = "the compiler ran longer than " + seconds_text(time_limit) + " and was stopped";
    run.repeatable = false;
  } else if (!result.ok()) {
    // In a room the compiler's temporary files have a small disk of their own.
    if (contains(run.output, "No space left on device") && (place.sandbox != SandboxLevel::full || is_full(place.directory))) {
      throw HarnessError("compile in " + place.directory.string() + ": no space left on device");
    }
    run.verdict = Verdict::build_failed;
    run.detail = first_error(result.errors + "\n" + result.output);
    if (run.detail.empty()) {
      run.detail = result.exit_code < 0
                       ? "the compiler ended by signal " + std::to_string(result.signal)
                       : "the compiler ended with exit code " + std::to_string(result.exit_code) + " and said nothing";
    }
    run.repeatable = result.exit_code >= 0 && !tells_of_signal(run.output) && !may_lack_processes(run.output);
  }
  return run;
}

}  // namespace mskb
