#include "common/spending.hpp"

#include <sstream>

namespace mskb::agents {

void Spending::admit(const std::string& model, double most_input, std::optional<int> most_output, const Price* price) const {
  if (!limited()) {
    return;
  }
  if (!most_output) {
    throw ChatTooExpensive("a budget needs a limit of output tokens; set the option max_output_tokens");
  }
  std::ostringstream text;
  if (max_tokens && tokens_ + most_input + *most_output > *max_tokens) {
    text << "the request may take " << most_input + *most_output << " tokens; " << tokens_ << " of max_tokens=" << *max_tokens
         << " are spent";
    throw ChatTooExpensive(text.str());
  }
  if (!max_cost) {
    return;
  }
  if (price == nullptr) {
    throw ChatTooExpensive("max_cost cannot be kept: the price of model " + model + " is unknown; add it to the price table");
  }
  const double most = price->most(most_input, *most_output);
  if (cost_ + most > *max_cost) {
    text << "the request may cost " << most << " US dollars; " << cost_ << " of max_cost=" << *max_cost << " are spent";
    throw ChatTooExpensive(text.str());
  }
}

void Spending::charge(const Usage& usage, double most_input, std::optional<int> most_output, const Price* price) {
  const double input = usage.input_tokens.value_or(most_input);
  const double output = usage.output_tokens.value_or(most_output.value_or(0));
  tokens_ += input + output;
  cost_ += usage.cost ? *usage.cost : price != nullptr ? price->most(input, output) : 0.0;
}

void Spending::charge_known(const Usage& usage) {
  tokens_ += usage.input_tokens.value_or(0) + usage.output_tokens.value_or(0);
  cost_ += usage.cost.value_or(0);
}

}  // namespace mskb::agents
