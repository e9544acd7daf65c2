// The rewritings of the translator; each adds its edits for one token stream.
#pragma once

#include "simt/edits.hpp"
#include "simt/kernel_table.hpp"
#include "simt/tokens.hpp"

namespace mskb::simt {

// `kernel<<<grid, block>>>(arguments)` -> a call of ::mskb_simt::launch. Throws TranslateError.
void rewrite_launches(const TokenStream& stream, const KernelTable& kernels, Edits& edits);

// `__shared__ T x[n];` -> a reference into the memory of the running block. Throws TranslateError.
void rewrite_shared(const TokenStream& stream, Edits& edits);

// `__noinline__`, which as a macro would break the C++ library's attributes, and the cast to void* that hides a
// kernel's type from cudaLaunchKernel.
void rewrite_words(const TokenStream& stream, Edits& edits);

}  // namespace mskb::simt
