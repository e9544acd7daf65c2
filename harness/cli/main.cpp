#include <fmt/format.h>

#include "base/characters.hpp"
#include "base/descriptor_limit.hpp"
#include "base/errors.hpp"
#include "cli/options.hpp"

// An empty value, such as that of a shell's variable that is not set, is not taken for a flag that was left out.
static void refuse_empty_values(CLI::App& app) {
  const CLI::Validator not_empty([](std::string& text) { return std::string(text.empty() ? "the value is empty; give one, or leave it out" : ""); }, "");
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_items_expected_max() > 0) {
        option->check(not_empty);
      }
    }
  }
}

int main(int argc, char** argv) {
  using namespace mskb::cli;
  mskb::raise_descriptor_limit();
  Context context;
  context.command.assign(argv, argv + argc);
  context.command[0] = "mskb";
  CLI::App app("MSKernelBench: measures whether a CUDA kernel is right, and how much faster than the original it is.", "mskb");
  app.set_version_flag("--version", MSKB_VERSION);
  app.require_subcommand(1);
  add_list(app, context);
  add_show(app, context);
  add_new(app, context);
  add_run(app, context);
  add_check(app, context);
  add_optimize(app, context);
  add_mcp(app, context);
  add_profile(app, context);
  add_rerun(app, context);
  add_audit(app, context);
  add_report(app, context);
  add_compare(app, context);
  add_reproduce(app, context);
  add_doctor(app, context);
  add_help(app, context);
  refuse_empty_values(app);
  std::string names;
  bool known = argc < 2 || argv[1][0] == '-';
  for (const CLI::App* command : app.get_subcommands({})) {
    names += (names.empty() ? "" : ", ") + command->get_name();
    known = known || command->get_name() == argv[1];
  }
  if (!known) {
    fmt::print(stderr, "mskb: {} is no command; commands are {}\n", mskb::visible_line(argv[1]), names);
    return 2;
  }
  try {
    app.parse(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      fmt::print(stderr, "mskb: standard output could not be written; what was printed is not complete\n");
      return 3;
    }
    return context.exit_code;
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "mskb: {}; see mskb --help\n", mskb::visible_line(error.what()));
    return 2;
  } catch (const mskb::InputError& error) {
    fmt::print(stderr, "mskb: {}\n", mskb::visible_line(error.what()));
    return 2;
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "mskb: {}; check the path\n", mskb::visible_line(error.what()));
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "mskb: the harness failed: {}\n", mskb::visible_line(error.what()));
    return 3;
  }
}
