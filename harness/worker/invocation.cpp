#include <exception>

#include "worker/runner.hpp"

namespace mskb::worker {

Returned invoke(const Invocation& invocation) {
  char error[500] = {};
  const mskb_call call{invocation.buffers, invocation.values};
  try {
    switch (invocation.function(&call, error, sizeof error)) {
      case 0:
        return {};
      case 2:
        return {wire::CallStatus::unsupported, error};
      default:
        return {wire::CallStatus::threw, error};
    }
  } catch (const std::exception& thrown) {
    return {wire::CallStatus::threw, thrown.what()};
  } catch (...) {
    return {wire::CallStatus::threw, "something that is not a std::exception"};
  }
}

}  // namespace mskb::worker
