#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace mskb::agents {

// Splits a stream of server-sent events into events, however the bytes are cut. Comments and unknown fields are passed over.
class ServerEvents {
 public:
  // Called with the event's name ("" where it has none) and its data.
  using Receiver = std::function<void(const std::string& event, const std::string& data)>;
  explicit ServerEvents(Receiver receiver) : receiver_(std::move(receiver)) {}

  void feed(std::string_view bytes);

 private:
  void line(std::string_view text);

  Receiver receiver_;
  std::string rest_, event_, data_;
  bool has_data_ = false;
};

}  // namespace mskb::agents
