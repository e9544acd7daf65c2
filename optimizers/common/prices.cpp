#include "common/prices.hpp"

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <regex>

#include "base/errors.hpp"
#include "base/files.hpp"

namespace mskb::agents {

namespace {

constexpr double million = 1e6;

[[noreturn]] void refuse(const std::filesystem::path& file, const YAML::Mark& mark, const std::string& what) {
  throw InputError(file.string() + ":" + std::to_string(mark.line + 1) + ": " + what);
}

double figure(const std::filesystem::path& file, const YAML::Node& node, const std::string& name) {
  double value = 0;
  if (!node[name] || !YAML::convert<double>::decode(node[name], value) || !std::isfinite(value) || value < 0) {
    refuse(file, node[name] ? node[name].Mark() : node.Mark(), name + " must be a price in US dollars per million tokens");
  }
  return value;
}

Price price_of(const std::filesystem::path& file, const YAML::Node& node) {
  if (!node.IsMap()) {
    refuse(file, node.Mark(), "a price is {input: ..., cached: ..., output: ...}");
  }
  for (const auto& member : node) {
    const std::string name = member.first.Scalar();
    if (name != "input" && name != "cached" && name != "output") {
      refuse(file, member.first.Mark(), "'" + name + "' is unknown; a price has input, cached and output");
    }
  }
  Price price;
  price.input = figure(file, node, "input");
  price.output = figure(file, node, "output");
  if (node["cached"]) {
    price.cached = figure(file, node, "cached");
  }
  return price;
}

}  // namespace

std::optional<double> Price::cost(const Usage& usage) const {
  if (!usage.input_tokens || !usage.output_tokens || (cached && !usage.cached_tokens)) {
    return std::nullopt;
  }
  const double from_cache = usage.cached_tokens.value_or(0);
  return ((*usage.input_tokens - from_cache) * input + from_cache * cached.value_or(input) + *usage.output_tokens * output) /
         million;
}

double Price::most(double input_tokens, double output_tokens) const {
  return (input_tokens * std::max(input, cached.value_or(0)) + output_tokens * output) / million;
}

Prices::Prices(const std::filesystem::path& file) {
  YAML::Node root;
  try {
    root = YAML::Load(read_file(file));
  } catch (const YAML::Exception& error) {
    refuse(file, error.mark, error.msg);
  }
  if (!root.IsMap()) {
    refuse(file, root.Mark(), "prices are listed by host and model");
  }
  for (const auto& host : root) {
    if (!host.second.IsMap()) {
      refuse(file, host.second.Mark(), "a host has a price for each model");
    }
    for (const auto& model : host.second) {
      hosts_[host.first.Scalar()][model.first.Scalar()] = price_of(file, model.second);
    }
  }
}

const Price* Prices::find(const std::string& host, const std::string& model) const {
  const auto models = hosts_.find(host);
  if (models == hosts_.end()) {
    return nullptr;
  }
  static const std::regex date(R"(-(\d{4}-\d{2}-\d{2}|\d{8})$)");
  for (const std::string& name : {model, std::regex_replace(model, date, "")}) {
    if (const auto found = models->second.find(name); found != models->second.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

}  // namespace mskb::agents
