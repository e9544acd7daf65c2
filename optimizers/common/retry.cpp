#include "common/retry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>

namespace mskb::agents {

bool is_worth_another_try(long status) { return status == 408 || status == 409 || status == 429 || status >= 500; }

std::optional<double> retry_after_seconds(const std::string& header, std::chrono::system_clock::time_point now) {
  char* end = nullptr;
  const double seconds = std::strtod(header.c_str(), &end);
  if (end != header.c_str() && *end == '\0' && std::isfinite(seconds)) {
    return std::max(0.0, seconds);
  }
  std::tm date{};
  if (::strptime(header.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date) == nullptr) {
    return std::nullopt;
  }
  const auto then = std::chrono::system_clock::from_time_t(::timegm(&date));
  return std::max(0.0, std::chrono::duration<double>(then - now).count());
}

double wait_before_next(const RetryPolicy& policy, int tried, std::optional<double> retry_after, double random) {
  const double longest = std::min(policy.longest_wait_s, policy.first_wait_s * std::pow(2.0, tried - 1));
  return std::max(retry_after.value_or(0), longest * (0.5 + 0.5 * random));
}

}  // namespace mskb::agents
