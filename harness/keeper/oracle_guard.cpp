#include "keeper/oracle_guard.hpp"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <initializer_list>
#include <system_error>

#include "wire/keeper_messages.hpp"

namespace mskb::keeper {

namespace {

volatile sig_atomic_t inside = 0;
int limit = 0;

void set_alarm(int seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

// A crash that is not the oracle's comes again by itself, and nobody handles it then.
void end_process(int signal) {
  if (inside != 0) {
    ::_exit(wire::oracle_exit + signal);
  }
}

}  // namespace

void watch_oracles(int limit_s) {
  limit = limit_s;
  alignas(16) static char stack[1 << 16];  // the oracle may have used up the other one
  const stack_t alternative{stack, 0, sizeof stack};
  ::sigaltstack(&alternative, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
    struct sigaction action {};
    action.sa_handler = end_process;
    action.sa_flags = SA_ONSTACK | (signal == SIGALRM ? 0 : SA_RESETHAND);
    ::sigaction(signal, &action, nullptr);
  }
}

namespace detail {

void enter_oracle() {
  inside = 1;
  set_alarm(limit);
}

void leave_oracle() {
  set_alarm(0);
  inside = 0;
}

void rethrow_as_failure() {
  try {
    throw;
  } catch (const OracleFailure&) {
    throw;
  } catch (const std::exception& thrown) {
    const auto* const error = dynamic_cast<const std::system_error*>(&thrown);
    if (error != nullptr && error->code() == std::errc::resource_unavailable_try_again) {  // no room for one more thread: not the task's fault
      throw;
    }
    throw OracleFailure(std::string("threw: ") + thrown.what());
  } catch (...) {
    throw OracleFailure("threw something that is not a std::exception");
  }
}

}  // namespace detail

}  // namespace mskb::keeper
