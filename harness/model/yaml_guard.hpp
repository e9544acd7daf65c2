#pragma once
#include <optional>
#include <string>

namespace mskb {

struct YamlFault {
  int line;  // from 1
  std::string reason;
};

// The first thing in the text that no YAML file of ours may hold, found before a tree is made of it: more than 1 MiB, bytes that are not UTF-8,
// control characters, malformed syntax, more than 32 levels, anchors and aliases, tags, a second document, keys that are not text of at most
// 100 bytes, and keys that appear twice in one map. yaml-cpp's tree takes most of them in silence: it ignores tags and what follows the first
// document, ends a text at a byte 4, and lets a list hold itself.
std::optional<YamlFault> yaml_fault(const std::string& text);

}  // namespace mskb
