#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a language model's answer holds, however it is wrapped. Line ends are \n in all that is returned.
namespace mskb::agents {

struct CodeBlock {
  std::string language;  // the first word after the fence, lower case; may be empty
  std::string text;
  bool closed = true;    // false: the answer ended inside it
};

std::vector<CodeBlock> code_blocks(std::string_view answer);

struct KernelAnswer {
  std::optional<std::string> source;  // a whole file that defines the entry point
  std::string problem;                // without a source: one line that can be told to the model
  std::string renamed_from;           // the entry point's name as the model wrote it, where it was corrected
};

// The file that the answer proposes: the last complete block that defines `entry` (or `entry`_optimized). Without any fence the text itself
// is searched. A single extern "C" function under another name is renamed to `entry`. What ends in the middle is refused.
KernelAnswer kernel_in(std::string_view answer, const std::string& entry);

// Compiler flags: a JSON list of texts, or the member "flags" of a JSON object, else every word that starts with '-' in code blocks, inline
// code and lists, in order and without repetitions. "-Xptxas -O3" is one flag. The harness decides which are allowed.
std::vector<std::string> flags_in(std::string_view answer);

// The first JSON object or list in the answer: in a fence, else anywhere in the prose. Comments and commas before a closing bracket are
// forgiven.
std::optional<nlohmann::json> json_in(std::string_view answer);

}  // namespace mskb::agents
