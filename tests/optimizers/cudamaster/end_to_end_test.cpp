#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/files.hpp"
#include "base/subprocess.hpp"
#include "model/verdict.hpp"
#include "optimize/transcript.hpp"
#include "store/run_reader.hpp"

// Through the command line on the CPU backend: real builds, keeper and workers; the answers lie ready in an exchange
// folder.
namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string right = R"(Vector loads.

```cuda
__global__ void gated(const float* in, float* out, int B, int D) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < B * D) {
    const float x = in[i / D * 2 * D + i % D];
    out[i] = x / (1.0f + expf(-x)) * in[i / D * 2 * D + D + i % D];
  }
}
extern "C" void silu_and_mul(const float* in, float* out, int B, int D) {
  gated<<<(B * D + 255) / 256, 256>>>(in, out, B, D);
}
```
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}
const std::string broken = replaced(right, "const float x =", "const flaot x =");
const std::string wrong = replaced(right, "-x)", "x)");
// At one size, so that one limit of time is waited for.
const std::string hanging =
    replaced(right, "if (i < B * D) {", "volatile int spin = B;\n  while (spin == 16) {}\n  if (i < B * D) {");

class LanguageModelEndToEnd : public ::testing::Test {
 protected:
  LanguageModelEndToEnd() {
    ::setenv("MSKB_HOME", MSKB_SOURCE_DIR, 1);
    ::setenv("MSKB_CACHE", (folder_.path() / "cache").c_str(), 1);
  }
  // Answers in the order in which they are asked for: agent, text.
  void answers(const std::vector<std::pair<std::string, std::string>>& list) {
    fs::create_directories(exchange());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string number = std::to_string(10000 + i + 1).substr(1);
      std::ofstream(exchange() / (number + "-" + list[i].first + ".answer.md")) << list[i].second;
    }
  }
  SubprocessResult optimize(const std::string& optimizer, const fs::path& run,
                            const std::vector<std::string>& options) {
    std::vector<std::string> command{std::string(MSKB_BINARY_DIR) + "/mskb",
                                     "optimize",
                                     "--device",
                                     "cpu",
                                     "--task",
                                     "silu_and_mul",
                                     "--precision",
                                     "fp32",
                                     "--sizes",
                                     "smoke",
                                     "--optimizer",
                                     optimizer,
                                     "--out",
                                     run.string()};
    for (const std::string& option : options) {
      command.push_back("--option");
      command.push_back(option);
    }
    SubprocessOptions how;
    how.time_limit = std::chrono::minutes(10);
    return run_subprocess(command, how);
  }
  SubprocessResult exchanged(const std::string& optimizer, const std::string& rounds) {
    return optimize(optimizer, folder_.path() / "run",
                    {"provider=exchange", "exchange=" + exchange().string(), "wait_s=0", "settle_s=0", "model=nobody",
                     "rounds=" + rounds});
  }
  fs::path exchange() const { return folder_.path() / "exchange"; }
  fs::path transcript_file(const std::string& run) const {
    return folder_.path() / run / "transcripts/silu_and_mul/fp32.jsonl";
  }

  static std::vector<std::string> verdicts(const StoredTranscript& transcript) {
    std::vector<std::string> list;
    for (const TranscriptLine& line : transcript.lines) {
      if (line.from_harness && line.message.at("type") == "evaluation") {
        list.push_back(line.message.at("verdict").get<std::string>());
      }
    }
    return list;
  }
  static std::vector<Json> sent(const StoredTranscript& transcript) {
    std::vector<Json> messages;
    for (const TranscriptLine& line : transcript.lines) {
      if (!line.from_harness) {
        messages.push_back(line.message);
      }
    }
    return messages;
  }
  void expect_measured(const std::string& run) {
    const auto evaluations = read_run(folder_.path() / run).evaluations;
    ASSERT_FALSE(evaluations.empty());
    for (const Evaluation& evaluation : evaluations) {
      EXPECT_EQ(evaluation.verdict, Verdict::passed) << evaluation.case_name << ": " << evaluation.detail;
    }
  }

  TemporaryDirectory folder_;
};

