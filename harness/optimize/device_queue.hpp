#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "optimize/campaign.hpp"

namespace mskb {

// What sessions ask of the device, one after the other in the order in which they asked. All of it runs in one thread, in which the evaluator is
// opened when it is first needed and closed in the end: the processes that it starts end with the thread that started them.
class DeviceQueue {
 public:
  explicit DeviceQueue(std::function<std::unique_ptr<Measurer>()> open);
  ~DeviceQueue();  // what waits is not done
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;

  // Does the work and returns; what it throws is thrown here.
  void run(const std::function<void(Measurer&)>& work);

 private:
  void serve();

  std::function<std::unique_ptr<Measurer>()> open_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<void(Measurer*, std::exception_ptr)>> waiting_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace mskb
