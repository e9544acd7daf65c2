#include "cli/stop_note.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "base/characters.hpp"

namespace mskb::cli {

namespace {

std::string note, run_file;
pid_t speaker = 0;  // processes that it forks have the handler too

// SA_RESETHAND: the signal that is raised here finds its default, once this handler has returned.
void say_and_end(int number) {
  if (::getpid() == speaker && ::access(run_file.c_str(), F_OK) == 0) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, note.data(), note.size());
  }
  ::raise(number);
}

}  // namespace

void tell_how_to_go_on(const std::string& command, const std::string& out) {
  note = fmt::format("{}mskb: stopped; what is on record in {} stays, and the same mskb {} with --out {} --resume goes on\n",
                     ::isatty(STDERR_FILENO) ? "\n" : "", visible_line(out), command, visible_line(out));
  run_file = out + "/run.yaml";
  speaker = ::getpid();
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction former {};
    ::sigaction(number, nullptr, &former);
    if (former.sa_handler != SIG_DFL) {  // ignored: nohup, a shell's background job
      continue;
    }
    struct sigaction action {};
    action.sa_handler = say_and_end;
    action.sa_flags = SA_RESETHAND;
    ::sigaction(number, &action, nullptr);
  }
}

}  // namespace mskb::cli
