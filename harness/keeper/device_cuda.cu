#include <cuda.h>
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include <cub/device/device_radix_sort.cuh>

#include "base/errors.hpp"
#include "keeper/cuda_status.hpp"
#include "keeper/device.hpp"

namespace mskb::keeper {

namespace {

constexpr int threads = 256;

template <class Pass>
__global__ void __launch_bounds__(threads) each_kernel(const Pass pass, std::uint64_t count) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < count;
       i += std::uint64_t{threads} * gridDim.x) {
    pass(i);
  }
}

__device__ unsigned long long* word(std::uint64_t* place) { return reinterpret_cast<unsigned long long*>(place); }

// Exact whatever the order of the blocks: sums are integers and the place is a maximum.
template <class Pass>
__global__ void __launch_bounds__(threads) tally_kernel(const Pass pass, std::uint64_t count, Tally* to) {
  Tally mine{};
  for (std::uint64_t i = blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < count;
       i += std::uint64_t{threads} * gridDim.x) {
    pass(i, mine);
  }
  for (int width = 16; width > 0; width /= 2) {
    Tally other;
    other.count = __shfl_xor_sync(0xffffffffu, mine.count, width);
    other.sum = __shfl_xor_sync(0xffffffffu, mine.sum, width);
    other.inverted_first = __shfl_xor_sync(0xffffffffu, mine.inverted_first, width);
    mine.merge(other);
  }
  if (threadIdx.x % 32 == 0 && (mine.count | mine.sum | mine.inverted_first) != 0) {
    atomicAdd(word(&to->count), static_cast<unsigned long long>(mine.count));
    atomicAdd(word(&to->sum), static_cast<unsigned long long>(mine.sum));
    atomicMax(word(&to->inverted_first), static_cast<unsigned long long>(mine.inverted_first));
  }
}

// BF16 bits as integers that sort like the values, and back; -0 sorts below +0.
__global__ void sortable_kernel(std::uint16_t* data, std::uint64_t n, bool back) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < n;
       i += std::uint64_t{threads} * gridDim.x) {
    const std::uint16_t bits = data[i];
    const bool negative = back ? (bits & 0x8000u) == 0 : (bits & 0x8000u) != 0;
    data[i] = static_cast<std::uint16_t>(bits ^ (negative ? 0xffffu : 0x8000u));
  }
}

// Nanoseconds; advances in steps of up to a microsecond.
__device__ std::uint64_t global_timer() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

// From one step of the timer to another at least 200 us later: count gets the cycles, sum the nanoseconds.
__global__ void clock_rate_kernel(Tally* to) {
  const std::uint64_t asked = global_timer();
  std::uint64_t began = asked, ended;
  while (began == asked) {
    began = global_timer();
  }
  const long long first_cycle = clock64();
  do {
    ended = global_timer();
  } while (ended - began < 200000);
  to->count = static_cast<std::uint64_t>(clock64() - first_cycle);
  to->sum = ended - began;
}

class CudaMemory : public Memory {
 public:
  explicit CudaMemory(std::uint64_t bytes) {
    void* data = nullptr;
    const cudaError_t status = cudaMalloc(&data, std::max<std::uint64_t>(bytes, 1));
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw_too_large(bytes);
    }
    check_cuda(status, "cudaMalloc");
    data_ = static_cast<std::byte*>(data);
    bytes_ = bytes;
  }
  ~CudaMemory() override { cudaFree(data_); }
};

