#pragma once

namespace mskb::worker {

// From now on no thread of this process may start a process, signal another one, or look into another one's memory: the kernel ends the process
// with SIGSYS, which the harness takes for a violation. Threads, files, sockets and signals to itself stay allowed. Does nothing where new privileges
// are not forbidden, that is without a sandbox. False, with errno, when the kernel refuses.
bool forbid_other_processes();

}  // namespace mskb::worker
