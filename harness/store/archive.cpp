#include "store/archive.hpp"

#include <yaml-cpp/yaml.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "model/source_names.hpp"
#include "model/yaml_file.hpp"
#include "store/run_reader.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

void emit_list(YAML::Emitter& out, const char* key, const std::vector<std::string>& words) {
  out << YAML::Key << key << YAML::Value << YAML::Flow << YAML::BeginSeq;
  for (const std::string& word : words) {
    out << YAML::DoubleQuoted << word;
  }
  out << YAML::EndSeq;
}

std::vector<std::string> read_list(const YamlFile& file, YamlMap& map, const char* key) {
  const YAML::Node list = map.need(key);
  if (!list.IsSequence()) {
    file.fail(list, std::string(key) + " must be a list");
  }
  std::vector<std::string> words;
  for (const YAML::Node& word : list) {
    words.push_back(file.stored(word, key));
  }
  return words;
}

}  // namespace

void check_inner_path(const std::string& name) {
  const fs::path path(name);
  bool inside = !name.empty() && path.is_relative() && path.has_filename();
  for (const fs::path& part : path) {
    inside = inside && part != ".." && part != ".";
  }
  if (!inside) {
    throw InputError("file name '" + name + "': must be relative and without '..'");
  }
}

void write_candidate(const fs::path& directory, const Candidate& candidate) {
  if (fs::exists(directory / "candidate.yaml")) {
    return;
  }
  if (const auto fault = find_name_fault(candidate.sources)) {
    throw InputError(*fault);
  }
  YAML::Emitter out;
  out << YAML::BeginMap;
  out << YAML::Key << "origin" << YAML::Value << YAML::DoubleQuoted << candidate.origin;
  out << YAML::Key << "main_source" << YAML::Value << YAML::DoubleQuoted << candidate.main_source;
  std::vector<std::string> names;
  for (const auto& [name, text] : candidate.sources) {
    fs::create_directories((directory / name).parent_path());
    write_file_atomically(directory / name, text);
    names.push_back(name);
  }
  fs::create_directories(directory);
  emit_list(out, "sources", names);
  emit_list(out, "flags", candidate.flags);
  emit_list(out, "libraries", candidate.libraries);
  emit_list(out, "allowed_loads", candidate.allowed_loads);
  out << YAML::EndMap;
  write_file_atomically(directory / "candidate.yaml", std::string(out.c_str()) + "\n");
}

Candidate read_candidate(const fs::path& run_directory, const std::string& id) {
  const fs::path directory = run_directory / "candidates" / id;
  const fs::path file = directory / "candidate.yaml";
  if (!fs::exists(file)) {
    throw InputError(file.string() + ": the run does not hold this candidate's sources");
  }
  Candidate candidate;
  const YamlFile yaml(file, file.string());
  YamlMap map(yaml, yaml.root(), "the candidate");
  candidate.origin = yaml.stored(map.need("origin"), "origin");
  candidate.main_source = yaml.stored(map.need("main_source"), "main_source");
  for (const std::string& name : read_list(yaml, map, "sources")) {
    check_inner_path(name);
    candidate.sources[name] = read_file(directory / name);
  }
  candidate.flags = read_list(yaml, map, "flags");
  candidate.libraries = read_list(yaml, map, "libraries");
  candidate.allowed_loads = read_list(yaml, map, "allowed_loads");
  map.close();
  if (candidate.id() != id) {
    throw InputError(directory.string() + ": its files hash to " + candidate.id() +
                     "; they were changed after the run, so the evaluation cannot be repeated");
  }
  return candidate;
}

std::string shorten_log(const std::string& text, std::size_t limit) {
  if (text.size() <= limit) {
    return text;
  }
  const std::size_t half = limit / 2;
  return text.substr(0, half) + "\n[" + std::to_string(text.size() - 2 * half) + " bytes left out]\n" +
         text.substr(text.size() - half);
}

}  // namespace mskb
