#include "optimize/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace mskb {

namespace {

struct Figure {
  const char* name;
  const char* unit;  // of one
  std::optional<double> limit, spent;
};

std::array<Figure, 5> figures(const Budget& budget, const Spending& spending) {
  return {Figure{"evaluations", "evaluation", budget.evaluations, spending.evaluations},
          Figure{"tokens", "token", budget.tokens, spending.tokens},
          Figure{"money", "US dollar", budget.money, spending.money},
          Figure{"device_s", "device second", budget.device_s, spending.device_s},
          Figure{"wall_s", "second", budget.wall_s, spending.wall_s}};
}

bool is_spent(const Figure& figure) { return figure.limit && figure.spent.value_or(0) >= *figure.limit; }

Json number(const std::optional<double>& value) {
  if (!value) {
    return nullptr;
  }
  constexpr double exact = 9e15;  // whole numbers beyond are not all there
  return std::abs(*value) < exact && std::trunc(*value) == *value ? Json(static_cast<long long>(*value)) : Json(*value);
}

}  // namespace

std::optional<std::string> what_is_spent(const Budget& budget, const Spending& spending) {
  for (const Figure& figure : figures(budget, spending)) {
    if (is_spent(figure)) {
      return fmt::format("the budget of {:g} {}{} is spent", *figure.limit, figure.unit, *figure.limit == 1 ? "" : "s");
    }
  }
  return std::nullopt;
}

std::string spent_figure(const Budget& budget, const Spending& spending) {
  for (const Figure& figure : figures(budget, spending)) {
    if (is_spent(figure)) {
      return figure.name;
    }
  }
  return "";
}

Json to_json(const Budget& budget) {
  Json json = Json::object();
  for (const Figure& figure : figures(budget, {})) {
    json[figure.name] = number(figure.limit);
  }
  return json;
}

Json left_of(const Budget& budget, const Spending& spending) {
  Json json = Json::object();
  for (Figure figure : figures(budget, spending)) {
    if (figure.limit) {
      *figure.limit = std::max(0.0, *figure.limit - figure.spent.value_or(0));
    }
    json[figure.name] = number(figure.limit);
  }
  return json;
}

Json to_json(const Spending& spending) {
  Json json = Json::object();
  for (const Figure& figure : figures({}, spending)) {
    json[figure.name] = number(figure.spent);
  }
  return json;
}

std::string spending_text(const Budget& budget, const Spending& spending) {
  std::string text;
  if (spending.tokens) {
    text += fmt::format("{:.0f} tokens, ", *spending.tokens);
  }
  if (spending.money) {
    text += fmt::format("${:.4f}, ", *spending.money);
  }
  const auto left = [](double limit, double spent) { return std::max(0.0, limit - spent); };
  const auto time = [](double seconds) {
    return seconds >= 120 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.0f} s", seconds);
  };
  if (budget.device_s) {
    text += time(left(*budget.device_s, spending.device_s)) + " of the device left, ";
  }
  return text + (budget.wall_s ? time(left(*budget.wall_s, spending.wall_s)) + " left" : "without limit of time");
}

}  // namespace mskb
