#include "simt/runtime/context.hpp"

#include <cstdint>

#if MSKB_SIMT_OWN_SWITCH

// The registers that a function must preserve, then the stack pointer.
asm(R"(
    .text
    .globl mskb_simt_switch_stack
    .type mskb_simt_switch_stack, @function
    .p2align 4
mskb_simt_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size mskb_simt_switch_stack, .-mskb_simt_switch_stack
)");

namespace mskb::simt {

void* make_context(char* top, std::size_t, void (*entry)()) {
  // From the top: a return address for entry() that ends every backtrace, entry itself for `ret`, six registers.
  auto* words = reinterpret_cast<void**>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15});
  *--words = nullptr;
  *--words = reinterpret_cast<void*>(entry);
  for (int i = 0; i < 6; ++i) *--words = nullptr;
  return words;
}

}  // namespace mskb::simt

#else

namespace mskb::simt {

void** context_left = nullptr;

namespace {

// All contexts of this program begin alike.
void (*start)() = nullptr;

void enter(boost::context::detail::transfer_t from) {
  *context_left = from.fctx;
  start();
}

}  // namespace

void* make_context(char* top, std::size_t size, void (*entry)()) {
  start = entry;
  return boost::context::detail::make_fcontext(top, size, &enter);
}

}  // namespace mskb::simt

#endif
