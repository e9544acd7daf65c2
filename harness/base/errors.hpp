#pragma once
#include <stdexcept>
#include <string>

namespace mskb {

// Wrong use or wrong input: one line that says what, where and how to mend it. The command line exits with 2.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The harness itself failed (a system call, a dead keeper, a broken record). The command line exits with 3.
struct HarnessError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// "open tasks/x: No such file or directory", from errno.
[[noreturn]] void throw_errno(const std::string& what);

}  // namespace mskb
