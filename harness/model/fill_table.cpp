#include "model/fill_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace mskb {

namespace {

constexpr double i32_least = -2147483648.0, i32_most = 2147483647.0;

struct Range {
  double least, most;
};

Range range_of(std::initializer_list<double> values) { return {std::min(values), std::max(values)}; }

// Of the elements before they are rounded to the type.
Range elements_of(const Fill& f, double n) {
  switch (f.kind) {
    case FillKind::none: return {0, 0};
    case FillKind::constant: return {f.a, f.a};
    case FillKind::uniform:
    case FillKind::integers: return range_of({f.a, f.b});
    case FillKind::alternating: return n > 1 ? range_of({f.a, f.b}) : Range{f.a, f.a};
    case FillKind::signs: return range_of({-f.a, f.a});
    case FillKind::mantissa:
    case FillKind::biased_mantissa: return range_of({-2 * f.a, 2 * f.a});
    case FillKind::octaves: return range_of({f.a, f.a * std::exp2(f.b)});
    case FillKind::pareto: return range_of({f.a, f.a * std::pow(f.c, 1 / f.b)});
    case FillKind::spike: return range_of({f.a, f.c});
    case FillKind::ramp:
    case FillKind::reversed_ramp: return range_of({f.a, f.a + f.b * (n - 1)});
    case FillKind::upper_triangle: return range_of({f.b, f.c});
    case FillKind::indices:
    case FillKind::skewed_indices: return {0, f.a - 1};
    case FillKind::padded_indices: return {-1, f.a - 1};
    case FillKind::padded_uniform: return range_of({-f.a, f.a});
    case FillKind::offsets_even:
    case FillKind::offsets_dense_row:
    case FillKind::offsets_gaps:
    case FillKind::offsets_power: return {0, f.a};
  }
  throw std::logic_error("a fill without a range");
}

std::string fault_of_parameter(const FillParameter& allowed, char name, double value) {
  if (std::isnan(value) || (std::isinf(value) && !std::isinf(allowed.most))) {
    return fmt::format("{} is {}; write a finite number", name, value);
  }
  if (value < allowed.least || value > allowed.most || (allowed.whole && value != std::floor(value))) {
    return fmt::format("{} is {}; write a {}number from {} to {}", name, value, allowed.whole ? "whole " : "", allowed.least, allowed.most);
  }
  return "";
}

std::string fault_between(const Fill& f, double n) {
  switch (f.kind) {
    case FillKind::uniform:
    case FillKind::integers:
      return f.a <= f.b ? "" : fmt::format("a = {} is above b = {}; write the smaller one first", f.a, f.b);
    case FillKind::offsets_dense_row:
      return f.b < std::max(1.0, n - 1) ? "" : fmt::format("row b = {} is not one of the {} rows, which count from 0", f.b, n - 1);
    case FillKind::padded_indices:
    case FillKind::padded_uniform:
      if (std::fmod(n, f.b) != 0) {
        return fmt::format("the {} elements are no whole rows of b = {} slots; write a divisor", n, f.b);
      }
      return f.c <= n ? "" : fmt::format("c = {} entries do not fit into {} elements; write fewer", f.c, n);
    default: return "";
  }
}

}  // namespace

const FillInfo* find_fill(std::string_view name) {
  for (const FillInfo& fill : fills) {
    if (fill.name == name) {
      return &fill;
    }
  }
  return nullptr;
}

const FillInfo& info_of(FillKind kind) {
  for (const FillInfo& fill : fills) {
    if (fill.kind == kind) {
      return fill;
    }
  }
  throw std::logic_error("a fill that is not in the table");
}

std::string fault_of_fill(const Fill& fill, std::uint64_t n, ElementType type) {
  const FillInfo& info = info_of(fill.kind);
  const double values[] = {fill.a, fill.b, fill.c};
  for (std::size_t i = 0; i < info.count(); ++i) {
    if (std::string fault = fault_of_parameter(info.parameters[i], "abc"[i], values[i]); !fault.empty()) {
      return fault;
    }
  }
  const double elements = static_cast<double>(n);
  if (std::string fault = fault_between(fill, elements); !fault.empty()) {
    return fault;
  }
  if (const Range made = elements_of(fill, elements); type == ElementType::i32 && !(made.least >= i32_least && made.most <= i32_most)) {
    return fmt::format("elements from {} to {} do not fit i32; write smaller ones", made.least, made.most);
  }
  return "";
}

}  // namespace mskb