// Physical memory with a file descriptor that another process can map.
class CudaSharedMemory : public SharedMemory {
 public:
  CudaSharedMemory(const Driver& driver, int device, std::uint64_t wanted) : driver_(driver) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    std::size_t granularity = 0;
    check_driver(driver_.get_granularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
                 "cuMemGetAllocationGranularity");
    const std::uint64_t bytes = (wanted + granularity - 1) / granularity * granularity;
    const CUresult created = driver_.create(&handle_, bytes, &properties, 0);
    if (created == CUDA_ERROR_OUT_OF_MEMORY) {
      throw_too_large(bytes);
    }
    check_driver(created, "cuMemCreate");
    created_ = true;
    bytes_ = bytes;
    try {
      map(device);
    } catch (...) {
      release();
      throw;
    }
  }
  ~CudaSharedMemory() override { release(); }
  int descriptor() const override { return file_.get(); }

 private:
  void map(int device) {
    check_driver(driver_.reserve(&address_, bytes_, 0, 0, 0), "cuMemAddressReserve");
    check_driver(driver_.map(address_, bytes_, 0, handle_, 0), "cuMemMap");
    mapped_ = true;
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = device;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    check_driver(driver_.set_access(address_, bytes_, &access, 1), "cuMemSetAccess");
    int file = -1;
    check_driver(driver_.export_handle(&file, handle_, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
                 "cuMemExportToShareableHandle");
    file_.reset(file);
    data_ = reinterpret_cast<std::byte*>(address_);
  }
  void release() {
    cudaDeviceSynchronize();
    if (mapped_) {
      driver_.unmap(address_, bytes_);
    }
    if (address_ != 0) {
      driver_.free_address(address_, bytes_);
    }
    if (created_) {
      driver_.release(handle_);
    }
    file_.reset();
  }

  const Driver& driver_;
  CUmemGenericAllocationHandle handle_ = 0;
  CUdeviceptr address_ = 0;
  bool created_ = false, mapped_ = false;
  UniqueFd file_;
};

