#include "store/run_file.hpp"

#include <charconv>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/errors.hpp"

namespace mskb {

namespace {

class MapWriter {
 public:
  explicit MapWriter(YAML::Emitter& out) : out_(out) { out_ << YAML::BeginMap; }
  ~MapWriter() { out_ << YAML::EndMap; }
  MapWriter(const MapWriter&) = delete;
  MapWriter& operator=(const MapWriter&) = delete;

  void operator()(const char* key, const std::string& value) {
    out_ << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << value;
  }
  void operator()(const char* key, double value) {
    out_ << YAML::Key << key << YAML::Value << fmt::format("{}", value);
  }
  void operator()(const char* key, int value) { out_ << YAML::Key << key << YAML::Value << fmt::format("{}", value); }

 private:
  YAML::Emitter& out_;
};

class MapReader {
 public:
  MapReader(YAML::Node node, std::string name) : node_(std::move(node)), name_(std::move(name)) {
    if (!node_.IsMap()) {
      fail(node_, "is not a map of keys");
    }
  }

  void operator()(const char* key, std::string& value) const { value = scalar(key).Scalar(); }
  void operator()(const char* key, double& value) const { number(key, value); }
  void operator()(const char* key, int& value) const { number(key, value); }
  YAML::Node child(const char* key) const {
    const YAML::Node found = node_[key];
    if (!found) {
      fail(node_, std::string("key '") + key + "' is missing");
    }
    return found;
  }
  [[noreturn]] void fail(const YAML::Node& at, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", name_, at.Mark().line + 1, what));
  }

 private:
  YAML::Node scalar(const char* key) const {
    const YAML::Node found = child(key);
    if (!found.IsScalar()) {
      fail(found, std::string("key '") + key + "' is not one value");
    }
    return found;
  }
  template <class T>
  void number(const char* key, T& value) const {
    const YAML::Node found = scalar(key);
    const std::string& text = found.Scalar();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      fail(found, fmt::format("key '{}' is not a number: {}", key, text));
    }
  }

  YAML::Node node_;
  std::string name_;
};

template <class Map, class Value>
void describe_environment(Map& map, Value& environment) {
  map("backend", environment.backend);
  map("device", environment.device);
  map("uuid", environment.uuid);
  map("compute_capability", environment.compute_capability);
  map("driver", environment.driver);
  map("toolkit", environment.toolkit);
  map("runtime", environment.runtime);
  map("multiprocessors", environment.multiprocessors);
  map("l2_bytes", environment.l2_bytes);
  map("memory_bytes", environment.memory_bytes);
  map("memory_bandwidth", environment.memory_bandwidth);
  map("fp32_flops", environment.fp32_flops);
  map("host", environment.host);
  map("kernel", environment.kernel);
  map("compiler", environment.compiler);
  map("cpu", environment.cpu);
  map("cores", environment.cores);
}

template <class Map, class Value>
void describe_run(Map& map, Value& run) {
  map("id", run.id);
  map("started", run.started);
  map("tool_version", run.tool_version);
  map("tool_commit", run.tool_commit);
  map("protocol", run.protocol);
  map("sandbox", run.sandbox);
  map("key", run.key);
}

}  // namespace

std::string run_yaml(const Run& run) {
  YAML::Emitter out;
  {
    MapWriter map(out);
    map("schema", record_schema);
    describe_run(map, run);
    out << YAML::Key << "command" << YAML::Value << YAML::BeginSeq;
    for (const std::string& word : run.command) {
      out << YAML::DoubleQuoted << word;
    }
    out << YAML::EndSeq << YAML::Key << "environment" << YAML::Value;
    {
      MapWriter environment(out);
      describe_environment(environment, run.environment);
    }
    out << YAML::Key << "figures" << YAML::Value;
    MapWriter figures(out);
    for (const auto& [name, value] : run.figures) {
      out << YAML::Key << YAML::DoubleQuoted << name << YAML::Value << YAML::DoubleQuoted << value;
    }
  }
  return std::string(out.c_str()) + "\n";
}

Run parse_run_yaml(const std::string& text, const std::string& name) {
  YAML::Node root;
  try {
    root = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    throw InputError(fmt::format("{}:{}: malformed YAML: {}", name, error.mark.line + 1, error.msg));
  }
  MapReader map(root, name);
  int schema = 0;
  map("schema", schema);
  if (schema != record_schema) {
    map.fail(root["schema"], fmt::format("schema {}, and this program reads schema {}; use the version of the tool that "
                                         "wrote the run", schema, record_schema));
  }
  Run run;
  describe_run(map, run);
  for (const YAML::Node& word : map.child("command")) {
    run.command.push_back(word.Scalar());
  }
  MapReader environment(map.child("environment"), name);
  describe_environment(environment, run.environment);
  for (const auto& figure : map.child("figures")) {
    run.figures[figure.first.Scalar()] = figure.second.Scalar();
  }
  return run;
}

}  // namespace mskb
