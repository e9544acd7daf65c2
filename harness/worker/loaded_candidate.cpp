#include "worker/loaded_candidate.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>

#include <stdexcept>

namespace mskb::worker {

namespace {

struct Objects {
  std::set<std::string> names;
  unsigned long long loads = 0;  // how many were ever loaded
};

Objects list_objects() {
  Objects objects;
  ::dl_iterate_phdr(
      [](dl_phdr_info* information, std::size_t, void* list) {
        auto* found = static_cast<Objects*>(list);
        found->loads = information->dlpi_adds;
        if (information->dlpi_name != nullptr && information->dlpi_name[0] != '\0') {
          found->names.insert(information->dlpi_name);
        }
        return 0;
      },
      &objects);
  return objects;
}

unsigned long long count_loads() {
  unsigned long long loads = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* information, std::size_t, void* count) {
        *static_cast<unsigned long long*>(count) = information->dlpi_adds;
        return 1;
      },
      &loads);
  return loads;
}

// The loader takes objects of the same path for the same object, and the path holds the descriptor's number: each gets a number of its own.
UniqueFd with_fresh_number(UniqueFd object) {
  static int next = 800;
  const int fresh = ::fcntl(object.get(), F_DUPFD_CLOEXEC, next++);
  return fresh < 0 ? std::move(object) : UniqueFd(fresh);
}

}  // namespace

LoadedCandidate::LoadedCandidate(UniqueFd object)
    : object_(with_fresh_number(std::move(object))), path_("/proc/self/fd/" + std::to_string(object_.get())), before_(list_objects().names) {
  if (!object_) {
    throw std::runtime_error("no descriptor of a shared object came with the message");
  }
  void* handle = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    std::string reason = ::dlerror();
    if (reason.starts_with(path_ + ": ")) {
      reason.erase(0, path_.size() + 2);
    }
    throw std::runtime_error(reason);
  }
  function_ = reinterpret_cast<mskb_invoke_function>(::dlsym(handle, "mskb_invoke"));
  if (function_ == nullptr) {
    throw std::runtime_error("the shared object does not define mskb_invoke");
  }
  look_for_libraries();
}

void LoadedCandidate::look_for_libraries() {
  if (count_loads() == loads_seen_) {
    return;
  }
  const Objects now = list_objects();
  loads_seen_ = now.loads;
  for (const std::string& name : now.names) {
    if (name != path_ && !before_.contains(name)) {
      appeared_.insert(name);
    }
  }
}

}  // namespace mskb::worker
