#pragma once
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "base/unique_fd.hpp"

namespace mskb {

// A thread that reads a pipe to its end and keeps the first 64 KiB, so that a chatty process is never blocked.
class OutputDrain {
 public:
  static constexpr std::size_t kept_bytes = 65536;

  explicit OutputDrain(UniqueFd pipe);
  ~OutputDrain();
  OutputDrain(const OutputDrain&) = delete;
  OutputDrain& operator=(const OutputDrain&) = delete;

  void finish();  // reads what is there now, then stops, even if somebody still holds the pipe open
  std::string text() const;
  bool cut() const;

 private:
  void read_to_end();
  bool read_some();  // false at the end, or when nothing is there

  UniqueFd pipe_, stop_;
  mutable std::mutex mutex_;
  std::string text_;
  bool cut_ = false;
  std::thread thread_;
};

}  // namespace mskb
