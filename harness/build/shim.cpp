#include "build/shim.hpp"

#include <set>
#include <vector>

#include "base/replace.hpp"
#include "model/task_file.hpp"
#include "simt/tokens.hpp"

namespace mskb {

namespace {

// Our part, after the parameters' types; `ENTRY`, `MESSAGE` and `CATCH` are filled in.
constexpr const char* body = R"(
template <class Got, class Wanted> constexpr bool fits = std::is_same<Got, Wanted>::value;
template <class T> constexpr bool fits<T*, const T*> = true;

template <class T> struct Argument {
  static T of(const mskb_call* call, unsigned long i) { return static_cast<T>(call->values[i]); }
};
template <class T> struct Argument<T*> {
  static T* of(const mskb_call* call, unsigned long i) { return static_cast<T*>(call->buffers[i]); }
};
BY_VALUE
template <class Function> struct Entry { static constexpr bool right = false; };
template <class... P> struct Entry<void (*)(P...)> {
  template <unsigned long... I> static constexpr bool all_fit(std::index_sequence<I...>) {
    return (fits<P, typename std::tuple_element<I, Parameters>::type> && ...);
  }
  static constexpr bool check() {
    constexpr unsigned long count = sizeof...(P);
    if constexpr (count < required || count > std::tuple_size<Parameters>::value) return false;
    else return all_fit(std::make_index_sequence<sizeof...(P)>{});
  }
  static constexpr bool right = check();
  template <unsigned long... I> static void pass(const mskb_call* call, std::index_sequence<I...>) {
    ::ENTRY(Argument<P>::of(call, I)...);
  }
  static void call(const mskb_call* call) { pass(call, std::make_index_sequence<sizeof...(P)>{}); }
};
template <class... P> struct Entry<void (*)(P...) noexcept> : Entry<void (*)(P...)> {};

using Function = decltype(&::ENTRY);
static_assert(Entry<Function>::right, "MESSAGE");

inline int failed(int status, const char* what, char* error, unsigned long size) {
  unsigned long i = 0;
  for (; i + 1 < size && what[i] != 0; ++i) error[i] = what[i];
  if (size > 0) error[i] = 0;
  return status;
}
}  // namespace mskb_shim

extern "C" __attribute__((visibility("default")))
int mskb_invoke(const mskb_call* call, char* error, unsigned long size) {
  try {
    mskb_shim::Entry<mskb_shim::Function>::call(call);
    return 0;
  }CATCH catch (const std::exception& thrown) {
    return mskb_shim::failed(1, thrown.what(), error, size);
  } catch (...) {
    return mskb_shim::failed(1, "something that is not a std::exception", error, size);
  }
}
)";

constexpr const char* catch_unsupported = R"( catch (const mskb::Unsupported& thrown) {
    return mskb_shim::failed(2, thrown.what(), error, size);
  })";

constexpr const char* bf16_by_value = R"(template <> struct Argument<__nv_bfloat16> {
  static __nv_bfloat16 of(const mskb_call* call, unsigned long i) {
    return __float2bfloat16(static_cast<float>(call->values[i]));
  }
};
)";

const char* type_name(ElementType type) {
  return type == ElementType::f32 ? "float" : type == ElementType::bf16 ? "__nv_bfloat16" : "int";
}

std::string parameter_type(const Argument& argument, Precision precision) {
  const std::string type = argument.role == Role::dim ? "int" : type_name(argument.element_type(precision));
  return (argument.role == Role::in ? "const " : "") + type + (argument.is_buffer() ? "*" : "");
}

bool uses_bf16(const Problem& problem) {
  for (const Argument& argument : problem.task->signature) {
    if (argument.role != Role::dim && argument.element_type(problem.precision) == ElementType::bf16) {
      return true;
    }
  }
  return false;
}

std::string parameters(const Problem& problem) {
  const auto& signature = problem.task->signature;
  std::string types;
  std::size_t required = 0;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    types += (i > 0 ? ", " : "") + parameter_type(signature[i], problem.precision);
    if (!signature[i].has_default) {
      required = i + 1;
    }
  }
  return "using Parameters = std::tuple<" + types +
         ">;\nconstexpr unsigned long required = " + std::to_string(required) + ";\n";
}

// #undef of every word in `text` but the entry's name, which the candidate may well have made by a macro.
std::string undefine_words(const std::string& text, const std::string& entry) {
  std::set<std::string> words;
  for (const auto& stream : simt::lex(text)) {
    for (const simt::Token& token : stream.tokens) {
      if (!stream.directive && token.name() && !token.is(entry)) {
        words.emplace(token.text);
      }
    }
  }
  std::string lines;
  for (const std::string& word : words) {
    lines += "#undef " + word + "\n";
  }
  return lines;
}

std::string without_pragma_once(std::string header) {
  replace_all(header, "#pragma once\n", "");
  return header;
}

}  // namespace

std::string declaration_of(const Problem& problem, const std::string& entry) {
  std::string text = declaration(problem);
  const std::string plain = problem.entry() + "(";
  if (const std::size_t at = text.find(plain); at != std::string::npos) {
    text.replace(at, plain.size(), entry + "(");
  }
  return text;
}

std::string wrong_type_message(const Problem& problem, const std::string& entry) {
  return "entry point " + entry + " has another type than expected: " + declaration_of(problem, entry);
}

std::string make_shim(const Problem& problem, const Candidate& candidate, const std::string& entry,
                      const std::string& invoke_header) {
  const bool bf16 = uses_bf16(problem);
  std::string text = body;
  replace_all(text, "BY_VALUE\n", bf16 ? bf16_by_value : "");
  replace_all(text, "CATCH", candidate.is_baseline() ? catch_unsupported : "");
  replace_all(text, "MESSAGE", wrong_type_message(problem, entry));
  replace_all(text, "ENTRY", entry);
  text = without_pragma_once(invoke_header) + "\nnamespace mskb_shim {\n" + parameters(problem) + text;
  std::vector<std::string> headers{"<exception>", "<tuple>", "<type_traits>", "<utility>"};
  if (bf16) {
    headers.emplace_back("<cuda_bf16.h>");
  }
  if (candidate.is_baseline()) {
    headers.emplace_back("\"mskb/baseline.hpp\"");
  }
  std::string includes;
  for (const std::string& header : headers) {
    includes += "#include " + header + "\n";
  }
  return "#include \"" + candidate.main_source + "\"\n" + undefine_words(text, entry) + includes + "#line 1 \"" +
         shim_name + "\"\n" + text;
}

}  // namespace mskb
