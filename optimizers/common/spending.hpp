#pragma once
#include <optional>
#include <string>

#include "common/prices.hpp"

namespace mskb::agents {

// What may be spent by one process, and what has been. Unknown usage is charged as the most that it can have been.
class Spending {
 public:
  std::optional<double> max_cost;    // US dollars
  std::optional<double> max_tokens;  // input and output together

  bool limited() const { return max_cost || max_tokens; }
  // Throws ChatTooExpensive when a request of at most that much could exceed a limit. `price` may be null: unknown.
  void admit(const std::string& model, double most_input, std::optional<int> most_output, const Price* price) const;
  // An answer came, or may have been paid for. Absent figures count as the most.
  void charge(const Usage& usage, double most_input, std::optional<int> most_output, const Price* price);
  void charge_known(const Usage& usage);  // from a journal

  double cost() const { return cost_; }
  double tokens() const { return tokens_; }

 private:
  double cost_ = 0, tokens_ = 0;
};

}  // namespace mskb::agents
