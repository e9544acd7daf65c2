#include "report/compare.hpp"

#include "cli/formats.hpp"
#include "cli/options.hpp"
#include "store/run_reader.hpp"

namespace mskb::cli {

void add_compare(CLI::App& app, Context& context) {
  struct Options {
    std::vector<std::string> runs;
    std::string out, format = "text";
    CompareOptions compare;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compare", "Ratios of the candidates of two or more runs on the same device, or of one run that has several.");
  command->add_option("runs", options->runs, "Directories of runs; the first one's candidate is the base.")->required();
  add_format(*command, options->format, options->out, Format::latex);
  command->add_flag("--any-device", options->compare.any_device, "Compare runs of different devices or protocols all the same.");
  command->add_flag("--baselines", options->compare.baselines, "Compare vendor libraries too.");
  command->add_option("--spend", options->compare.spend, "What the best scores so far of sessions stand against: evaluations, tokens or money.")
      ->check(CLI::IsMember({"evaluations", "tokens", "money"}))
      ->capture_default_str();
  command->callback([options, &context] {
    std::vector<StoredRun> runs;
    for (const std::string& run : options->runs) {
      runs.push_back(read_run(run));
    }
    print_or_write(render_comparison(runs, parse_format(options->format), options->compare), options->out);
    for (const StoredRun& run : runs) {
      context.exit_code |= tell_damage(run) ? 1 : 0;
    }
  });
}

}  // namespace mskb::cli
