#include "from_json.hpp"

namespace mskb::optimizer {

namespace {

std::string text(const Json& object, const char* name) { return object.at(name).get<std::string>(); }

std::vector<std::string> texts(const Json& object, const char* name) {
  return object.at(name).get<std::vector<std::string>>();
}

std::optional<double> figure(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? std::nullopt : std::optional(found->get<double>());
}

// null for a figure that is not finite
double number(const Json& object, const char* name) { return figure(object, name).value_or(0); }

std::map<std::string, double> numbers(const Json& object) {
  std::map<std::string, double> result;
  for (const auto& entry : object.items()) {
    result[entry.key()] = entry.value().get<double>();
  }
  return result;
}

Budget budget_from(const Json& object) {
  return {figure(object, "evaluations"), figure(object, "tokens"), figure(object, "money"), figure(object, "device_s"),
          figure(object, "wall_s")};
}

Argument argument_from(const Json& object) {
  return {text(object, "name"), text(object, "role"), text(object, "type"), texts(object, "shape"),
          object.at("has_default").get<bool>(), text(object, "contents")};
}

Case case_from(const Json& object) {
  return {text(object, "case"), text(object, "size"), numbers(object.at("dims")), number(object, "weight")};
}

Device device_from(const Json& object) {
  Device device;
  device.backend = text(object, "backend");
  device.name = text(object, "name");
  device.compute_capability = text(object, "compute_capability");
  device.driver = text(object, "driver");
  device.toolkit = text(object, "toolkit");
  device.compiler = text(object, "compiler");
  device.multiprocessors = object.at("multiprocessors").get<int>();
  device.l2_bytes = number(object, "l2_bytes");
  device.memory_bytes = number(object, "memory_bytes");
  device.memory_bandwidth = number(object, "memory_bandwidth");
  return device;
}

CaseReport case_report_from(const Json& object) {
  CaseReport report;
  report.name = text(object, "case");
  report.set = text(object, "set");
  report.size = text(object, "size");
  report.verdict = text(object, "verdict");
  report.detail = text(object, "detail");
  report.weight = number(object, "weight");
  for (const Json& error : object.at("errors")) {
    report.errors.push_back({text(error, "output"), number(error, "checked"), number(error, "refused"),
                             number(error, "unwritten"), number(error, "not_finite"), number(error, "worst_ratio")});
  }
  const Json& timing = object.at("timing");
  if (timing.is_null()) {
    return report;
  }
  report.median_us = numbers(timing.at("median_us"));
  report.null_kernel_us = number(timing, "null_kernel_us");
  if (!timing.at("reference_median_us").is_null()) {
    report.reference_median_us = numbers(timing.at("reference_median_us"));
  }
  for (const auto& entry : timing.at("speedup").items()) {
    const Json& estimate = entry.value();
    report.speedup[entry.key()] = {number(estimate, "value"), number(estimate, "low"), number(estimate, "high"),
                                   text(estimate, "verdict")};
  }
  return report;
}

}  // namespace

Start start_from(const Json& message) {
  Start start;
  start.task = text(message, "task");
  start.precision = text(message, "precision");
  start.summary = text(message, "summary");
  start.entry = text(message, "entry");
  start.declaration = text(message, "declaration");
  for (const Json& argument : message.at("signature")) {
    start.signature.push_back(argument_from(argument));
  }
  for (const Json& each : message.at("dims")) {
    start.dims.push_back({text(each, "name"), text(each, "meaning")});
  }
  start.valid = texts(message, "valid");
  start.reset = text(message, "reset");
  for (const Json& each : message.at("accept")) {
    start.accept.push_back({text(each, "output"), text(each, "kind"), number(each, "rel"), number(each, "mag"),
                            number(each, "l2"), number(each, "peak")});
  }
  start.decisions = texts(message, "decisions");
  const Json& reference = message.at("reference");
  start.reference_file = text(reference, "main");
  start.reference = text(reference.at("sources"), start.reference_file.c_str());
  for (const auto& set : message.at("cases").items()) {
    for (const Json& each : set.value()) {
      start.cases[set.key()].push_back(case_from(each));
    }
  }
  start.device = device_from(message.at("device"));
  start.clock = text(message.at("measuring"), "clock");
  start.budget = budget_from(message.at("budget"));
  start.options = message.at("options").get<std::map<std::string, std::string>>();
  return start;
}

Check check_from(const Json& message) {
  return {text(message, "task"), text(message, "precision"), message.at("options").get<std::map<std::string, std::string>>()};
}

Report report_from(const Json& message) {
  Report report;
  report.id = text(message, "id");
  report.verdict = text(message, "verdict");
  report.detail = text(message, "detail");
  for (const Json& each : message.at("cases")) {
    report.cases.push_back(case_report_from(each));
  }
  const Json& build = message.at("build");
  for (const Json& kernel : build.at("kernels")) {
    const auto whole = [&](const char* name) { return kernel.at(name).get<int>(); };
    report.kernels.push_back({text(kernel, "kernel"), whole("registers"), whole("static_shared"), whole("stack"),
                              whole("spill_stores"), whole("spill_loads")});
  }
  report.build_log = text(build, "log");
  report.profile = message.at("profile").is_null() ? "" : message.at("profile").dump();
  report.profile_reason = text(message, "profile_reason");
  report.left = budget_from(message.at("left"));
  return report;
}

}  // namespace mskb::optimizer
