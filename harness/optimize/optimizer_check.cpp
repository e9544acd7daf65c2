#include "optimize/optimizer_check.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "optimize/lead_sessions.hpp"
#include "optimize/messages.hpp"
#include "optimize/optimizer_process.hpp"
#include "optimize/transcript.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds patience{60};

bool has_ended(const OptimizeOptions& options, const Problem& problem) {
  const fs::path file = options.out / "transcripts" / (problem.name() + ".jsonl");
  return options.resume && fs::exists(file) && read_file(file).find('\n') != std::string::npos && read_transcript(file).end;
}

void check(const OptimizeOptions& options, const Problem& problem, const fs::path& log) {
  const Json question{{"type", "check"},
                      {"protocol", optimizer_protocol},
                      {"task", problem.task->name},
                      {"precision", to_string(problem.precision)},
                      {"options", options.optimizer.with_options(options.optimizer_options)}};
  OptimizerProcess process(options.optimizer.command, session_environment(options, problem), log);
  const auto until = OptimizerChannel::Clock::now() + patience;
  process.send(one_line(question), until);
  const ReceivedLine received = process.receive(until);
  Json answer;
  try {
    answer = received.kind == ReceivedLine::Kind::line ? parse_shallow(received.text) : Json();
  } catch (const Nested&) {
  } catch (const Json::exception&) {
  }
  const Json fault = answer.is_object() ? answer.value("fault", Json()) : Json();
  if (!answer.is_object() || answer.value("type", Json()) != "checked" || !(fault.is_null() || fault.is_string())) {
    throw InputError(fmt::format("optimizer {}: its program did not answer the check for {}: it {}", options.optimizer.name, problem.name(),
                                 process.close(std::chrono::seconds(1))));
  }
  if (fault.is_string()) {
    throw InputError(excerpt(fault.get<std::string>(), 1000));
  }
}

}  // namespace

void check_optimizer(const OptimizeOptions& options) {
  if (!options.optimizer.checks || options.connect) {
    return;
  }
  const TemporaryDirectory folder;
  for (const Problem& problem : options.problems) {
    if (!has_ended(options, problem)) {
      check(options, problem, folder.path() / "log");
    }
  }
}

}  // namespace mskb
