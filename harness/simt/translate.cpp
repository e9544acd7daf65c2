#include "simt/translate.hpp"

#include <algorithm>

#include "simt/rewrite.hpp"

namespace mskb::simt {

void Edits::replace(std::size_t begin, std::size_t end, std::string text) {
  edits_.push_back({begin, end, std::move(text)});
}

std::string Edits::apply(std::string_view source) const {
  auto sorted = edits_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string result;
  std::size_t at = 0;
  for (const auto& edit : sorted) {
    result += source.substr(at, edit.begin - at);
    result += edit.text;
    for (const char c : source.substr(edit.begin, edit.end - edit.begin)) {
      if (c == '\n') result += c;
    }
    at = std::max(at, edit.end);
  }
  return result += source.substr(at);
}

std::string translate(std::string_view source, std::string_view file_name) {
  // A byte order mark is one at the beginning of a file alone.
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (source.starts_with(byte_order_mark)) {
    source.remove_prefix(byte_order_mark.size());
  }
  const auto streams = lex(source);
  const auto kernels = find_kernels(streams);
  Edits edits;
  for (const auto& stream : streams) {
    rewrite_launches(stream, kernels, edits);
    rewrite_shared(stream, edits);
    rewrite_words(stream, edits);
  }
  std::string name;
  for (const char c : file_name) {
    if (c == '"' || c == '\\') name += '\\';
    name += c;
  }
  return "#include \"cuda_runtime.h\"\n#line 1 \"" + name + "\"\n" + edits.apply(source);
}

std::vector<std::string> compile_flags(Flavour flavour, const std::string& include_directory) {
  // Unique symbols would keep a shared object from being unloaded and tie equal names of two candidates together;
  // -Bsymbolic keeps names of the worker from taking the place of the candidate's own.
  std::vector<std::string> flags{"-std=c++17",
                                 "-x",
                                 "c++",
                                 "-fPIC",
                                 "-shared",
                                 "-Wl,-Bsymbolic",
                                 "-fno-semantic-interposition",
                                 "-fno-gnu-unique",
                                 "-fno-strict-aliasing",
                                 "-Wno-unknown-pragmas",
                                 "-Wno-attributes",
                                 "-I",
                                 include_directory};
  if (flavour == Flavour::asan) {
    flags.insert(flags.end(), {"-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"});
  } else if (flavour == Flavour::races) {
    // The instrumentation's calls end in the worker: nothing is linked that would bring ThreadSanitizer's own run-time in.
    flags.insert(flags.end(), {"-O1", "-g", "-fsanitize=thread", "--param", "tsan-distinguish-volatile=1", "--param",
                               "tsan-instrument-func-entry-exit=0", "-nodefaultlibs",
                               "-Wl,--no-as-needed,-lstdc++,-lm,-lgcc_s,-lc"});
  } else {
    flags.insert(flags.end(), {"-O1", "-g1"});
  }
  return flags;
}

}  // namespace mskb::simt
