#include "profile/profile_json.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/errors.hpp"

namespace mskb {

namespace {

using Json = nlohmann::ordered_json;

// Six significant digits; counters carry fewer.
double rounded(double value) { return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr); }

Json head(const Profile& profile, const char* kind) {
  return {{"kind", kind},           {"case", profile.case_name}, {"candidate", profile.candidate}, {"origin", profile.origin},
          {"device", profile.device}, {"tool", profile.tool},      {"sandbox", profile.sandbox}};
}

Json kernel_head(const KernelProfile& kernel) {
  Json json{{"kernel", kernel.kernel},
            {"launches", kernel.launches},
            {"total_us", rounded(kernel.total_us)},
            {"longest_us", rounded(kernel.longest_us)},
            {"share", rounded(kernel.share)}};
  if (kernel.counters) {
    json["grid"] = kernel.counters->grid;
    json["block"] = kernel.counters->block;
  }
  return json;
}

Json metric_json(const Metric& metric) {
  if (metric.value) {
    return {{"value", *metric.value}, {"unit", metric.unit}};
  }
  if (metric.text.empty() || metric.text == "n/a" || metric.text == "no data" || metric.text == "nan" || metric.text == "inf") {
    return {{"value", nullptr}, {"reason", fmt::format("the profiler printed '{}'", metric.text)}};
  }
  return {{"text", metric.text}};
}

Json reading_json(const Reading& reading) {
  if (!reading.value) {
    return {{"value", nullptr}, {"reason", reading.reason}};
  }
  Json json{{"value", rounded(*reading.value)}, {"unit", reading.unit}};
  if (reading.covers < 0.9999) {
    json["covers"] = rounded(reading.covers);
  }
  return json;
}

// "class" and "metrics" of the whole call or of one kernel.
template <class Subject>
void add_class(Json& json, const Subject& subject, const Thresholds& thresholds) {
  const Classification found = classify(throughputs_of(subject), thresholds);
  if (!found.bottleneck) {
    json["class"] = nullptr;
    json["class_reason"] = found.reason;
    return;
  }
  json["class"] = to_string(*found.bottleneck);
  for (const PaperMetric& metric : metrics_of(*found.bottleneck)) {
    json["metrics"][metric.name] = reading_json(read_metric(subject, metric));
  }
}

}  // namespace

ProfileKind parse_profile_kind(const std::string& word, const std::string& where) {
  if (word != "none" && word != "filtered" && word != "full") {
    throw InputError(fmt::format("{} {}: give none, filtered or full", where, word));
  }
  return word == "none" ? ProfileKind::none : word == "filtered" ? ProfileKind::filtered : ProfileKind::full;
}

Json full_profile(const Profile& profile) {
  Json json = head(profile, "full");
  json["kernels"] = Json::array();
  for (const KernelProfile& kernel : profile.kernels) {
    Json entry = kernel_head(kernel);
    if (kernel.counters) {
      entry["compute_capability"] = kernel.counters->compute_capability;
      entry["metrics"] = Json::object();
      for (const auto& [name, metric] : kernel.counters->metrics) {
        entry["metrics"][name] = metric_json(metric);
      }
    } else {
      entry["metrics"] = nullptr;
      entry["reason"] = kernel.reason;
    }
    json["kernels"].push_back(std::move(entry));
  }
  return json;
}

Json filtered_profile(const Profile& profile, const Thresholds& thresholds) {
  Json json = head(profile, "filtered");
  json["thresholds"] = {{"compute", thresholds.compute}, {"dram", thresholds.dram}, {"memory", thresholds.memory}, {"source", thresholds.source}};
  add_class(json, profile.kernels, thresholds);
  json["kernels"] = Json::array();
  for (const KernelProfile& kernel : profile.kernels) {
    Json entry = kernel_head(kernel);
    if (!kernel.counters) {
      entry["reason"] = kernel.reason;
    } else if (profile.kernels.size() > 1) {  // one kernel's are those of the call
      add_class(entry, *kernel.counters, thresholds);
    }
    json["kernels"].push_back(std::move(entry));
  }
  return json;
}

Profile read_full_profile(const Json& json) {
  try {
    if (json.at("kind") != "full") {
      throw InputError("it is not a full profile");
    }
    Profile profile{json.at("case"), json.at("candidate"), json.at("origin"), json.at("device"), json.at("tool"), json.at("sandbox"), {}};
    for (const Json& entry : json.at("kernels")) {
      KernelProfile kernel;
      kernel.kernel = entry.at("kernel");
      kernel.launches = entry.at("launches");
      kernel.total_us = entry.at("total_us");
      kernel.longest_us = entry.at("longest_us");
      kernel.share = entry.at("share");
      if (entry.at("metrics").is_null()) {
        kernel.reason = entry.at("reason");
      } else {
        LaunchProfile& launch = kernel.counters.emplace();
        launch.kernel = kernel.kernel;
        launch.grid = entry.at("grid");
        launch.block = entry.at("block");
        launch.compute_capability = entry.at("compute_capability");
        for (const auto& [name, value] : entry.at("metrics").items()) {
          Metric& metric = launch.metrics[name];
          if (value.contains("value") && !value.at("value").is_null()) {
            metric.value = value.at("value").get<double>();
            metric.unit = value.at("unit");
          } else if (value.contains("text")) {
            metric.text = value.at("text");
          }
        }
      }
      profile.kernels.push_back(std::move(kernel));
    }
    return profile;
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("it is not a full profile ({})", error.what()));
  }
}

}  // namespace mskb
