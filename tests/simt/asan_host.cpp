// simt-asan-host <shared object> <number> <entry>...: calls each entry(number), and prints what it returned and its
// faults.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "simt/runtime.hpp"

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  void* object = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  for (int i = 3; i < argc; ++i) {
    void* entry = object ? dlsym(object, argv[i]) : nullptr;
    if (entry == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 2;
    }
    mskb::simt::reset();
    const int result = reinterpret_cast<int (*)(int)>(entry)(std::atoi(argv[2]));
    std::printf("result %d\n", result);
    for (const auto& fault : mskb::simt::take_report().faults) {
      std::printf("%.*s: %s\n", static_cast<int>(name(fault.kind).size()), name(fault.kind).data(),
                  fault.message.c_str());
    }
  }
  return 0;
}
