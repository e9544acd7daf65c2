#include "optimize/device_queue.hpp"

namespace mskb {

DeviceQueue::DeviceQueue(std::function<std::unique_ptr<Measurer>()> open) : open_(std::move(open)), thread_([this] { serve(); }) {}

DeviceQueue::~DeviceQueue() {
  {
    const std::lock_guard hold(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void DeviceQueue::run(const std::function<void(Measurer&)>& work) {
  std::packaged_task<void(Measurer*, std::exception_ptr)> task([&work](Measurer* measurer, const std::exception_ptr& failure) {
    if (failure) {
      std::rethrow_exception(failure);
    }
    work(*measurer);
  });
  std::future<void> done = task.get_future();
  {
    const std::lock_guard hold(mutex_);
    waiting_.push_back(std::move(task));
  }
  changed_.notify_all();
  done.get();
}

void DeviceQueue::serve() {
  std::unique_ptr<Measurer> measurer;
  for (;;) {
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [this] { return closing_ || !waiting_.empty(); });
    if (closing_) {
      return;
    }
    auto task = std::move(waiting_.front());
    waiting_.pop_front();
    hold.unlock();
    std::exception_ptr failure;
    try {
      if (!measurer) {
        measurer = open_();
      }
    } catch (...) {
      failure = std::current_exception();
    }
    task(measurer.get(), failure);
  }
}

}  // namespace mskb
