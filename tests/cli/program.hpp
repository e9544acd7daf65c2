#pragma once
#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "model/evaluation.hpp"
#include "store/run_reader.hpp"

namespace mskb::test {

struct Ended {
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;
  std::string output, errors;
};

// A process of `/proc`: the CPU time that it has used in seconds.
struct ProcessFacts {
  int pid = 0, parent = 0;
  std::string name;  // cut to 15 characters by the kernel
  double cpu_s = 0;
};

bool is_alive(int pid);

// Started and not yet awaited; killed when it goes out of scope.
class Running {
 public:
  Running(const std::vector<std::string>& words, const std::filesystem::path& directory);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  int pid() const { return pid_; }
  bool ended();  // without waiting
  Ended wait();
  void kill();   // SIGKILL to the process alone, as the kernel's out-of-memory killer does
  // All processes below it.
  std::vector<ProcessFacts> descendants() const;

 private:
  int pid_ = -1, status_ = 0;
  bool reaped_ = false;
  std::filesystem::path output_, errors_;
};

// Runs the real mskb in a temporary directory, where relative paths such as --out lie.
class Program : public ::testing::Test {
 protected:
  Program();
  ~Program() override;

  // An environment variable of this test and of what it starts.
  void set_variable(const std::string& name, const std::string& value);
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  Ended mskb(const std::vector<std::string>& words) const;
  Ended bash(const std::string& script) const;
  std::unique_ptr<Running> start(const std::vector<std::string>& words) const;

  // Wrong use: exit code 2, nothing on standard output, one line on standard error, and no file made.
  void expect_refused(const std::vector<std::string>& words, const ::testing::Matcher<const std::string&>& line) const;

  TemporaryDirectory folder_;

 private:
  std::map<std::string, std::optional<std::string>> former_variables_;
};

// tests/fixtures/kernels/<name>.cu
std::string kernel(const std::string& name);

// `words` of a run on the CPU of one candidate, at the check and smoke sizes of a small task in FP32.
std::vector<std::string> run_words(const std::string& out, const std::vector<std::string>& more);

std::vector<std::string> lines_of(const std::string& text);
// Every path below a directory, with the size of files.
std::map<std::string, std::uintmax_t> listing(const std::filesystem::path& directory);

// Polls until it holds; false after a minute.
bool eventually(const std::function<bool()>& holds);

}  // namespace mskb::test
