#pragma once
#include <map>
#include <optional>
#include <string>

namespace mskb::agents {

// The options of an optimizer, read as what they have to be. An empty value counts as absent.
class ChatOptions {
 public:
  explicit ChatOptions(const std::map<std::string, std::string>& values) : values_(values) {}

  std::string text(const std::string& name, const std::string& fallback = "") const;
  // At least `least`; throws std::invalid_argument otherwise.
  std::optional<double> number(const std::string& name, double least = 0) const;
  bool flag(const std::string& name, bool fallback) const;  // true, yes, on, 1 or false, no, off, 0

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace mskb::agents
