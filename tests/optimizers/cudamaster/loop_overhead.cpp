// Prints what one request costs beside the language model, the compiler and the device, and how the memory grows over 1,000 requests: a session
// of CUDAMaster over recorded answers, with a harness whose evaluations are made up. scripts/measure_loop.sh runs it.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>

#include "../../optimize/fake_harness.hpp"
#include "llm_server.hpp"

namespace mskb {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int wanted = 1000;  // requests

// Resident memory in MiB.
double memory_of(const std::string& process) {
  std::ifstream file("/proc/" + process + "/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

std::string optimizer_process() {
  std::ifstream file(fmt::format("/proc/self/task/{}/children", ::gettid()));
  std::string child;
  file >> child;
  return child;
}

class Measured : public test::FakeSession {
 public:
  // Rounds of as many failed repairs as may be: each request but the first three of a round is followed by an evaluation.
  Measured() {
    plan.budget = {1e6, {}, {}, {}, 3600};
    environment["MSKB_OPTIMIZER_DIR"] = MSKB_SOURCE_DIR "/optimizers/cudamaster";
    options = {{"rounds", "10"}, {"debug", "100"}, {"profile", "none"}, {"model", "m"}, {"stream", "false"}};
    const auto evaluate = plan.evaluate;
    plan.evaluate = [this, evaluate](const Candidate& candidate, const std::vector<std::string>& sets) {
      ++evaluations;
      on_evaluation();
      return evaluate(candidate, sets);
    };
  }
  void lead() {
    const SessionOutcome outcome = run({MSKB_BINARY_DIR "/mskb-cudamaster"});
    requests = 0;
    for (const TranscriptLine& line : transcript().lines) {
      requests += !line.from_harness && line.message.is_object() && line.message.contains("answer");
    }
    if (requests < wanted) {
      fmt::print(stderr, "only {} requests were made: {}\n", requests, outcome.detail);
      std::exit(1);
    }
  }
  int evaluations = 0, requests = 0;
  std::function<void()> on_evaluation = [] {};
};

void measure() {
  TemporaryDirectory folder;
  const std::string answers = (folder.path() / "answers.jsonl").string();
  {
    Measured recording;
    const LlmServer server(nlohmann::json{
        {"say", "```cuda\n// wrong, version {n}\nextern \"C\" void silu_and_mul(const float* in, float* out, int B, int D) {}\n```\n"}});
    recording.options.insert({{"provider", "openai"}, {"base_url", server.url() + "/v1"}, {"journal", answers}});
    recording.lead();
  }
  Measured replayed;
  replayed.options.insert({{"provider", "replay"}, {"transcript", answers}});
  double harness[2] = {}, optimizer[2] = {};
  replayed.on_evaluation = [&] {
    const int place = replayed.evaluations == 100 ? 0 : 1;
    if (replayed.evaluations == 100 || replayed.evaluations == wanted) {
      harness[place] = memory_of("self");
      optimizer[place] = memory_of(optimizer_process());
    }
  };
  const auto start = Clock::now();
  replayed.lead();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  fmt::print("requests: {}, evaluations: {}\n", replayed.requests, replayed.evaluations);
  fmt::print("overhead: {:.2f} ms per request\n", 1000 * seconds / replayed.requests);
  for (const auto& [name, memory] : {std::pair("harness", harness), std::pair("optimizer", optimizer)}) {
    fmt::print("memory of the {}: {:.2f} MiB after 100 evaluations, {:.2f} MiB after {}: {:+.1f} %\n", name, memory[0], memory[1], wanted,
               100 * (memory[1] / memory[0] - 1));
  }
}

}  // namespace
}  // namespace mskb

int main() {
  mskb::measure();
  return 0;
}
