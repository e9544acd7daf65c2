#include "model/task_file.hpp"
#include "optimize/messages.hpp"

namespace mskb {

namespace {

const char* name_of(Role role) {
  switch (role) {
    case Role::in: return "in";
    case Role::out: return "out";
    case Role::inout: return "inout";
    case Role::dim: return "dim";
    case Role::scalar: return "scalar";
  }
  return "";
}

const char* name_of(ElementType type) {
  return type == ElementType::f32 ? "f32" : type == ElementType::bf16 ? "bf16" : "i32";
}

// What integer inputs hold in every case, in words; nothing of real ones, whose contents vary from case to case.
std::string contents(const Argument& argument, ElementType type) {
  const auto parameter = [&](std::size_t i) {
    return i < argument.fill.parameters.size() ? argument.fill.parameters[i] : std::string();
  };
  if (type != ElementType::i32) {
    return "";
  }
  switch (argument.fill.kind) {
    case FillKind::integers:
      return "whole numbers from " + parameter(0) + " to " + parameter(1);
    case FillKind::indices:
    case FillKind::skewed_indices:
      return "indices, each at least 0 and below " + parameter(0);
    case FillKind::padded_indices:
      return "indices, each at least 0 and below " + parameter(0) + ", or -1 where a slot is empty";
    case FillKind::offsets_even:
    case FillKind::offsets_dense_row:
    case FillKind::offsets_gaps:
    case FillKind::offsets_power:
      return "offsets: the first is 0, none is below the one before it, the last is " + parameter(0);
    default:
      return "";
  }
}

Json signature(const Problem& problem) {
  Json list = Json::array();
  for (const Argument& argument : problem.task->signature) {
    list.push_back({{"name", argument.name},
                    {"role", name_of(argument.role)},
                    {"type", name_of(argument.element_type(problem.precision))},
                    {"shape", argument.shape},
                    {"has_default", argument.has_default},
                    {"contents", contents(argument, argument.element_type(problem.precision))}});
  }
  return list;
}

const char* name_of(AcceptKind kind) {
  switch (kind) {
    case AcceptKind::exact: return "exact";
    case AcceptKind::order: return "order";
    case AcceptKind::elementwise: return "elementwise";
    case AcceptKind::normwise: return "normwise";
  }
  return "";
}

Json acceptances(const Problem& problem) {
  Json list = Json::array();
  for (const Argument& argument : problem.task->signature) {
    const auto found = problem.task->accept.find(argument.name);
    if (found != problem.task->accept.end()) {
      const Acceptance& accept = found->second.at(problem.precision);
      list.push_back({{"output", argument.name},
                      {"kind", name_of(accept.kind)},
                      {"rel", accept.rel},
                      {"mag", accept.mag},
                      {"l2", accept.l2},
                      {"peak", accept.peak}});
    }
  }
  return list;
}

Json dimensions(const Task& task) {
  Json list = Json::array();
  for (const Dimension& dimension : task.dims) {
    list.push_back({{"name", dimension.name}, {"meaning", dimension.meaning}});
  }
  for (const DerivedDimension& dimension : task.derived) {
    list.push_back({{"name", dimension.name}, {"meaning", dimension.value}});
  }
  return list;
}

Json cases(const Problem& problem) {
  Json sets = Json::object();
  for (const std::string& set : size_sets(problem)) {
    Json list = Json::array();
    for (const Case& each : make_cases(problem, set)) {
      Json dims = Json::object();
      for (std::size_t i = 0; i < each.dims.size(); ++i) {
        dims[problem.task->dims[i].name] = each.dims[i];
      }
      for (std::size_t i = 0; i < each.derived.size(); ++i) {
        dims[problem.task->derived[i].name] = each.derived[i];
      }
      list.push_back({{"case", each.name()}, {"size", each.size_text()}, {"dims", dims}, {"weight", each.weight}});
    }
    sets[set] = list;
  }
  return sets;
}

Json device(const Environment& environment) {
  return {{"backend", environment.backend},
          {"name", environment.device},
          {"compute_capability", environment.compute_capability},
          {"multiprocessors", environment.multiprocessors},
          {"l2_bytes", environment.l2_bytes},
          {"memory_bytes", environment.memory_bytes},
          {"memory_bandwidth", environment.memory_bandwidth},
          {"driver", environment.driver},
          {"toolkit", environment.toolkit},
          {"compiler", environment.compiler}};
}

}  // namespace

std::vector<std::string> size_sets(const Problem& problem) {
  std::vector<std::string> sets;
  for (const char* set : {"smoke", "check", "paper", "large"}) {
    const auto found = problem.task->cases.find(set);
    if (found != problem.task->cases.end() && !found->second.empty()) {
      sets.push_back(set);
    }
  }
  return sets;
}

Json start_message(const StartFacts& facts) {
  const Task& task = *facts.problem.task;
  Json options = Json::object();
  for (const auto& [key, value] : facts.options) {
    options[key] = value;
  }
  return {{"type", "start"},
          {"protocol", optimizer_protocol},
          {"task", task.name},
          {"precision", to_string(facts.problem.precision)},
          {"summary", task.summary},
          {"entry", facts.problem.entry()},
          {"declaration", declaration(facts.problem)},
          {"signature", signature(facts.problem)},
          {"dims", dimensions(task)},
          {"valid", task.valid},
          {"reset", task.reset},
          {"accept", acceptances(facts.problem)},
          {"decisions", task.decisions},
          {"reference", {{"main", facts.reference.main_source}, {"sources", facts.reference.sources}}},
          {"cases", cases(facts.problem)},
          {"device", device(facts.environment)},
          {"measuring", {{"protocol", facts.protocol}, {"clock", facts.clock}}},
          {"budget", to_json(facts.budget)},
          {"options", options}};
}

}  // namespace mskb
