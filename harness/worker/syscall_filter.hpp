#pragma once

namespace mskb::worker {

// From now on no thread of this process may start a process, signal another one, or look into another one's memory: the kernel ends the process
// with SIGSYS, which the harness takes for a violation. So it does, unless `unmapped_memory` is allowed, where memory could be held that is not mapped
// (memfd_create, shmget, shared mappings without a file). Sockets of other families than AF_UNIX and AF_NETLINK, and calls that load code into the
// kernel or watch it (bpf, perf_event_open, userfaultfd, io_uring, kexec, modules, keys, mounts), fail with EPERM. Threads, files, sockets and signals
// to itself stay allowed. Does nothing where new privileges are not forbidden, that is without a sandbox. False, with errno, when the kernel refuses.
bool forbid_other_processes(bool unmapped_memory);

}  // namespace mskb::worker
