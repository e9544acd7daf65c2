#include "evaluate/lanes.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace mskb {

void run_lanes(std::size_t count, int lanes, const std::function<Lane()>& make,
               const std::function<void(std::size_t item)>& done) {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t next = 0;
  std::vector<bool> ended(count, false);
  std::exception_ptr failure;
  const auto fail = [&] {
    const std::lock_guard hold(mutex);
    failure = failure ? failure : std::current_exception();
    next = count;
    changed.notify_all();
  };
  const auto work = [&] {
    try {
      const Lane lane = make();
      for (;;) {
        std::size_t item = 0;
        {
          const std::lock_guard hold(mutex);
          if (next >= count) {
            return;
          }
          item = next++;
        }
        lane(item);
        const std::lock_guard hold(mutex);
        ended[item] = true;
        changed.notify_all();
      }
    } catch (...) {
      fail();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(count, static_cast<std::size_t>(std::max(lanes, 1))); ++i) {
      threads.emplace_back(work);
    }
    try {
      for (std::size_t item = 0; item < count; ++item) {
        std::unique_lock hold(mutex);
        changed.wait(hold, [&] { return ended[item] || failure; });
        if (!ended[item]) {
          break;
        }
        hold.unlock();
        done(item);
      }
    } catch (...) {
      fail();
    }
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace mskb
