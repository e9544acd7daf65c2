#pragma once
#include <optional>
#include <string>

#include "optimize/json.hpp"

namespace mskb {

// What one session may spend. An absent figure is without limit.
struct Budget {
  std::optional<double> evaluations, tokens, money, device_s, wall_s;  // money in US dollars
};

// What a session has spent. Tokens and money are what its notes said; absent until one said something: unknown is not zero.
struct Spending {
  double evaluations = 0;
  std::optional<double> tokens, money;
  double device_s = 0, wall_s = 0;
};

// "the budget of 20 evaluations is spent" for the first figure that is, else nothing.
std::optional<std::string> what_is_spent(const Budget& budget, const Spending& spending);
// The name of that figure as it stands in messages, else "".
std::string spent_figure(const Budget& budget, const Spending& spending);

Json to_json(const Budget& budget);                                   // null: without limit
Json left_of(const Budget& budget, const Spending& spending);         // never below 0; null: without limit
Json to_json(const Spending& spending);                               // null: unknown

// What was spent and how much time is left: "1200 tokens, $0.0123, 41 min left".
std::string spending_text(const Budget& budget, const Spending& spending);

}  // namespace mskb
