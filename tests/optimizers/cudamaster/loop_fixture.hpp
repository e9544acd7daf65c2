#pragma once
#include <gmock/gmock.h>

#include <memory>

#include "cudamaster/loop.hpp"
#include "scripted_session.hpp"

namespace mskb::test {

using Answers = std::map<std::string, std::deque<std::string>>;

class CudaMasterLoop : public ::testing::Test {
 protected:
  void prepare(bool timed) {
    start = start_of_test(timed);
    harness = std::make_unique<FakeHarness>(start);
  }
  optimizer::Submission run(const Answers& answers) {
    if (!harness) {
      prepare(true);
    }
    chat = std::make_unique<ScriptedChat>(answers, *harness);
    agents::Agents agents(*chat, *harness, prompts, manner, start.budget);
    return cudamaster::Loop(start, *harness, agents, settings).run();
  }

  agents::Prompts prompts{MSKB_SOURCE_DIR "/optimizers/cudamaster/prompts"};
  agents::Manner manner{"a-model", 0.5, {}};
  cudamaster::Settings settings;
  optimizer::Start start;
  std::unique_ptr<FakeHarness> harness;
  std::unique_ptr<ScriptedChat> chat;
};

inline const std::string no_flags = "```\n```\n";

// Three rounds: one that is repaired twice, one that is at once right, one slower.
inline Answers three_rounds() {
  return {
      {"planner", {"Unroll.", "Use float4.", "Use shared memory."}},
      {"coder", {fenced_kernel("first, broken"), fenced_kernel("second, speed=4"), fenced_kernel("third, speed=2")}},
      {"compiler", {"`--use_fast_math` and `-lcublas`", no_flags, "```\n--maxrregcount=64\n```"}},
      {"debugger", {fenced_kernel("first, wrong"), fenced_kernel("first, speed=1.5")}}};
}

}  // namespace mskb::test
