#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/subprocess.hpp"
#include "optimize/transcript.hpp"
#include "store/run_reader.hpp"

// Campaigns of two problems through the command line on the CPU backend: real builds, keeper and workers.
namespace mskb::test {

namespace fs = std::filesystem;

// What the agents of the two sessions answer: the first version does not compile and is mended.
inline std::string campaign_answer(const std::string& agent, bool bf16) {
  const std::string real = bf16 ? "__nv_bfloat16" : "float", load = bf16 ? "__bfloat162float" : "", store = bf16 ? "__float2bfloat16" : "";
  const auto kernel = [&](const std::string& type) {
    return "```cuda\n" + std::string(bf16 ? "#include <cuda_bf16.h>\n" : "") + "__global__ void gated(const " + real + "* in, " + real +
           "* out, int B, int D) {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < B * D) {\n    const " + type + " x = " +
           load + "(in[i / D * 2 * D + i % D]);\n    out[i] = " + store + "(x / (1.0f + expf(-x)) * " + load +
           "(in[i / D * 2 * D + D + i % D]));\n  }\n}\nextern \"C\" void silu_and_mul(const " + real + "* in, " + real +
           "* out, int B, int D) {\n  gated<<<(B * D + 255) / 256, 256>>>(in, out, B, D);\n}\n```\n";
  };
  return agent == "planner"    ? "Use the grid better."
         : agent == "compiler" ? "no options"
         : agent == "coder"    ? kernel("flaot")
                               : kernel("float");
}
inline const std::vector<std::string> campaign_agents{"planner", "coder", "compiler", "debugger"};

class CampaignFixture : public ::testing::Test {
 protected:
  CampaignFixture() {
    ::setenv("MSKB_HOME", MSKB_SOURCE_DIR, 1);
    ::setenv("MSKB_CACHE", (folder_.path() / "cache").c_str(), 1);
  }

  static std::vector<std::string> command(const fs::path& run, const std::vector<std::string>& words) {
    std::vector<std::string> all{std::string(MSKB_BINARY_DIR) + "/mskb", "optimize", "--device", "cpu", "--task", "silu_and_mul",
                                 "--precision", "all", "--sizes", "smoke", "--sessions", "2", "--out", run.string()};
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }
  static SubprocessResult optimize(const fs::path& run, const std::vector<std::string>& words) {
    SubprocessOptions how;
    how.time_limit = std::chrono::minutes(10);
    return run_subprocess(command(run, words), how);
  }
  // "case origin candidate verdict", sorted; nothing of times, keys and machines.
  static std::vector<std::string> records(const fs::path& run) {
    std::vector<std::string> lines;
    for (const Evaluation& each : read_run(run).evaluations) {
      lines.push_back(each.case_name + " " + each.origin + " " + each.candidate + " " + std::string(to_string(each.verdict)));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }
  static StoredTranscript transcript(const fs::path& run, const std::string& precision) {
    return read_transcript(run / "transcripts/silu_and_mul" / (precision + ".jsonl"));
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

  TemporaryDirectory folder_;
};

}  // namespace mskb::test
