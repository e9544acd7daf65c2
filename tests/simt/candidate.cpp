#include "candidate.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "base/files.hpp"
#include "base/hashing.hpp"

namespace mskb::simt::testing {
namespace {

namespace fs = std::filesystem;

std::string fixture_path(const std::string& name) {
  return std::string(MSKB_SOURCE_DIR) + "/tests/simt/fixtures/" + name + ".cu";
}

}  // namespace

std::string build_candidate(const std::string& name, Flavour flavour) {
  const std::string include = std::string(MSKB_SOURCE_DIR) + "/harness/simt/include";
  const std::string translated = translate(read_file(fixture_path(name)), fixture_path(name));
  std::string command = MSKB_CXX;
  for (const auto& flag : compile_flags(flavour, include)) command += " " + flag;
  command += " -ffp-contract=off";
  std::string headers;
  for (const auto& entry : fs::recursive_directory_iterator(include)) {
    if (entry.is_regular_file()) headers += std::to_string(entry.last_write_time().time_since_epoch().count());
  }
  const fs::path folder = fs::path(MSKB_BINARY_DIR) / "simt-fixtures";
  fs::create_directories(folder);
  const fs::path object = folder / (name + "-" + Hasher().add(translated).add(command).add(headers).hex(16) + ".so");
  if (fs::exists(object)) return object;
  const std::string mine = object.string() + "." + std::to_string(getpid());
  write_file_atomically(mine + ".cpp", translated);
  command += " " + mine + ".cpp -o " + mine;
  if (std::system(command.c_str()) != 0) throw std::runtime_error("cannot compile " + name);
  fs::rename(mine, object);
  fs::remove(mine + ".cpp");
  return object;
}

int marked_line(const std::string& name, const std::string& mark) {
  const std::string text = read_file(fixture_path(name));
  const auto at = text.find("// " + mark + "\n");
  if (at == std::string::npos) throw std::runtime_error("no mark " + mark + " in " + name);
  int line = 1;
  for (std::size_t i = 0; i < at; ++i) line += text[i] == '\n';
  return line;
}

Candidate::Candidate(const std::string& name, Flavour flavour)
    : handle_(dlopen(build_candidate(name, flavour).c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
}

void* Candidate::find(const char* entry) const {
  void* found = dlsym(handle_, entry);
  if (found == nullptr) throw std::runtime_error(dlerror());
  return found;
}

}  // namespace mskb::simt::testing
