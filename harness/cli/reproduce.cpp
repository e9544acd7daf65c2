#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "cli/formats.hpp"
#include "cli/options.hpp"
#include "report/reproduction.hpp"
#include "store/run_reader.hpp"

namespace mskb::cli {

namespace fs = std::filesystem;

namespace {

struct Words {
  std::string table, format = "text", out, runs = "out/reproduce";
  std::vector<std::string> from, rows;
  bool run = false;
};

// Runs this program with other words, on this terminal. Returns its exit code.
int run_self(const std::vector<std::string>& words) {
  const std::string self = fs::read_symlink("/proc/self/exe");
  std::vector<char*> arguments{const_cast<char*>(self.c_str())};
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child < 0) {
    throw_errno("fork");
  }
  if (child == 0) {
    ::execv(self.c_str(), arguments.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      throw_errno("waitpid");
    }
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

bool wanted(const Words& words, const ReproduceRow& row) {
  return words.rows.empty() || std::find(words.rows.begin(), words.rows.end(), row.name) != words.rows.end();
}

// A run whose every case was skipped answers nothing and cannot be gone on with on another machine: it makes room, unless sessions spent something on it.
bool drop_if_all_skipped(const fs::path& directory) {
  if (!fs::exists(directory / "run.yaml") || fs::exists(directory / "transcripts") || !all_skipped(read_run(directory))) {
    return false;
  }
  fs::remove_all(directory);
  return true;
}

// Runs or resumes what is missing. Returns the worst exit code.
int run_missing(const Reproduction& reproduction, const ReproduceOptions& options, const Words& words) {
  std::set<std::string> done;
  int worst = 0;
  for (const ReproducedRow& each : reproduction.rows) {
    const ReproduceRow& row = *each.row;
    if (row.command.empty() || !reproduction.is_open(row) || !wanted(words, row) || !done.insert(row.run).second) {
      continue;
    }
    if (!key_is_set(row)) {
      fmt::print(stderr, "mskb: {}: not run, because {} is not set; it stays missing\n", row.name, row.needs);
      continue;
    }
    drop_if_all_skipped(options.runs / row.run);
    const std::vector<std::string> command = row_command(row, options);
    fmt::print(stderr, "mskb: {}: mskb {}\n", row.name, fmt::join(command, " "));
    const int code = run_self(command);
    if (code >= 2) {
      fmt::print(stderr, "mskb: {}: the command ended with exit code {}\n", row.name, code);
    }
    if (drop_if_all_skipped(options.runs / row.run)) {
      fmt::print(stderr, "mskb: {}: every case was skipped, so that no record of it is kept; the row stays missing\n", row.name);
    }
    worst = std::max(worst, code);
  }
  return worst;
}

int execute(const Words& words) {
  ReproduceOptions options;
  options.home = home_directory();
  options.runs = words.runs;
  options.more.assign(words.from.begin(), words.from.end());
  for (const fs::path& root : options.more) {
    if (!fs::is_directory(root)) {
      throw InputError(fmt::format("--from {}: no such directory; give a run or a folder of runs", root.string()));
    }
  }
  if (words.table.empty()) {
    for (const std::string& name : reproduce_table_names(options.home)) {
      fmt::print("{:<20}{}\n", name, load_reproduce_table(options.home, name).title);
    }
    return 0;
  }
  const ReproduceTable table = load_reproduce_table(options.home, words.table);
  for (const std::string& name : words.rows) {
    if (std::none_of(table.rows.begin(), table.rows.end(), [&](const ReproduceRow& row) { return row.name == name; })) {
      throw InputError(fmt::format("--row {}: the table {} has no such row; see mskb reproduce {}", name, table.name, table.name));
    }
  }
  int code = 0;
  if (words.run) {
    code = run_missing(reproduce(table, options), options, words);
  }
  print_or_write(render_reproduction(reproduce(table, options), options, parse_format(words.format)), words.out);
  return code;
}

}  // namespace

void add_reproduce(CLI::App& app, Context& context) {
  auto words = std::make_shared<Words>();
  CLI::App* command = app.add_subcommand(
      "reproduce", "Say what a published table takes to measure again, run what is missing, and print expected against measured.");
  command->add_option("table", words->table, "A table of configs/paper. Left out: the tables there are.");
  add_format(*command, words->format, words->out, Format::latex);
  command->add_option("--runs", words->runs, "Folder that holds the runs of the rows.")->capture_default_str();
  command->add_option("--from", words->from, "A run, or a folder of runs, that may answer rows too, beside results/; repeatable.");
  command->add_option("--row", words->rows, "With --run: only this row; repeatable.");
  command->add_flag("--run", words->run, "Run or resume what is missing; without it nothing is run.");
  command->callback([words, &context] { context.exit_code = execute(*words); });
}

}  // namespace mskb::cli
