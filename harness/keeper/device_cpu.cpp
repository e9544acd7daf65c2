#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "base/available_memory.hpp"
#include "base/errors.hpp"
#include "keeper/device.hpp"
#include "keeper/text.hpp"

namespace mskb::keeper {

namespace {

void require_available(std::uint64_t bytes) {
  const std::uint64_t available = available_memory();
  if (bytes > available) {
    throw DoesNotFit(fmt::format("the case needs {} bytes of memory at once, {} are free", bytes, available));
  }
}

// One mapping of a file in memory, or of no file.
std::byte* map(std::uint64_t bytes, int fd) {
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) {
    throw DoesNotFit(fmt::format("the case needs {} bytes of memory at once: {}", bytes, std::strerror(errno)));
  }
  return static_cast<std::byte*>(data);
}

class HostMemory : public Memory {
 public:
  explicit HostMemory(std::uint64_t bytes) {
    data_ = map(std::max<std::uint64_t>(bytes, 1), -1);
    bytes_ = bytes;
  }
  ~HostMemory() override { ::munmap(data_, std::max<std::uint64_t>(bytes_, 1)); }
};

class FileMemory : public SharedMemory {
 public:
  // Sealed in size: a worker that shortened the file would kill the keeper at its next read.
  explicit FileMemory(std::uint64_t bytes) : file_(::memfd_create("arena", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    if (!file_ || ::ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0 ||
        ::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
      throw_errno("make an arena");
    }
    data_ = map(bytes, file_.get());
    bytes_ = bytes;
  }
  ~FileMemory() override { ::munmap(data_, bytes_); }
  int descriptor() const override { return file_.get(); }

 private:
  UniqueFd file_;
};

template <class T>
void sort_as(void* data, std::uint64_t n) {
  std::sort(static_cast<T*>(data), static_cast<T*>(data) + n);
}

class CpuDevice : public DeviceWith<CpuDevice> {
 public:
  wire::DeviceFacts facts() override {
    wire::DeviceFacts facts{};
    std::ifstream file("/proc/cpuinfo");
    std::string name = "cpu";
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("model name") && line.find(": ") != std::string::npos) {
        name = line.substr(line.find(": ") + 2);
        break;
      }
    }
    set_text(facts.name, name);
    set_text(facts.uuid, "cpu");
    facts.multiprocessors = static_cast<std::uint32_t>(::sysconf(_SC_NPROCESSORS_ONLN));
    facts.memory_bytes = static_cast<std::uint64_t>(get_phys_pages()) * static_cast<std::uint64_t>(getpagesize());
    facts.free_bytes = available_memory();
    facts.l2_bytes = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_LEVEL2_CACHE_SIZE)));
    return facts;
  }

  std::unique_ptr<Memory> allocate(std::uint64_t bytes) override {
    require_available(bytes);
    return std::make_unique<HostMemory>(bytes);
  }
  std::unique_ptr<SharedMemory> allocate_shared(std::uint64_t bytes) override {
    require_available(bytes);
    return std::make_unique<FileMemory>(bytes);
  }
  void* stream() override { return nullptr; }
  std::string status_text(int status) override { return "error " + std::to_string(status); }
  void copy(void* to, const void* from, std::uint64_t bytes) override { std::memcpy(to, from, bytes); }
  void copy_to_host(void* to, const void* from, std::uint64_t bytes) override { std::memcpy(to, from, bytes); }
  void flush_cache() override {}
  void settle() override {}
  std::uint64_t clock_rate() override { return 0; }

  Results* results() override { return &results_; }
  void clear_results() override { results_ = Results{}; }
  const Results& fetch_results() override { return results_; }

  void sort(void* data, std::uint64_t n, ElementType type) override {
    if (type == ElementType::f32) {
      sort_as<float>(data, n);
    } else if (type == ElementType::i32) {
      sort_as<std::int32_t>(data, n);
    } else {
      auto* halves = static_cast<std::uint16_t*>(data);
      std::sort(halves, halves + n,
                [](std::uint16_t a, std::uint16_t b) { return float_from_bf16(a) < float_from_bf16(b); });
    }
  }

  template <class Pass>
  void each(const Pass& pass, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      pass(i);
    }
  }
  template <class Pass>
  void tally(const Pass& pass, std::uint64_t count, Tally* to) {
    Tally mine{};
    for (std::uint64_t i = 0; i < count; ++i) {
      pass(i, mine);
    }
    to->merge(mine);
  }

 private:
  Results results_{};
};

}  // namespace

std::unique_ptr<Device> open_cpu_device() { return std::make_unique<CpuDevice>(); }

}  // namespace mskb::keeper
