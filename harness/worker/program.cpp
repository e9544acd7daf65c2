#include "worker/program.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "wire/socket.hpp"
#include "wire/worker_messages.hpp"
#include "worker/field.hpp"
#include "worker/serve.hpp"
#include "worker/syscall_filter.hpp"

namespace mskb::worker {

namespace {

constexpr int given_socket = 3, high_number = 700;

bool is_connection(int socket) {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

// The candidate's code runs in this process: nothing here keeps it from the socket, but it will not meet it by accident.
UniqueFd take_socket() {
  UniqueFd socket(::fcntl(given_socket, F_DUPFD_CLOEXEC, high_number));
  if (!is_connection(socket.get())) {
    return UniqueFd();
  }
  ::close(given_socket);
  return socket;
}

}  // namespace

int run_program(int argument_count, char** arguments, const MakeRunner& make_runner, bool unmapped_memory) {
  UniqueFd socket = take_socket();
  if (!socket) {
    std::fprintf(stderr, "%s: descriptor 3 is not a socket of mskb; this program is started by mskb\n", arguments[0]);
    return 2;
  }
  try {
    const bool solo = argument_count > 2 && std::strcmp(arguments[2], "solo") == 0;
    const std::unique_ptr<Runner> runner = make_runner(argument_count > 1 ? std::atoi(arguments[1]) : 0, solo);
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (!solo && !forbid_other_processes(unmapped_memory)) {  // a tool that looks on may need what a candidate may not
      throw std::runtime_error("the kernel refuses a filter of system calls");
    }
    serve(socket.get(), *runner);
    std::fflush(nullptr);
    ::_exit(is_connection(socket.get()) ? 0 : wire::connection_lost);
  } catch (const std::exception& reason) {
    if (!is_connection(socket.get())) {
      ::_exit(wire::connection_lost);
    }
    wire::WorkerFailure failure{};
    set_field(failure.text, reason.what());
    wire::send(socket.get(), failure);
    std::fflush(nullptr);
    ::_exit(3);
  }
}

}  // namespace mskb::worker
