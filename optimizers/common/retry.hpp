#pragma once
#include <chrono>
#include <optional>
#include <string>

namespace mskb::agents {

struct RetryPolicy {
  int tries = 6;             // all together
  double first_wait_s = 1;   // doubles with every try
  double longest_wait_s = 60;
  double deadline_s = 3600;  // all tries and waits together
};

// Whether the same request may succeed later.
bool is_worth_another_try(long http_status);

// Seconds from now that a Retry-After header asks for: a number, or an HTTP date. Nothing where it is neither.
std::optional<double> retry_after_seconds(const std::string& header, std::chrono::system_clock::time_point now);

// Seconds to wait after try number `tried` (from 1): exponential with jitter, `random` in [0, 1), but not less than the server asks for.
double wait_before_next(const RetryPolicy& policy, int tried, std::optional<double> retry_after, double random);

}  // namespace mskb::agents
