#include "program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/unique_fd.hpp"

namespace mskb::test {

namespace fs = std::filesystem;

namespace {

// mskb waits for the disk after every case, and these tests write many: in memory where there is a file system for that.
const bool in_memory = ::access("/dev/shm", W_OK) == 0 && ::setenv("TMPDIR", "/dev/shm", 1) == 0;

std::string unused_name(const fs::path& directory) {
  for (int i = 0;; ++i) {
    const std::string name = "mskb-test-" + std::to_string(i);
    if (!fs::exists(directory / (name + ".out"))) {
      return name;
    }
  }
}

// Nothing for a process that has ended, though nobody may have awaited it yet.
std::optional<ProcessFacts> look_at(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (close == std::string::npos) {
    return std::nullopt;
  }
  ProcessFacts facts;
  facts.pid = pid;
  facts.name = text.substr(open + 1, close - open - 1);
  std::istringstream rest(text.substr(close + 1));
  std::string state;
  rest >> state >> facts.parent;
  double ticks = 0;
  for (int field = 5; field <= 15 && rest >> ticks; ++field) {
    facts.cpu_s += field >= 14 ? ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)) : 0;  // utime and stime
  }
  return state == "Z" || state == "X" ? std::nullopt : std::optional(facts);
}

std::vector<ProcessFacts> all_processes() {
  std::vector<ProcessFacts> all;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") == std::string::npos) {
      if (const auto facts = look_at(std::stoi(name))) {
        all.push_back(*facts);
      }
    }
  }
  return all;
}

// Where namespaces are not allowed every command says so first; that is no fault of the command.
std::string without_sandbox_notice(const std::string& text) {
  const std::string notice = "mskb: the sandbox is `";
  return text.starts_with(notice) ? text.substr(text.find('\n') + 1) : text;
}

}  // namespace

Running::Running(const std::vector<std::string>& words, const fs::path& directory) {
  const fs::path files = directory / ".printed";
  fs::create_directories(files);
  const std::string name = unused_name(files);
  output_ = files / (name + ".out");
  errors_ = files / (name + ".err");
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  const UniqueFd output(::open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  const UniqueFd errors(::open(errors_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(output.get(), 1);
    ::dup2(errors.get(), 2);
    if (::chdir(directory.c_str()) == 0) {
      ::execv(arguments[0], arguments.data());
    }
    ::_exit(127);
  }
}

Running::~Running() {
  if (!ended()) {
    kill();
    wait();
  }
}

bool is_alive(int pid) { return look_at(pid).has_value(); }

bool Running::ended() {
  reaped_ = reaped_ || ::waitpid(pid_, &status_, WNOHANG) == pid_;
  return reaped_;
}

void Running::kill() { ::kill(pid_, SIGKILL); }

Ended Running::wait() {
  while (!reaped_) {
    reaped_ = ::waitpid(pid_, &status_, 0) == pid_;
  }
  Ended ended;
  ended.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
  ended.signal = WIFSIGNALED(status_) ? WTERMSIG(status_) : 0;
  ended.output = read_file(output_);
  ended.errors = without_sandbox_notice(read_file(errors_));
  return ended;
}

std::vector<ProcessFacts> Running::descendants() const {
  const std::vector<ProcessFacts> all = all_processes();
  std::set<int> family{pid_};
  std::vector<ProcessFacts> found;
  for (bool grown = true; grown;) {
    grown = false;
    for (const ProcessFacts& facts : all) {
      if (family.contains(facts.parent) && family.insert(facts.pid).second) {
        found.push_back(facts);
        grown = true;
      }
    }
  }
  return found;
}

Program::Program() {
  static_cast<void>(in_memory);
  set_variable("MSKB_HOME", MSKB_SOURCE_DIR);
  set_variable("MSKB_CACHE", MSKB_TEST_CACHE);
}

Program::~Program() {
  for (const auto& [name, value] : former_variables_) {
    value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }
}

void Program::set_variable(const std::string& name, const std::string& value) {
  const char* former = std::getenv(name.c_str());
  former_variables_.emplace(name, former == nullptr ? std::nullopt : std::optional<std::string>(former));
  ::setenv(name.c_str(), value.c_str(), 1);
}

std::unique_ptr<Running> Program::start(const std::vector<std::string>& words) const {
  std::vector<std::string> command{std::string(MSKB_BINARY_DIR) + "/mskb"};
  command.insert(command.end(), words.begin(), words.end());
  return std::make_unique<Running>(command, folder_.path());
}

Ended Program::mskb(const std::vector<std::string>& words) const { return start(words)->wait(); }

Ended Program::bash(const std::string& script) const { return Running({"/bin/bash", "-c", script}, folder_.path()).wait(); }

void Program::expect_refused(const std::vector<std::string>& words, const ::testing::Matcher<const std::string&>& line) const {
  const auto before = listing(folder_.path());
  const Ended ended = mskb(words);
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.output, "");
  EXPECT_EQ(std::count(ended.errors.begin(), ended.errors.end(), '\n'), 1) << ended.errors;
  EXPECT_THAT(ended.errors, ::testing::StartsWith("mskb: "));
  EXPECT_THAT(ended.errors, line);
  EXPECT_EQ(listing(folder_.path()), before) << "something was written";
}

std::string kernel(const std::string& name) { return std::string(MSKB_SOURCE_DIR) + "/tests/fixtures/kernels/" + name + ".cu"; }

std::vector<std::string> run_words(const std::string& out, const std::vector<std::string>& more) {
  std::vector<std::string> words{"run", "--task", "silu_and_mul", "--precision", "fp32", "--device", "cpu", "--out", out};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::map<std::string, std::uintmax_t> listing(const fs::path& directory) {
  std::map<std::string, std::uintmax_t> paths;
  for (auto entry = fs::recursive_directory_iterator(directory); entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->path().filename() == ".printed") {
      entry.disable_recursion_pending();
    } else {
      paths[entry->path().string()] = entry->is_regular_file() ? entry->file_size() : 0;
    }
  }
  return paths;
}

bool eventually(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

}  // namespace mskb::test
