#pragma once
#include "worker/runner.hpp"

namespace mskb::worker {

// The worker's protocol over any backend: introduces itself, then answers until the other end closes or the context is lost.
void serve(int socket, Runner& runner);

}  // namespace mskb::worker
