#include "report/tables.hpp"

#include "cli/formats.hpp"
#include "cli/options.hpp"
#include "store/run_reader.hpp"

namespace mskb::cli {

void add_report(CLI::App& app, Context& context) {
  struct Options {
    std::string run, out, format = "text";
    ReportOptions report;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("report", "Print the tables of a run, or its page, from its records; needs no device.");
  command->add_option("run", options->run, "Directory of the run.")->required();
  add_format(*command, options->format, options->out, Format::html);
  command->add_flag("--cases", options->report.cases, "A line per case too.");
  command->add_flag("--references", options->report.references, "Rows of the references too.");
  command->add_option("--table", options->report.table, "Table of format csv: problems, cases or summary.")
      ->check(CLI::IsMember({"problems", "cases", "summary"}))
      ->capture_default_str();
  command->callback([options, &context] {
    const StoredRun run = read_run(options->run);
    print_or_write(render_report(run, parse_format(options->format), options->report), options->out);
    context.exit_code = tell_damage(run) ? 1 : 0;
  });
}

}  // namespace mskb::cli
