// Stacks that the threads of a block run on, and switches between them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "simt/runtime/context.hpp"
#include "simt/runtime/sanitizer.hpp"

namespace mskb::simt {

struct Fiber {
  void* context = nullptr;  // where it was left; null: to be started
  char* stack = nullptr;    // lowest usable byte; null for the operating system's own stack
  std::size_t stack_size = 0;
  std::size_t colour = 0;      // bytes by which the stack starts lower
  void* fake_stack = nullptr;  // AddressSanitizer's
  int thread = 0;              // the CUDA thread (linear index in its block) it runs or waits in
};

class FiberPool {
 public:
  // `entry` never returns.
  explicit FiberPool(void (*entry)()) : entry_(entry) {}

  Fiber* running() const { return running_; }
  // The operating system's stack, from which a launch starts.
  Fiber* home() { return &home_; }
  const Fiber* home() const { return &home_; }

  // A fiber that waits for work: one that was parked, or a new one.
  Fiber* take();
  void park(Fiber* fiber) { parked_.push_back(fiber); }
  // Inline, as is all that leads here: a return after a switch is mispredicted, so there should be few.
  void switch_to(Fiber* next) {
    Fiber* self = running_;
    if (next->context == nullptr) prepare(next);
    previous_ = self;
    running_ = next;
    sanitizer::before_switch(&self->fake_stack, next->stack ? next->stack : home_bottom_, next->stack_size);
    switch_context(&self->context, next->context);
    arrived(self->fake_stack);
  }
  // Whether `address` lies on the running fiber's stack.
  bool on_stack(const void* address) const {
    const char* at = static_cast<const char*>(address);
    return running_->stack != nullptr && at >= running_->stack && at < running_->stack + running_->stack_size;
  }
  // Whether `address` lies just below the running fiber's stack.
  bool in_guard(const void* address) const {
    const char* at = static_cast<const char*>(address);
    return running_->stack != nullptr && at < running_->stack && running_->stack - at <= 4096;
  }
  // Gives up every fiber where it stands. Only from home().
  void abandon_all();

 private:
  friend struct FiberStart;
  void prepare(Fiber* fiber);
  // The running fiber has been switched to.
  void arrived(void* fake_stack) {
    if (!sanitizer::address) return;
    const void* bottom = nullptr;
    std::size_t size = 0;
    sanitizer::after_switch(fake_stack, &bottom, &size);
    if (previous_ == &home_) {
      home_bottom_ = bottom;
      home_.stack_size = size;
    }
  }

  void (*entry_)();
  Fiber home_;
  const void* home_bottom_ = nullptr;
  Fiber* running_ = &home_;
  Fiber* previous_ = nullptr;
  std::vector<Fiber*> parked_;
  std::vector<std::unique_ptr<Fiber>> all_;
};

}  // namespace mskb::simt
