#include "build/module_source.hpp"

#include <vector>

#include "model/task_reader.hpp"

namespace mskb {

namespace {

std::string joined(const std::vector<std::string>& items, const std::string& between) {
  std::string text;
  for (const std::string& item : items) {
    text += (text.empty() ? "" : between) + item;
  }
  return text;
}

// A scalar as a candidate receives it.
std::string received(ElementType type, std::size_t argument) {
  const std::string value = "view.spec.arguments[" + std::to_string(argument) + "].value";
  const std::string narrow = "static_cast<float>(" + value + ")";
  switch (type) {
    case ElementType::bf16:
      return "mskb::float_from_bf16(mskb::bf16_from_float(" + narrow + "))";
    case ElementType::i32:
      return value;
    default:
      return narrow;
  }
}

}  // namespace

std::string make_module_source(const Problem& problem, Backend backend) {
  const Task& task = *problem.task;
  std::vector<std::string> fields, values;
  std::string outputs;
  const std::vector<std::string> dims = dim_names(task);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    fields.push_back("std::int64_t " + dims[i] + ";");
    values.push_back(dims[i] + "(static_cast<std::int64_t>(view.spec.dims[" + std::to_string(i) + "]))");
  }
  for (std::size_t i = 0; i < task.signature.size(); ++i) {
    const Argument& argument = task.signature[i];
    const std::string index = std::to_string(i);
    if (argument.role == Role::in || argument.role == Role::inout) {
      fields.push_back("mskb::truth::Reader " + argument.name + ";");
      values.push_back(argument.name + "(view, " + index + ")");
    } else if (argument.role == Role::scalar) {
      fields.push_back("double " + argument.name + ";");
      values.push_back(argument.name + "(" + received(argument.element_type(problem.precision), i) + ")");
    }
    if (argument.role == Role::out || argument.role == Role::inout) {
      outputs += "MSKB_TASK_OUTPUT(" + argument.name + ", " + index + ")\n";
    }
  }
  return "// " + task.name + "\n#include \"truth/" +
         (backend == Backend::cuda ? "module_cuda.cuh" : "module_cpu.hpp") +
         "\"\n#include \"oracle.hpp\"\n"
         "namespace mskb_task {\nstruct Case {\n  " +
         joined(fields, "\n  ") +
         "\n  MSKB_FN explicit Case(const mskb::truth::View& view)\n      : " + joined(values, ",\n        ") +
         " {}\n};\n}  // namespace mskb_task\n" + outputs + "MSKB_TASK_MODULE(mskb_task::Case)\n";
}

}  // namespace mskb