class CudaDevice : public DeviceWith<CudaDevice> {
 public:
  explicit CudaDevice(int number) : number_(number) {
    int count = 0;
    if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess || count == 0) {
      throw DoesNotFit(std::string("no CUDA device: ") +
                       cudaGetErrorString(status == cudaSuccess ? cudaErrorNoDevice : status));
    }
    if (number < 0 || number >= count) {
      throw DoesNotFit("no CUDA device " + std::to_string(number) + ": there are " + std::to_string(count));
    }
    check_cuda(cudaSetDevice(number), "cudaSetDevice");
    check_cuda(cudaFree(nullptr), "make a context");
    driver_ = load_driver();
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    check_cuda(cudaMalloc(reinterpret_cast<void**>(&results_), sizeof(Results)), "cudaMalloc");
    check_cuda(cudaMallocHost(reinterpret_cast<void**>(&copy_), sizeof(Results)), "cudaMallocHost");
    check_cuda(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, number),
               "cudaDeviceGetAttribute");
    check_cuda(cudaDeviceGetAttribute(&l2_bytes_, cudaDevAttrL2CacheSize, number), "cudaDeviceGetAttribute");
    int persisting = 0;
    check_cuda(cudaDeviceGetAttribute(&persisting, cudaDevAttrMaxPersistingL2CacheSize, number),
               "cudaDeviceGetAttribute");
    if (persisting > 0) {
      const cudaError_t limited = cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
      can_persist_ = limited != cudaErrorUnsupportedLimit;
      if (can_persist_) {
        check_cuda(limited, "cudaDeviceSetLimit");
      } else {
        cudaGetLastError();
      }
    }
  }
  ~CudaDevice() override {
    sweep_.reset();
    cudaFreeHost(copy_);
    cudaFree(results_);
    cudaStreamDestroy(stream_);
  }

  wire::DeviceFacts facts() override { return cuda_facts(number_); }
  std::unique_ptr<Memory> allocate(std::uint64_t bytes) override { return std::make_unique<CudaMemory>(bytes); }
  std::unique_ptr<SharedMemory> allocate_shared(std::uint64_t bytes) override {
    return std::make_unique<CudaSharedMemory>(driver_, number_, bytes);
  }
  void* stream() override { return stream_; }
  std::string status_text(int status) override { return cudaGetErrorName(static_cast<cudaError_t>(status)); }
  void copy(void* to, const void* from, std::uint64_t bytes) override {
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "cudaMemcpyAsync");
  }
  void copy_to_host(void* to, const void* from, std::uint64_t bytes) override {
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_), "cudaMemcpyAsync");
    settle();
  }

  // Written and read wholly, with other values each time; finished when settle() returns.
  void flush_cache() override {
    if (sweep_ == nullptr) {
      sweep_ = allocate(2 * static_cast<std::uint64_t>(std::max(l2_bytes_, 1 << 20)));
    }
    if (can_persist_) {
      check_cuda(cudaCtxResetPersistingL2Cache(), "cudaCtxResetPersistingL2Cache");
    }
    const std::uint64_t chunks = sweep_->bytes() / 16;
    each(SweepWrite{sweep_->data(), ++sweeps_}, chunks);
    tally(SweepRead{sweep_->data()}, chunks, &results_->probe);
  }
  void settle() override { check_cuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }
  std::uint64_t clock_rate() override {
    clear_results();
    clock_rate_kernel<<<1, 1, 0, stream_>>>(&results_->probe);
    check_cuda(cudaGetLastError(), "launch clock_rate_kernel");
    const Tally found = fetch_results().probe;
    return found.count * 1000000 / found.sum;
  }

  Results* results() override { return results_; }
  void clear_results() override {
    check_cuda(cudaMemsetAsync(results_, 0, sizeof(Results), stream_), "cudaMemsetAsync");
  }
  const Results& fetch_results() override {
    check_cuda(cudaMemcpyAsync(copy_, results_, sizeof(Results), cudaMemcpyDeviceToHost, stream_), "cudaMemcpyAsync");
    settle();
    return *copy_;
  }

  void sort(void* data, std::uint64_t n, ElementType type) override {
    switch (type) {
      case ElementType::f32: sort_keys(static_cast<float*>(data), n); break;
      case ElementType::i32: sort_keys(static_cast<std::int32_t*>(data), n); break;
      case ElementType::bf16: {
        auto* bits = static_cast<std::uint16_t*>(data);
        sortable_kernel<<<grid(n), threads, 0, stream_>>>(bits, n, false);
        sort_keys(bits, n);
        sortable_kernel<<<grid(n), threads, 0, stream_>>>(bits, n, true);
        check_cuda(cudaGetLastError(), "launch sortable_kernel");
        settle();
        break;
      }
    }
  }

  template <class Pass>
  void each(const Pass& pass, std::uint64_t count) {
    if (count > 0) {
      each_kernel<<<grid(count), threads, 0, stream_>>>(pass, count);
      check_cuda(cudaGetLastError(), "launch each_kernel");
    }
  }
  template <class Pass>
  void tally(const Pass& pass, std::uint64_t count, Tally* to) {
    if (count > 0) {
      tally_kernel<<<grid(count), threads, 0, stream_>>>(pass, count, to);
      check_cuda(cudaGetLastError(), "launch tally_kernel");
    }
  }

 private:
  unsigned grid(std::uint64_t count) const {
    const std::uint64_t blocks = (count + threads - 1) / threads;
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>(blocks, 1, static_cast<std::uint64_t>(multiprocessors_) * 8));
  }

  template <class Key>
  void sort_keys(Key* data, std::uint64_t n) {
    const CudaMemory sorted(n * sizeof(Key));
    auto* to = reinterpret_cast<Key*>(sorted.data());
    std::size_t bytes = 0;
    const auto count = static_cast<std::int64_t>(n);
    check_cuda(cub::DeviceRadixSort::SortKeys(nullptr, bytes, data, to, count, 0, sizeof(Key) * 8, stream_),
               "size a sort");
    const CudaMemory temporary(bytes);
    check_cuda(cub::DeviceRadixSort::SortKeys(temporary.data(), bytes, data, to, count, 0, sizeof(Key) * 8, stream_),
               "sort");
    copy(data, to, n * sizeof(Key));
    settle();
  }

  int number_, multiprocessors_ = 0, l2_bytes_ = 0;
  bool can_persist_ = false;
  Driver driver_{};
  cudaStream_t stream_ = nullptr;
  Results* results_ = nullptr;
  Results* copy_ = nullptr;  // pinned
  std::unique_ptr<Memory> sweep_;
  std::uint32_t sweeps_ = 0;
};

}  // namespace

std::unique_ptr<Device> open_cuda_device(int number) { return std::make_unique<CudaDevice>(number); }

}  // namespace mskb::keeper
