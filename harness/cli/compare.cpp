#include "report/compare.hpp"

#include "cli/formats.hpp"
#include "cli/options.hpp"
#include "store/run_reader.hpp"

namespace mskb::cli {

void add_compare(CLI::App& app, Context&) {
  struct Options {
    std::string first, second, out, format = "text";
    CompareOptions compare;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compare", "Ratios of two runs on the same device.");
  command->add_option("first", options->first, "Directory of a run.")->required();
  command->add_option("second", options->second, "Directory of the run to compare with it.")->required();
  add_format(*command, options->format, options->out, Format::latex);
  command->add_flag("--any-device", options->compare.any_device, "Compare runs of different devices all the same.");
  command->callback([options] {
    const StoredRun first = read_run(options->first), second = read_run(options->second);
    print_or_write(render_comparison(first, second, parse_format(options->format), options->compare), options->out);
  });
}

}  // namespace mskb::cli
