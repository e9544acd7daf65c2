#include "worker/cuda/activity_recorder.hpp"

#ifdef MSKB_HAVE_CUPTI
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "worker/cuda/cupti_library.hpp"
#include "worker/field.hpp"

namespace mskb::worker {

namespace {

// Records of CUDA 12's layout; later ones only append fields.
using KernelRecord = CUpti_ActivityKernel9;
using CopyRecord = CUpti_ActivityMemcpy5;
using SetRecord = CUpti_ActivityMemset4;

constexpr CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                        CUPTI_ACTIVITY_KIND_MEMSET};
constexpr std::size_t buffer_bytes = 1 << 20;

CuptiLibrary cupti;

struct Recorded {
  Activity activity;
  std::optional<wire::LaunchEntry> launch;  // of a kernel
};

// What CUPTI's threads hand over. Buffers are kept and stay zeroed, so that a recorded call neither allocates nor clears one.
struct Delivered {
  std::mutex mutex;
  std::vector<std::uint8_t*> free_buffers;
  std::vector<Recorded> activities;
  std::map<const char*, std::string> names;  // demangled, by CUPTI's own pointer, which lives as long as the process
};

Delivered& delivered() {
  static auto* all = new Delivered;  // never destroyed: CUPTI may deliver while the process ends
  return *all;
}

std::uint8_t* new_buffer() {
  void* memory = std::aligned_alloc(4096, buffer_bytes);
  if (memory != nullptr) {
    std::memset(memory, 0, buffer_bytes);
  }
  return static_cast<std::uint8_t*>(memory);
}

const std::string& demangled(Delivered& all, const char* name) {
  std::string& text = all.names[name];
  if (text.empty() && name != nullptr) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    text = status == 0 && plain ? plain.get() : name;
  }
  return text;
}

void take_kernel(Delivered& all, const KernelRecord& record) {
  wire::LaunchEntry entry{};
  set_field(entry.kernel, demangled(all, record.name));
  const std::int32_t grid[] = {record.gridX, record.gridY, record.gridZ}, block[] = {record.blockX, record.blockY, record.blockZ};
  for (int i = 0; i < 3; ++i) {
    entry.grid[i] = static_cast<std::uint32_t>(grid[i]);
    entry.block[i] = static_cast<std::uint32_t>(block[i]);
  }
  entry.registers = record.registersPerThread;
  entry.static_shared = static_cast<std::uint32_t>(record.staticSharedMemory);
  entry.dynamic_shared = static_cast<std::uint32_t>(record.dynamicSharedMemory);
  all.activities.push_back({{record.start, record.end}, entry});
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  Delivered& all = delivered();
  const std::lock_guard lock(all.mutex);
  if (all.free_buffers.empty()) {
    *buffer = new_buffer();
  } else {
    *buffer = all.free_buffers.back();
    all.free_buffers.pop_back();
  }
  *size = *buffer != nullptr ? buffer_bytes : 0;
  *most_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid_bytes) {
  Delivered& all = delivered();
  const std::lock_guard lock(all.mutex);
  CUpti_Activity* record = nullptr;
  while (valid_bytes > 0 && cupti.next_record(buffer, valid_bytes, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || record->kind == CUPTI_ACTIVITY_KIND_KERNEL) {
      take_kernel(all, *reinterpret_cast<const KernelRecord*>(record));
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
      const auto* copy = reinterpret_cast<const CopyRecord*>(record);
      all.activities.push_back({{copy->start, copy->end}, std::nullopt});
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
      const auto* set = reinterpret_cast<const SetRecord*>(record);
      all.activities.push_back({{set->start, set->end}, std::nullopt});
    }
  }
  std::memset(buffer, 0, valid_bytes);
  all.free_buffers.push_back(buffer);
}

}  // namespace

ActivityRecorder& ActivityRecorder::instance() {
  static ActivityRecorder recorder;
  return recorder;
}

std::string ActivityRecorder::open() {
  if (std::string reason = cupti.open(); !reason.empty()) {
    return reason;
  }
  for (int i = 0; i < 4; ++i) {
    delivered().free_buffers.push_back(new_buffer());
  }
  if (const CUptiResult result = cupti.register_callbacks(give_buffer, take_buffer); result != CUPTI_SUCCESS) {
    return "CUPTI: " + cupti.describe(result);
  }
  std::uint8_t zeroed = 1;
  std::size_t size = sizeof zeroed;
  cupti.set_attribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);  // an older CUPTI clears them itself
  available_ = true;
  return "";
}

bool ActivityRecorder::record(bool on) {
  if (!available_ || on == recording_) {
    return available_;
  }
  for (const CUpti_ActivityKind kind : kinds) {
    if (const CUptiResult result = on ? cupti.enable(kind) : cupti.disable(kind); result != CUPTI_SUCCESS) {
      refusal_ = "CUPTI refuses to record activity: " + cupti.describe(result);
      available_ = false;
      return false;
    }
  }
  recording_ = on;
  return true;
}

std::uint64_t ActivityRecorder::now() const {
  std::uint64_t time = 0;
  if (available_) {
    cupti.timestamp(&time);
  }
  return time;
}

std::vector<Activity> ActivityRecorder::collect(std::uint64_t begin, std::size_t first, LaunchInventory& launches) {
  if (!available_) {
    return {};
  }
  Delivered& all = delivered();
  const auto nothing_came = [&] {
    const std::lock_guard lock(all.mutex);
    return all.activities.empty();
  };
  cupti.flush_all(0);
  if (nothing_came()) {
    cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);  // a buffer with one unfinished record is held back otherwise
  }
  const std::lock_guard lock(all.mutex);
  std::vector<Recorded> recorded = std::exchange(all.activities, {});
  std::erase_if(recorded, [begin](const Recorded& record) { return record.activity.end + clock_disagreement < begin; });
  std::stable_sort(recorded.begin(), recorded.end(),
                   [](const Recorded& a, const Recorded& b) { return a.activity.start < b.activity.start; });
  std::vector<Activity> activities;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    activities.push_back(recorded[i].activity);
    if (i >= first && recorded[i].launch) {
      launches.add(*recorded[i].launch);
    }
  }
  return activities;
}

}  // namespace mskb::worker

#else

namespace mskb::worker {

ActivityRecorder& ActivityRecorder::instance() {
  static ActivityRecorder recorder;
  return recorder;
}
std::string ActivityRecorder::open() { return "built without CUPTI"; }
bool ActivityRecorder::record(bool) { return false; }
std::uint64_t ActivityRecorder::now() const { return 0; }
std::vector<Activity> ActivityRecorder::collect(std::uint64_t, std::size_t, LaunchInventory&) { return {}; }

}  // namespace mskb::worker

#endif
