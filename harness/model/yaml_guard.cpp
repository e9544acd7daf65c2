#include "model/yaml_guard.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/characters.hpp"

namespace mskb {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;
constexpr std::size_t most_levels = 32;
constexpr std::size_t most_bytes_of_a_key = 100;

constexpr const char* no_aliases =
    "anchors (&name) and aliases (*name) are not read; write the value where it is used, an expression that begins with * in quotes";

std::optional<YamlFault> fault_of_bytes(std::string_view text) {
  int line = 1;
  const auto fault = [&](std::string reason) { return YamlFault{line, std::move(reason)}; };
  if (text.size() > most_bytes) {
    return fault("has more than 1 MiB; name another file or write less");
  }
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  while (!text.empty()) {
    const Character character = next_character(text);
    if (!character.valid) {
      return fault(fmt::format("byte 0x{:02X} is not UTF-8; save the file as UTF-8", character.code));
    }
    const bool ends_line = character.code == '\r' && text.substr(1).starts_with('\n');
    if (character.code < 0x20 && character.code != '\n' && character.code != '\t' && !ends_line) {
      return fault(fmt::format("holds the control character U+{:04X}; delete it", character.code));
    }
    line += character.code == '\n' ? 1 : 0;
    text.remove_prefix(character.bytes);
  }
  return std::nullopt;
}

class Guard : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      refuse(mark, "a second document begins here; indent this line as the first one, or delete the line --- or ... before it");
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { value(mark, "", anchor, ""); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override { value(mark, "", anchor, ""); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& text) override {
    value(mark, tag, anchor, text);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    begin(mark, tag, anchor, false);
  }
  void OnSequenceEnd() override { levels_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    begin(mark, tag, anchor, true);
  }
  void OnMapEnd() override { levels_.pop_back(); }

 private:
  struct Level {
    bool is_map = false, awaits_key = false;
    std::set<std::string> keys;
  };

  [[noreturn]] static void refuse(const YAML::Mark& mark, std::string reason) {
    throw YamlFault{std::max(1, mark.line + 1), std::move(reason)};
  }

  static void refuse_properties(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      refuse(mark, no_aliases);
    }
    if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(mark, "tags (!name) are not read; delete it, or write a text that begins with ! in quotes");
    }
  }

  // Of what a map holds, every other one is a key.
  bool is_key() {
    if (levels_.empty() || !levels_.back().is_map) {
      return false;
    }
    levels_.back().awaits_key = !levels_.back().awaits_key;
    return !levels_.back().awaits_key;
  }

  void value(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& text) {
    refuse_properties(mark, tag, anchor);
    if (!is_key()) {
      return;
    }
    if (text.empty()) {
      refuse(mark, "a key must be text; write one word or one quoted line");
    }
    if (text.size() > most_bytes_of_a_key) {
      refuse(mark, fmt::format("a key has more than {} bytes; write a short one, or quote the text before the colon", most_bytes_of_a_key));
    }
    if (!levels_.back().keys.insert(text).second) {
      refuse(mark, fmt::format("key '{}' appears twice in one map; keep one", text));
    }
  }

  void begin(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, bool is_map) {
    refuse_properties(mark, tag, anchor);
    if (is_key()) {
      refuse(mark, "a key must be text; write one word or one quoted line");
    }
    if (levels_.size() == most_levels) {
      refuse(mark, fmt::format("is nested more than {} levels deep; write fewer brackets", most_levels));
    }
    levels_.push_back({is_map, is_map, {}});
  }

  int documents_ = 0;
  std::vector<Level> levels_;
};

}  // namespace

std::optional<YamlFault> yaml_fault(const std::string& text) {
  if (std::optional<YamlFault> fault = fault_of_bytes(text)) {
    return fault;
  }
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    Guard guard;
    while (parser.HandleNextDocument(guard)) {
    }
  } catch (const YamlFault& fault) {
    return fault;
  } catch (const YAML::Exception& error) {
    const bool alias = error.msg.starts_with(YAML::ErrorMsg::UNKNOWN_ANCHOR);
    return YamlFault{std::max(1, error.mark.line + 1),
                     alias ? no_aliases : fmt::format("malformed YAML: {}; mend the syntax near column {}", error.msg, error.mark.column + 1)};
  }
  return std::nullopt;
}

}  // namespace mskb
