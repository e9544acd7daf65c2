// When a kernel crashes the process, one line on stderr says which kernel, block and thread it was, and what it
// touched.
#pragma once

namespace mskb::simt {

// Takes over SIGSEGV, SIGBUS, SIGFPE and SIGILL, once. After the line the signal takes its former course. Does nothing
// under AddressSanitizer, which knows more.
void report_crashes();

}  // namespace mskb::simt