TEST_F(LanguageModelEndToEnd, CudaMasterMendsACompileErrorAndWrongResults) {
  answers({{"planner", "Use the grid better."},
           {"coder", broken},
           {"compiler", "`--use_fast_math`"},
           {"debugger", wrong},
           {"debugger", right}});
  const SubprocessResult result = exchanged("cudamaster", "1");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const StoredTranscript transcript = read_transcript(transcript_file("run"));
  EXPECT_THAT(verdicts(transcript), ElementsAre("passed", "build_failed", "mismatch", "passed"));
  EXPECT_EQ(transcript.end->at("ending"), "submitted");
  EXPECT_TRUE(transcript.end->at("spent").at("tokens").is_null()) << "unknown is not zero";
  expect_measured("run");
  EXPECT_THAT(read_file(exchange() / "0004-debugger.request.md"), HasSubstr("flaot"));
  EXPECT_THAT(read_file(exchange() / "0005-debugger.request.md"), HasSubstr("Verdict: mismatch"));
}

TEST_F(LanguageModelEndToEnd, AHangIsAVerdictThatIsMended) {
  answers({{"planner", "p"}, {"coder", hanging}, {"compiler", "none"}, {"debugger", right}});
  const SubprocessResult result = exchanged("cudamaster", "1");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(verdicts(read_transcript(transcript_file("run"))), ElementsAre("passed", "timed_out", "passed"));
  EXPECT_THAT(read_file(exchange() / "0004-debugger.request.md"), HasSubstr("Verdict: timed_out"));
}

TEST_F(LanguageModelEndToEnd, AStoredTranscriptAnswersTheSameAgain) {
  answers({{"planner", "p"}, {"coder", broken}, {"compiler", ""}, {"debugger", right}});
  std::ofstream(exchange() / "0003-compiler.answer.md") << "no options";
  ASSERT_EQ(exchanged("cudamaster", "1").exit_code, 0);
  const SubprocessResult result =
      optimize("cudamaster", folder_.path() / "again",
               {"provider=replay", "transcript=" + transcript_file("run").string(), "model=nobody", "rounds=1"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(sent(read_transcript(transcript_file("again"))), sent(read_transcript(transcript_file("run"))));
  expect_measured("again");
}

TEST_F(LanguageModelEndToEnd, AstraCorrectsItselfInTheNextRound) {
  answers({{"testing", "[{\"dims\": {\"B\": 16, \"D\": 4096}}]"},
           {"planning", "p"},
           {"coding", wrong},
           {"planning", "q"},
           {"coding", right}});
  const SubprocessResult result = exchanged("astra", "2");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(verdicts(read_transcript(transcript_file("run"))), ElementsAre("mismatch", "passed"));
  expect_measured("run");
}

TEST_F(LanguageModelEndToEnd, AWrongPromptIsRefusedBeforeAnySession) {
  for (const std::string name : {"cudamaster", "astra"}) {
    const fs::path mine = folder_.path() / name, run = folder_.path() / "run";
    fs::copy(fs::path(MSKB_SOURCE_DIR) / "optimizers" / name, mine, fs::copy_options::recursive);
    const std::string agent = name == "astra" ? "coding" : "coder";
    const fs::path prompt = mine / "prompts" / (agent + ".md");
    const std::string text = read_file(prompt);
    for (const auto& [line, message] : {std::pair("{{taks}}", "{{taks}} has no value"), std::pair("{{plan}", "`{{` without `}}`")}) {
      write_file_atomically(prompt, std::string(line) + "\n" + text);
      const SubprocessResult result = optimize(mine.string(), run, {"provider=exchange", "exchange=" + exchange().string()});
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_THAT(result.errors, ::testing::AllOf(HasSubstr("mskb: " + prompt.string() + ":1: "), HasSubstr(message)));
      EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
      EXPECT_FALSE(fs::exists(run) || fs::exists(exchange()));
    }
  }
}

TEST_F(LanguageModelEndToEnd, AWrongOptionIsRefusedBeforeAnySession) {
  const fs::path run = folder_.path() / "run";
  const SubprocessResult result = optimize("cudamaster", run, {"provider=exchange", "exchange=" + exchange().string(), "rounds=0"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("option rounds=0: optimizer cudamaster does not take it; give a whole number from 1 to 100"));
  EXPECT_FALSE(fs::exists(run) || fs::exists(exchange()));
}

}  // namespace
}  // namespace mskb
