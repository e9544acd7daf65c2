// Switching stacks. Boost.Context does it on any processor; on x86-64 twelve instructions of our own take half the
// time, as they leave the floating-point control words alone and end in a `ret`, which the processor predicts.
#pragma once

#include <cstddef>

#if defined(__x86_64__) && !defined(MSKB_SIMT_BOOST_SWITCH)
#define MSKB_SIMT_OWN_SWITCH 1
// Saves the running context at *left and goes on with `next`.
extern "C" void mskb_simt_switch_stack(void** left, void* next);
#else
#define MSKB_SIMT_OWN_SWITCH 0
#include <boost/context/detail/fcontext.hpp>
#endif

namespace mskb::simt {

// A context that calls entry(), which must not return, on the stack that ends at `top`. Always the same entry.
void* make_context(char* top, std::size_t size, void (*entry)());

#if MSKB_SIMT_OWN_SWITCH
inline void switch_context(void** left, void* next) { mskb_simt_switch_stack(left, next); }
#else
extern void** context_left;
inline void switch_context(void** left, void* next) {
  context_left = left;
  const auto from = boost::context::detail::jump_fcontext(next, nullptr);
  *context_left = from.fctx;
}
#endif

}  // namespace mskb::simt
