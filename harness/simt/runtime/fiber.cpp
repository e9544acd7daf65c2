#include "simt/runtime/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>
#include <new>

#include "simt/runtime/sanitizer.hpp"

namespace mskb::simt {
namespace {

namespace context = boost::context::detail;

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
  static void enter(context::transfer_t from) {
    FiberPool& pool = *starting;
    pool.arrived(nullptr, from.fctx);
    pool.entry_();
    __builtin_unreachable();
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

void FiberPool::switch_to(Fiber* next) {
  Fiber* self = running_;
  if (next->context == nullptr) {
    char* top = next->stack + next->stack_size - next->colour;
    next->context = context::make_fcontext(top, next->stack_size - next->colour, &FiberStart::enter);
    starting = this;
  }
  previous_ = self;
  running_ = next;
  sanitizer::before_switch(&self->fake_stack, next->stack ? next->stack : home_bottom_, next->stack_size);
  const auto from = context::jump_fcontext(next->context, nullptr);
  arrived(self->fake_stack, from.fctx);
}

void FiberPool::arrived(void* fake_stack, void* left) {
  previous_->context = left;
  const void* bottom = home_bottom_;
  std::size_t size = home_.stack_size;
  sanitizer::after_switch(fake_stack, &bottom, &size);
  if (previous_ == &home_) {
    home_bottom_ = bottom;
    home_.stack_size = size;
  }
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
