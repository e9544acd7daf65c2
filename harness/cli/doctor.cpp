#include <fmt/format.h>
#include <openssl/crypto.h>

#include <boost/version.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/subprocess.hpp"
#include "build/compiler.hpp"
#include "cli/options.hpp"
#include "commit.hpp"
#include "evaluate/baselines.hpp"
#include "evaluate/keeper_client.hpp"
#include "wire/worker_messages.hpp"

namespace mskb::cli {

namespace {

void line(bool there, const std::string& what, const std::string& found, const std::string& remedy) {
  fmt::print("{:<8} {:<22} {}\n", there ? "ok" : "missing", what, there ? found : remedy);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The line that states the version: nvcc and ncu say ", release 13.0" and "Version 2025.3" below their copyright, others in the first line.
std::string version_line(const std::string& output) {
  std::istringstream lines(output);
  for (std::string text; std::getline(lines, text);) {
    if (text.starts_with("Version ") || text.find(", release ") != std::string::npos) {
      return text;
    }
  }
  return first_line(output);
}

// `program`: its name, or its path where it need not be on PATH; empty when it was not found.
void look_for_program(const std::string& name, const std::string& program, const std::string& remedy) {
  const bool there = !program.empty() && program_exists(program);
  std::string found;
  if (there) {
    found = version_line(run_subprocess({program, "--version"}).output);
  }
  line(there, name, found, remedy);
}

void look_for_device() {
  try {
    const KeeperClient keeper(Backend::cuda, 0);
    const wire::DeviceFacts& facts = keeper.facts();
    line(true, "GPU", fmt::format("{}, compute capability {}.{}, {} GB", facts.name, facts.capability_major, facts.capability_minor,
                                  facts.memory_bytes / 1000000000),
         "");
  } catch (const std::exception& error) {
    line(false, "GPU", "", fmt::format("{}; verdicts work on the CPU backend (--device cpu)", first_line(error.what())));
  }
}

// CUPTI is resolved by the worker: ask one.
void look_for_activity() {
  const auto program = sibling_program("mskb-worker");
  if (!std::filesystem::exists(program)) {
    return;
  }
  wire::SocketPair pair = wire::make_socket_pair();
  SandboxedProcess worker(program, {"0"}, std::move(pair.theirs), strongest_sandbox());
  std::uint32_t kind = 0;
  std::string body;
  if (wire::receive_packet(pair.ours.get(), kind, body, nullptr, std::chrono::seconds(30)) != wire::Received::message) {
    return;
  }
  if (const auto ready = wire::decode<wire::WorkerReady>(kind, body)) {
    line(ready->activity_available != 0, "CUPTI", "spans can be measured", std::string(ready->note) + "; rows get the host clock only");
  }
}

// Of the program's own libraries, those that tell.
std::string library_versions() {
  return fmt::format("fmt {}.{}.{}, CLI11 {}, nlohmann_json {}.{}.{}, Boost {}.{}.{}, {}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                     FMT_VERSION % 100, CLI11_VERSION, NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH,
                     BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100, OpenSSL_version(OPENSSL_VERSION));
}

}  // namespace

void add_doctor(CLI::App& app, Context&) {
  CLI::App* command = app.add_subcommand("doctor", "Say what is there, what is missing and how to get it.");
  command->callback([] {
    line(true, "mskb", fmt::format("{}, commit {}, compiled by {}", MSKB_VERSION, *MSKB_COMMIT == 0 ? "unknown" : MSKB_COMMIT, MSKB_COMPILER), "");
    line(true, "libraries", library_versions(), "");
    line(std::filesystem::is_directory(home_directory() / "tasks"), "home", home_directory().string(), "holds no folder tasks; MSKB_HOME has to name the project's folder");
    line(true, "cache", cache_directory().string(), "");
    look_for_program("g++", find_compiler(Backend::cpu), "apt-get install g++; the CPU backend compiles kernels with it");
    look_for_program("nvcc", find_compiler(Backend::cuda),
                     "install the CUDA toolkit (13.0 or newer) and put its bin/ on PATH; needed for --device cuda");
    look_for_program("ncu", "ncu", "part of Nsight Compute; needed for profiles only");
    for (const char* name : {"mskb-keeper-cpu", "mskb-worker-cpu", "mskb-worker-cpu-asan", "mskb-worker-cpu-races", "mskb-keeper", "mskb-worker"}) {
      line(std::filesystem::exists(sibling_program(name)), name, "built", "not built; run cmake and build again (for a GPU the CUDA toolkit has to be there then)");
    }
    const SandboxLevel level = strongest_sandbox();
    line(level == SandboxLevel::full, "sandbox", "full", fmt::format("{}: user namespaces are not allowed here; scores need --no-sandbox", to_string(level)));
    look_for_device();
    look_for_activity();
    const bool has_toolkit = !find_compiler(Backend::cuda).empty() && program_exists(find_compiler(Backend::cuda));
    for (const BaselineLibrary& library : load_baseline_libraries(home_directory())) {
      line(has_toolkit, "baseline " + library.name, library.summary, "needs the CUDA toolkit");
    }
  });
}

}  // namespace mskb::cli
