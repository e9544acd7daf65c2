#include "base/errors.hpp"

#include <cerrno>
#include <cstring>

namespace mskb {

void throw_errno(const std::string& what) {
  throw HarnessError(what + ": " + std::strerror(errno));
}

}  // namespace mskb
