#include "simt/runtime/crash_report.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>

#include "simt/runtime/launches.hpp"
#include "simt/runtime/sanitizer.hpp"
#include "simt/runtime/scheduler.hpp"

namespace mskb::simt {
namespace {

struct Handled {
  int signal;
  struct sigaction former;
};
std::array<Handled, 4> handled{{{SIGSEGV, {}}, {SIGBUS, {}}, {SIGFPE, {}}, {SIGILL, {}}}};

// A thread that overflows its stack needs another one for the handler.
std::array<char, 64 * 1024> handler_stack;

int describe(char* text, std::size_t size, int number, const siginfo_t& info) {
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  if (number == SIGFPE) return std::snprintf(text, size, "integer division by zero");
  if (number == SIGILL) return std::snprintf(text, size, "illegal instruction");
  if (scheduler().in_stack_guard(info.si_addr))
    return std::snprintf(text, size, "local memory overflow: more than 512 KiB a thread");
  return std::snprintf(text, size, "illegal memory access at address 0x%llx", static_cast<unsigned long long>(address));
}

void on_signal(int number, siginfo_t* info, void*) {
  if (scheduler().in_kernel()) {
    char what[128], text[512];
    describe(what, sizeof what, number, *info);
    const int length =
        std::snprintf(text, sizeof text, "%s in kernel %.200s, block (%u,%u,%u), thread (%u,%u,%u)\n", what,
                      current_kernel(), blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
    if (length > 0) (void)!write(STDERR_FILENO, text, static_cast<std::size_t>(length));
  }
  // Back to the instruction, which raises the signal again.
  for (const auto& entry : handled) {
    if (entry.signal == number) sigaction(number, &entry.former, nullptr);
  }
}

}  // namespace

void report_crashes() {
  static bool done = false;
  if (done || sanitizer::address) return;
  done = true;
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (auto& entry : handled) sigaction(entry.signal, &action, &entry.former);
}

}  // namespace mskb::simt
