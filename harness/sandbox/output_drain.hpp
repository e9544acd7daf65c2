#pragma once
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "base/unique_fd.hpp"

namespace mskb {

// A thread that reads a pipe to its end and keeps its first bytes, so that a chatty process is never blocked.
class OutputDrain {
 public:
  OutputDrain(UniqueFd pipe, std::size_t kept_bytes);
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
  std::size_t kept_bytes_;
  mutable std::mutex mutex_;
  std::string text_;
  bool cut_ = false;
  std::thread thread_;
};

}  // namespace mskb
