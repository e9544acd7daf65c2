#include "store/run_file.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "model/yaml_file.hpp"

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
  MapReader(const YamlFile& file, const YAML::Node& node, std::string what) : file_(file), map_(file, node, std::move(what)) {}

  void operator()(const char* key, std::string& value) { value = file_.stored(map_.need(key), key); }
  void operator()(const char* key, double& value) { number(key, value); }
  void operator()(const char* key, int& value) { number(key, value); }
  YAML::Node need(const char* key) { return map_.need(key); }

 private:
  template <class T>
  void number(const char* key, T& value) {
    const YAML::Node found = map_.need(key);
    const std::string text = file_.stored(found, key);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(static_cast<double>(value))) {
      file_.fail(found, fmt::format("{} is not a number: {}", key, text));
    }
  }

  const YamlFile& file_;
  YamlMap map_;
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
  const YamlFile file = YamlFile::of_text(text, name);
  MapReader map(file, file.root(), "the run");
  int schema = 0;
  map("schema", schema);
  if (schema != record_schema) {
    file.fail(map.need("schema"), fmt::format("schema {}, and this program reads schema {}; use the version of the tool that "
                                              "wrote the run", schema, record_schema));
  }
  Run run;
  describe_run(map, run);
  const YAML::Node command = map.need("command");
  if (!command.IsSequence()) {
    file.fail(command, "command must be a list");
  }
  for (const YAML::Node& word : command) {
    run.command.push_back(file.stored(word, "a word of command"));
  }
  MapReader environment(file, map.need("environment"), "environment");
  describe_environment(environment, run.environment);
  const YAML::Node figures = map.need("figures");
  if (!figures.IsMap()) {
    file.fail(figures, "figures must be a map of name: figure");
  }
  for (const auto& figure : figures) {
    run.figures[figure.first.Scalar()] = file.stored(figure.second, "a figure");
  }
  return run;
}

}  // namespace mskb
