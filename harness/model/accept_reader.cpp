#include <fmt/format.h>

#include <limits>

#include "model/task_reader.hpp"
#include "model/task_words.hpp"

namespace mskb {

namespace {

double read_bound(const YamlFile& file, const YAML::Node& node, std::string_view what) {
  return file.number(node, what, 0, std::numeric_limits<double>::infinity());
}

Acceptance read_acceptance(const YamlFile& file, const YAML::Node& node, const Argument& output) {
  Acceptance accept;
  if (node.IsScalar() && node.Scalar() == "exact") {
    return accept;
  }
  if (node.IsScalar() && node.Scalar() == "order") {
    if (output.role != Role::inout) {
      file.fail(node, fmt::format("order compares with the contents on entry, which '{}' has not; make its role inout", output.name));
    }
    accept.kind = AcceptKind::order;
    return accept;
  }
  if (!node.IsMap() || node.size() != 1) {
    file.fail(node, "an acceptance is exact, order, {elementwise: {rel, mag}} or {normwise: {l2, peak}}");
  }
  YamlMap kind(file, node, "an acceptance");
  const YAML::Node elementwise = kind.find("elementwise");
  const YAML::Node normwise = kind.find("normwise");
  kind.close();
  if (elementwise.IsDefined()) {
    YamlMap map(file, elementwise, "elementwise");
    accept.kind = AcceptKind::elementwise;
    accept.rel = read_bound(file, map.need("rel"), "rel");
    accept.mag = read_bound(file, map.need("mag"), "mag");
    map.close();
  } else {
    YamlMap map(file, normwise, "normwise");
    accept.kind = AcceptKind::normwise;
    accept.l2 = read_bound(file, map.need("l2"), "l2");
    accept.peak = read_bound(file, map.need("peak"), "peak");
    map.close();
  }
  return accept;
}

}  // namespace

void read_accept(const YamlFile& file, const YAML::Node& node, Task& task) {
  YamlMap outputs(file, node, "accept");
  for (const Argument& argument : task.signature) {
    if (argument.role != Role::out && argument.role != Role::inout) {
      continue;
    }
    const YAML::Node rule = outputs.need(argument.name);
    if (rule.IsScalar()) {
      for (const Precision precision : precisions) {
        task.accept[argument.name][precision] = read_acceptance(file, rule, argument);
      }
      continue;
    }
    YamlMap map(file, rule, fmt::format("accept.{}", argument.name));
    for (const Precision precision : precisions) {
      task.accept[argument.name][precision] = read_acceptance(file, map.need(std::string(to_string(precision))), argument);
    }
    map.close();
  }
  outputs.close();
}

void read_origin_error(const YamlFile& file, const YAML::Node& node, Task& task) {
  YamlMap map(file, node, "origin_error");
  for (const Precision precision : precisions) {
    if (const YAML::Node error = map.find(std::string(to_string(precision))); error.IsDefined()) {
      task.origin_error[precision] = file.number(error, "origin_error");
      if (!(task.origin_error[precision] > 0.5)) {
        file.fail(error, "origin_error is the original's error over the bound; leave it out at 0.5 or less");
      }
    }
  }
  map.close();
}

void read_paper_accept(const YamlFile& file, const YAML::Node& node, Task& task) {
  YamlMap map(file, node, "paper_accept");
  const YAML::Node absolute = map.find("absolute");
  const YAML::Node relative = map.find("relative");
  if (absolute.IsDefined() == relative.IsDefined()) {
    file.fail(node, "paper_accept holds one of absolute and relative, with its bound");
  }
  task.paper_rule.kind = absolute.IsDefined() ? PaperRuleKind::absolute : PaperRuleKind::relative;
  const YAML::Node& bound = absolute.IsDefined() ? absolute : relative;
  task.paper_rule.bound = file.number(bound, "the bound of paper_accept");
  if (!(task.paper_rule.bound > 0)) {
    file.fail(bound, fmt::format("the bound of paper_accept is {}, below which no error lies; write a number above 0", task.paper_rule.bound));
  }
  if (const YAML::Node share = map.find("share"); share.IsDefined()) {
    task.paper_rule.share = file.number(share, "share", 0, 1);
  }
  map.close();
}

void read_paper_prologue(const YamlFile& file, const YAML::Node& node, Task& task) {
  YamlMap map(file, node, "paper_prologue");
  const YAML::Node copy = map.find("copy_zero");
  const YAML::Node set = map.find("set_zero");
  map.close();
  if (copy.IsDefined() == set.IsDefined()) {
    file.fail(node, "paper_prologue holds one of copy_zero and set_zero, with the argument it clears");
  }
  const YAML::Node& argument = copy.IsDefined() ? copy : set;
  task.paper_prologue = copy.IsDefined() ? PrologueKind::copy_zero : PrologueKind::set_zero;
  task.paper_prologue_argument = file.text(argument, "paper_prologue");
  const int index = task.argument_index(task.paper_prologue_argument);
  if (index < 0 || !task.signature[index].is_buffer()) {
    file.fail(argument, fmt::format("paper_prologue: '{}' is not a buffer of the signature", task.paper_prologue_argument));
  }
}

}  // namespace mskb
