// How the sanitizers report in a worker: one report to stderr, which the harness reads, then exit code 86. Fixed here, so that nobody's
// environment changes it.
#if defined(__SANITIZE_ADDRESS__)

extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "exitcode=86:abort_on_error=0:detect_leaks=0:halt_on_error=1:allocator_may_return_null=1";
}

extern "C" __attribute__((visibility("default"))) const char* __ubsan_default_options() {
  return "halt_on_error=1:print_stacktrace=1:exitcode=86";
}

#endif
