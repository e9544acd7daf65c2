#pragma once
#include <stdexcept>
#include <string>

namespace mskb::keeper {

// What a task's oracle did wrong, in words that follow "the oracle".
struct OracleFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// From now on an oracle that crashes, or that takes longer than this, ends the process with wire::oracle_exit and the signal's number (SIGALRM's for the
// time). One thread, once in a process.
void watch_oracles(int limit_s);

namespace detail {
void enter_oracle();
void leave_oracle();
[[noreturn]] void rethrow_as_failure();
}  // namespace detail

// Runs code of the task's oracle. What it throws becomes an OracleFailure.
template <class Body>
auto in_oracle(const Body& body) {
  struct Inside {
    Inside() { detail::enter_oracle(); }
    ~Inside() { detail::leave_oracle(); }
  };
  try {
    const Inside inside;
    return body();
  } catch (...) {
    detail::rethrow_as_failure();
  }
}

}  // namespace mskb::keeper
