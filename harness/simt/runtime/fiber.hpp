// Stacks that the threads of a block run on, and switches between them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace mskb::simt {

struct Fiber {
  void* context = nullptr;     // where it was left; null: to be started
  char* stack = nullptr;       // lowest usable byte; null for the operating system's own stack
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
  void switch_to(Fiber* next);
  // Gives up every fiber where it stands. Only from home().
  void abandon_all();

 private:
  friend struct FiberStart;
  void arrived(void* fake_stack, void* left);

  void (*entry_)();
  Fiber home_;
  const void* home_bottom_ = nullptr;
  Fiber* running_ = &home_;
  Fiber* previous_ = nullptr;
  std::vector<Fiber*> parked_;
  std::vector<std::unique_ptr<Fiber>> all_;
};

}  // namespace mskb::simt
