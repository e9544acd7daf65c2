#include "common/prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <regex>

#include "model/yaml_file.hpp"

namespace mskb::agents {

namespace {

constexpr double million = 1e6;

Price price_of(const YamlFile& file, const YAML::Node& node) {
  YamlMap map(file, node, "a price {input: ..., cached: ..., output: ...}");
  const auto dollars = [&](const YAML::Node& figure, const char* name) {
    return file.number(figure, fmt::format("{} in US dollars per million tokens", name), 0, std::numeric_limits<double>::infinity());
  };
  Price price;
  price.input = dollars(map.need("input"), "input");
  price.output = dollars(map.need("output"), "output");
  if (const YAML::Node cached = map.find("cached"); cached.IsDefined()) {
    price.cached = dollars(cached, "cached");
  }
  map.close();
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

Prices::Prices(const std::filesystem::path& path) {
  const YamlFile file(path, path.string());
  YamlMap hosts(file, file.root(), "the table of prices by host");
  for (const std::string& host : hosts.keys()) {
    YamlMap models(file, hosts.need(host), "the prices of a host by model");
    for (const std::string& model : models.keys()) {
      hosts_[host][model] = price_of(file, models.need(model));
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
