#include <fmt/format.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "cli/options.hpp"
#include "cli/task_skeleton.hpp"
#include "model/names.hpp"
#include "model/task_words.hpp"

namespace mskb::cli {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string name, scenario = "algebra", family = "element_wise";
};

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
  if (const std::string fault = fault_of_task_name(options.name); !fault.empty()) {
    throw InputError(fault);
  }
  if (!is_word(options.family)) {
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
