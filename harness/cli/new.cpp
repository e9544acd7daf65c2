#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "cli/options.hpp"
#include "cli/task_skeleton.hpp"
#include "model/task_words.hpp"

namespace mskb::cli {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string name, scenario = "algebra", family = "element_wise";
};

bool is_identifier(const std::string& word) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !word.empty() && is_letter(word[0]) &&
         std::all_of(word.begin(), word.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// The words that neither C nor C++, as which a candidate is compiled, takes as a function's name.
bool is_keyword(const std::string& word) {
  static const std::set<std::string> keywords{
      "alignas",  "alignof",   "and",      "and_eq",    "asm",       "auto",       "bitand",        "bitor",        "bool",
      "break",    "case",      "catch",    "char",      "char16_t",  "char32_t",   "char8_t",       "class",        "co_await",
      "co_return", "co_yield", "compl",    "concept",   "const",     "const_cast", "consteval",     "constexpr",    "constinit",
      "continue", "decltype",  "default",  "delete",    "do",        "double",     "dynamic_cast",  "else",         "enum",
      "explicit", "export",    "extern",   "false",     "float",     "for",        "friend",        "goto",         "if",
      "inline",   "int",       "long",     "main",      "mutable",   "namespace",  "new",           "noexcept",     "not",
      "not_eq",   "nullptr",   "operator", "or",        "or_eq",     "private",    "protected",     "public",       "register",
      "reinterpret_cast",      "requires", "restrict",  "return",    "short",      "signed",        "sizeof",       "static",
      "static_assert",         "static_cast",           "struct",    "switch",     "template",      "this",         "thread_local",
      "throw",    "true",      "try",      "typedef",   "typeid",    "typename",   "union",         "unsigned",     "using",
      "virtual",  "void",      "volatile", "wchar_t",   "while",     "xor",        "xor_eq"};
  return keywords.contains(word);
}

void refuse_bad_name(const std::string& name) {
  if (!is_identifier(name) || is_keyword(name)) {
    throw InputError(fmt::format("'{}' cannot be the name of a task, because the entry point is a C function of that name; write letters, "
                                 "digits and _, beginning with a letter, and no keyword",
                                 name));
  }
  for (const char* ending : {"_bf16", "_optimized"}) {
    if (name.ends_with(ending)) {
      throw InputError(fmt::format("'{}' cannot be the name of a task, because entry points of other tasks end in {}; choose another name",
                                   name, ending));
    }
  }
}

// Hidden from the scan of tasks/, and gone with its contents unless it was published.
class HiddenDirectory {
 public:
  explicit HiddenDirectory(fs::path path) : path_(std::move(path)) { fs::create_directory(path_); }
  ~HiddenDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  HiddenDirectory(const HiddenDirectory&) = delete;
  HiddenDirectory& operator=(const HiddenDirectory&) = delete;

  const fs::path& path() const { return path_; }
  void publish(const fs::path& target) const { fs::rename(path_, target); }

 private:
  fs::path path_;
};

void execute(const Options& options) {
  refuse_bad_name(options.name);
  if (!is_identifier(options.family)) {
    throw InputError(fmt::format("--family '{}': give one word of letters, digits and _", options.family));
  }
  const fs::path tasks = home_directory() / "tasks";
  if (!fs::is_directory(tasks)) {
    throw InputError(fmt::format("{}: is no directory; set MSKB_HOME to the checkout of MSKernelBench", tasks.string()));
  }
  const fs::path directory = tasks / options.name;
  if (fs::exists(fs::symlink_status(directory))) {
    throw InputError(fmt::format("tasks/{}: exists already; choose another name", options.name));
  }
  const auto files = task_skeleton(options.name, options.scenario, options.family);
  const HiddenDirectory hidden(tasks / fmt::format(".new-{}-{}", options.name, ::getpid()));
  for (const auto& [name, text] : files) {
    write_file_atomically(hidden.path() / name, text);
  }
  hidden.publish(directory);
  for (const auto& [name, text] : files) {
    fmt::print("tasks/{}/{}\n", options.name, name);
  }
  fmt::print("Fill in what the comments marked FILL ask for and delete each mark; then run mskb check --task {}\n", options.name);
}

}  // namespace

void add_new(CLI::App& app, Context&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("new", "Write the directory of a new task, with marks where its author has to decide.");
  command->add_option("name", options->name, "Name of the task, of its directory and of its entry point.")->required();
  command->add_option("--scenario", options->scenario, "algebra, llm, sparse or scientific.")
      ->check(CLI::IsMember(std::vector<std::string>(scenarios.begin(), scenarios.end())))
      ->capture_default_str();
  command->add_option("--family", options->family, "One word by which --task can select several tasks.")->capture_default_str();
  command->callback([options] { execute(*options); });
}

}  // namespace mskb::cli
