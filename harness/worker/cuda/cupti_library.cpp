#ifdef MSKB_HAVE_CUPTI
#include "worker/cuda/cupti_library.hpp"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <sstream>
#include <vector>

namespace mskb::worker {

namespace {

// Where the loader finds it, then beside the CUDA run-time that this process uses, then in the toolkit of the build.
std::vector<std::string> candidates() {
  const std::string name = "libcupti.so." + std::to_string(CUDART_VERSION / 1000);
  std::vector<std::string> paths{name};
  Dl_info runtime{};
  if (::dladdr(reinterpret_cast<const void*>(&::cudaGetErrorName), &runtime) != 0 && runtime.dli_fname != nullptr) {
    const std::string file = runtime.dli_fname;
    const std::string folder = file.substr(0, file.rfind('/') + 1);
    paths.push_back(folder + name);
    paths.push_back(folder + "../extras/CUPTI/lib64/" + name);
    paths.push_back(folder + "../../../extras/CUPTI/lib64/" + name);
  }
  std::istringstream folders(MSKB_CUPTI_DIRECTORIES);
  for (std::string folder; std::getline(folders, folder, ':');) {
    paths.push_back(folder + "/" + name);
  }
  paths.push_back("libcupti.so");
  return paths;
}

template <class Function>
bool resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

std::string CuptiLibrary::open() {
  void* library = nullptr;
  for (const std::string& path : candidates()) {
    if (library == nullptr) {
      library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
  }
  if (library == nullptr) {
    return "libcupti.so." + std::to_string(CUDART_VERSION / 1000) + " was not found; add its directory to LD_LIBRARY_PATH";
  }
  const bool complete = resolve(library, "cuptiActivityRegisterCallbacks", register_callbacks) &&
                        resolve(library, "cuptiActivitySetAttribute", set_attribute) &&
                        resolve(library, "cuptiActivityEnable", enable) && resolve(library, "cuptiActivityDisable", disable) &&
                        resolve(library, "cuptiActivityFlushAll", flush_all) &&
                        resolve(library, "cuptiActivityGetNextRecord", next_record) &&
                        resolve(library, "cuptiGetTimestamp", timestamp) &&
                        resolve(library, "cuptiGetResultString", result_string);
  return complete ? "" : "libcupti lacks a function";
}

std::string CuptiLibrary::describe(CUptiResult result) const {
  const char* text = nullptr;
  result_string(result, &text);
  return text != nullptr ? text : "unknown CUPTI error";
}

}  // namespace mskb::worker
#endif
