#include "simt/runtime/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace mskb::simt {
namespace {

// CUDA allows 512 KiB of local memory a thread; pages that nobody touches cost nothing.
constexpr std::size_t stack_bytes = 512 * 1024;
// Page-aligned stacks share cache sets, so each fiber starts at another offset.
constexpr std::size_t colour_step = 320;
constexpr std::size_t colours = 24;

FiberPool* starting = nullptr;

char* map_stack() {
  const std::size_t guard = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, guard + stack_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, guard, PROT_NONE);
  return static_cast<char*>(memory) + guard;
}

}  // namespace

struct FiberStart {
  static void enter() {
    FiberPool& pool = *starting;
    pool.arrived(nullptr);
    pool.entry_();
  }
};

Fiber* FiberPool::take() {
  if (!parked_.empty()) {
    Fiber* fiber = parked_.back();
    parked_.pop_back();
    return fiber;
  }
  auto fiber = std::make_unique<Fiber>();
  fiber->stack = map_stack();
  fiber->stack_size = stack_bytes;
  fiber->colour = all_.size() % colours * colour_step;
  all_.push_back(std::move(fiber));
  return all_.back().get();
}

void FiberPool::prepare(Fiber* fiber) {
  const std::size_t size = fiber->stack_size - fiber->colour;
  fiber->context = make_context(fiber->stack + size, size, &FiberStart::enter);
  starting = this;
}

void FiberPool::abandon_all() {
  parked_.clear();
  for (auto fiber = all_.rbegin(); fiber != all_.rend(); ++fiber) {
    (*fiber)->context = nullptr;
    (*fiber)->fake_stack = nullptr;
    sanitizer::unpoison((*fiber)->stack, (*fiber)->stack_size);
    parked_.push_back(fiber->get());
  }
}

}  // namespace mskb::simt
