#include "model/case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/errors.hpp"
#include "base/expression.hpp"
#include "model/fill_table.hpp"

namespace mskb {

namespace {

constexpr std::uint64_t element_limit = std::uint64_t{1} << 31;

Fill evaluate_fill(const FillText& text, const Variables& dims) {
  Fill fill;
  fill.kind = text.kind;
  double* const slots[] = {&fill.a, &fill.b, &fill.c};
  for (std::size_t i = 0; i < text.parameters.size(); ++i) {
    *slots[i] = evaluate_expression(text.parameters[i], dims);
  }
  return fill;
}

std::uint64_t evaluate_elements(const Argument& argument, const Variables& dims) {
  double elements = 1;
  for (const std::string& extent : argument.shape) {
    elements *= static_cast<double>(evaluate_count(extent, dims));
  }
  if (!(elements < static_cast<double>(element_limit))) {
    throw InputError(fmt::format("'{}' would hold {:.0f} elements; a buffer holds fewer than 2^31, so choose a smaller size",
                                 argument.name, elements));
  }
  if (elements < 1) {
    throw InputError(fmt::format("'{}' would be empty; choose a larger size", argument.name));
  }
  return static_cast<std::uint64_t>(elements);
}

CaseArgument make_argument(const Problem& problem, const Argument& argument, const CaseText& text, const Variables& dims) {
  CaseArgument made;
  made.name = argument.name;
  made.role = argument.role;
  made.type = argument.element_type(problem.precision);
  if (argument.is_buffer()) {
    made.elements = evaluate_elements(argument, dims);
  }
  if (argument.role == Role::in || argument.role == Role::inout) {
    const auto own = text.fills.find(argument.name);
    made.fill = evaluate_fill(own != text.fills.end() ? own->second : argument.fill, dims);
    if (const std::string fault = fault_of_fill(made.fill, made.elements, made.type); !fault.empty()) {
      throw InputError(fmt::format("fill '{}' of '{}': {}", info_of(made.fill.kind).name, argument.name, fault));
    }
  }
  if (argument.role == Role::out || argument.role == Role::inout) {
    made.accept = problem.task->accept.at(argument.name).at(problem.precision);
  }
  if (argument.role == Role::dim) {
    made.value = dims.find(argument.name)->second;
  }
  if (argument.role == Role::scalar) {
    const auto own = text.scalars.find(argument.name);
    made.value = static_cast<float>(own != text.scalars.end() ? own->second : argument.value);  // as the entry point gets it
  }
  return made;
}

double whole_dim(const std::string& name, double value) {
  if (!(value >= 0 && value < static_cast<double>(element_limit)) || value != std::floor(value)) {
    throw InputError(fmt::format("{} is {}, which is not a whole number below 2^31; choose another size", name, value));
  }
  return value;
}

// The value of an expression that task.yaml states under `key`.
double finite_value(std::string_view key, const std::string& expression, const Variables& variables, double least) {
  const double value = evaluate_expression(expression, variables);
  if (!std::isfinite(value) || value < least) {
    throw InputError(fmt::format("{}: expression '{}' gives {}; write one that gives a number from {} on", key, expression, value, least));
  }
  return value;
}

Case make_case(const Problem& problem, const std::string& set, int index, const CaseText& text) {
  const Task& task = *problem.task;
  Case made;
  made.problem = problem;
  made.set = set;
  made.index = index;
  made.dims = text.dims;
  made.why = text.why;
  Variables dims;
  for (std::size_t i = 0; i < task.dims.size(); ++i) {
    dims[task.dims[i].name] = whole_dim(task.dims[i].name, text.dims[i]);
  }
  for (const DerivedDimension& derived : task.derived) {
    made.derived.push_back(whole_dim(derived.name, evaluate_expression(derived.value, dims)));
    dims[derived.name] = made.derived.back();
  }
  for (const std::string& condition : task.valid) {
    if (const double holds = evaluate_expression(condition, dims); holds == 0 || std::isnan(holds)) {
      throw InputError(fmt::format("size {} is outside `valid: {}`; choose another size", made.size_text(), condition));
    }
  }
  for (const Argument& argument : task.signature) {
    made.arguments.push_back(make_argument(problem, argument, text, dims));
  }
  made.weight = finite_value("weight", task.weight, dims, 0);
  made.oracle_work = finite_value("oracle_work", task.oracle_work, dims, 1);
  dims["s"] = problem.precision == Precision::fp32 ? 4 : 2;
  made.bytes = finite_value("cost.bytes", task.cost_bytes, dims, 1);
  made.flops = finite_value("cost.flops", task.cost_flops, dims, 0);
  return made;
}

}  // namespace

std::string Problem::name() const { return fmt::format("{}/{}", task->name, to_string(precision)); }

std::string Problem::entry() const { return precision == Precision::fp32 ? task->name : task->name + "_bf16"; }

std::string Case::name() const { return fmt::format("{}/{}/{}", problem.name(), set, index); }

std::string Case::size_text() const { return fmt::format("{}", fmt::join(dims, "x")); }

std::vector<Case> make_cases(const Problem& problem, const std::string& set) {
  const Task& task = *problem.task;
  const auto found = task.cases.find(set);
  if (found == task.cases.end()) {
    if (task.empty_sets.contains(set)) {
      return {};
    }
    throw InputError(fmt::format("unknown size set '{}'; write paper, check, smoke or large", set));
  }
  std::vector<Case> cases;
  for (const CaseText& text : found->second) {
    const int index = static_cast<int>(cases.size());
    try {
      cases.push_back(make_case(problem, set, index, text));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}:{}: case {}/{}: {}", task.file("task.yaml"), text.line, set, index, error.what()));
    }
  }
  return cases;
}

}  // namespace mskb
