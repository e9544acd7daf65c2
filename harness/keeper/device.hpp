#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/unique_fd.hpp"
#include "keeper/guards.hpp"
#include "keeper/passes.hpp"
#include "keeper/tally.hpp"
#include "wire/keeper_messages.hpp"

namespace mskb::keeper {

// The case does not fit this device, there is no device, or a damage does not fit the case: Failure with skip = 1.
struct DoesNotFit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Memory of the device, freed with the object. Never exported.
class Memory {
 public:
  virtual ~Memory() = default;
  std::byte* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }

 protected:
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

// Memory that one worker maps as well.
class SharedMemory : public Memory {
 public:
  virtual int descriptor() const = 0;  // to send; owned by the object
};

// A device as the keeper uses it: memory and passes over memory. Passes run in the order of the calls and may return
// before they are done; settle() waits. Errors of the device throw HarnessError with the call and the error's name, at
// the latest in settle().
class Device {
 public:
  virtual ~Device() = default;

  virtual wire::DeviceFacts facts() = 0;
  // Throws DoesNotFit naming the bytes needed and free.
  virtual std::unique_ptr<Memory> allocate(std::uint64_t bytes) = 0;
  virtual std::unique_ptr<SharedMemory> allocate_shared(std::uint64_t bytes) = 0;
  virtual void* stream() = 0;                       // for task modules
  virtual std::string status_text(int status) = 0;  // of a task module's status
  virtual void copy(void* to, const void* from, std::uint64_t bytes) = 0;
  virtual void copy_to_host(void* to, const void* from, std::uint64_t bytes) = 0;  // waits
  virtual void flush_cache() = 0;  // no effect on the CPU, where nothing is timed
  virtual void settle() = 0;
  virtual std::uint64_t clock_rate() = 0;  // of a multiprocessor, kilohertz, measured now; 0 on the CPU

  // Tallies live in the device's memory: clear_results() zeroes them, fetch_results() waits and returns a copy.
  virtual Results* results() = 0;
  virtual void clear_results() = 0;
  virtual const Results& fetch_results() = 0;

  virtual void run(const WriteFill& pass, std::uint64_t count) = 0;
  virtual void run(const WritePoison& pass, std::uint64_t count) = 0;
  virtual void run(const WriteGuards& pass, std::uint64_t count) = 0;
  virtual void run(const WriteSample& pass, std::uint64_t count) = 0;
  virtual void run(const WriteRange& pass, std::uint64_t count) = 0;
  virtual void run(const WriteValues& pass, std::uint64_t count) = 0;
  virtual void run(const ReadValues& pass, std::uint64_t count) = 0;
  virtual void run(const RoundElements& pass, std::uint64_t count) = 0;
  virtual void run(const AddMoments& pass, std::uint64_t count) = 0;
  virtual void run(const CheckGuards& pass, std::uint64_t count, Tally* tally) = 0;
  virtual void run(const CountChanged& pass, std::uint64_t count, Tally* tally) = 0;
  virtual void run(const Fingerprint& pass, std::uint64_t count, Tally* tally) = 0;
  virtual void run(const Survey& pass, std::uint64_t count, Tally* tally) = 0;
  virtual void run(const Multiset& pass, std::uint64_t count, Tally* tally) = 0;
  virtual void run(const Descents& pass, std::uint64_t count, Tally* tally) = 0;
  virtual void run(const PaperViolations& pass, std::uint64_t count, Tally* tally) = 0;
  virtual void run(const CountDifferent& pass, std::uint64_t count, Tally* tally) = 0;

  // Sorts n elements in place, ascending.
  virtual void sort(void* data, std::uint64_t n, ElementType type) = 0;
};

// Implements the passes through Executor::each(pass, count) and Executor::tally(pass, count, tally).
template <class Executor>
class DeviceWith : public Device {
 public:
  void run(const WriteFill& pass, std::uint64_t count) override { self().each(pass, count); }
  void run(const WritePoison& pass, std::uint64_t count) override { self().each(pass, count); }
  void run(const WriteGuards& pass, std::uint64_t count) override { self().each(pass, count); }
  void run(const WriteSample& pass, std::uint64_t count) override { self().each(pass, count); }
  void run(const WriteRange& pass, std::uint64_t count) override { self().each(pass, count); }
  void run(const WriteValues& pass, std::uint64_t count) override { self().each(pass, count); }
  void run(const ReadValues& pass, std::uint64_t count) override { self().each(pass, count); }
  void run(const RoundElements& pass, std::uint64_t count) override { self().each(pass, count); }
  void run(const AddMoments& pass, std::uint64_t count) override { self().each(pass, count); }
  void run(const CheckGuards& pass, std::uint64_t count, Tally* tally) override { self().tally(pass, count, tally); }
  void run(const CountChanged& pass, std::uint64_t count, Tally* tally) override { self().tally(pass, count, tally); }
  void run(const Fingerprint& pass, std::uint64_t count, Tally* tally) override { self().tally(pass, count, tally); }
  void run(const Survey& pass, std::uint64_t count, Tally* tally) override { self().tally(pass, count, tally); }
  void run(const Multiset& pass, std::uint64_t count, Tally* tally) override { self().tally(pass, count, tally); }
  void run(const Descents& pass, std::uint64_t count, Tally* tally) override { self().tally(pass, count, tally); }
  void run(const PaperViolations& pass, std::uint64_t count, Tally* tally) override {
    self().tally(pass, count, tally);
  }
  void run(const CountDifferent& pass, std::uint64_t count, Tally* tally) override { self().tally(pass, count, tally); }

 private:
  Executor& self() { return static_cast<Executor&>(*this); }
};

// The two devices. Each throws DoesNotFit when there is none with that number.
std::unique_ptr<Device> open_cpu_device();
std::unique_ptr<Device> open_cuda_device(int number);

}  // namespace mskb::keeper
