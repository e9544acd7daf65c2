#include "evaluate/case_spec.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"

namespace mskb {

wire::CaseSpec case_spec(const Case& test_case) {
  std::vector<double> dims = test_case.dims;
  dims.insert(dims.end(), test_case.derived.begin(), test_case.derived.end());
  wire::CaseSpec spec{};
  spec.argument_count = static_cast<std::uint32_t>(test_case.arguments.size());
  spec.dim_count = static_cast<std::uint32_t>(dims.size());
  for (std::size_t i = 0; i < test_case.arguments.size(); ++i) {
    const CaseArgument& argument = test_case.arguments[i];
    spec.arguments[i] = {static_cast<wire::ArgumentRole>(argument.role), argument.type, argument.elements, argument.fill,
                         argument.accept, argument.value};
  }
  for (std::size_t i = 0; i < dims.size(); ++i) {
    spec.dims[i] = dims[i];
  }
  spec.oracle_work = test_case.oracle_work;
  if (test_case.set == "paper") {
    spec.paper_rule = test_case.problem.task->paper_rule;
  }
  return spec;
}

wire::Call call_request(const Case& test_case, const wire::Prepared& prepared) {
  wire::Call call{};
  call.argument_count = static_cast<std::uint32_t>(test_case.arguments.size());
  for (std::size_t i = 0; i < test_case.arguments.size(); ++i) {
    const CaseArgument& argument = test_case.arguments[i];
    call.offsets[i] = prepared.offsets[i];
    call.values[i] = argument.value;
    call.roles[i] = static_cast<wire::ArgumentRole>(argument.role);
    call.types[i] = argument.type;
    call.bytes[i] = argument.elements * element_bytes(argument.type);
  }
  return call;
}

}  // namespace mskb
