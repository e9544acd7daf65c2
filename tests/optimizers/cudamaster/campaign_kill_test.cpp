#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "campaign_fixture.hpp"
#include "llm_server.hpp"
#include "store/run_writer.hpp"

// A campaign that is killed at random moments, again and again, ends as one that was not, and asks for nothing twice. MSKB_KILLS: how many
// kills (12); MSKB_KILL_SEED: of the moments.
namespace mskb {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using nlohmann::json;

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

// Each agent of each session has one answer.
json script() {
  json steps = json::array();
  for (const std::string& agent : test::campaign_agents) {
    for (const bool bf16 : {true, false}) {
      json step{{"say", test::campaign_answer(agent, bf16)}, {"after", 0.1}, {"usage", {{"input", 100}, {"cached", 0}, {"output", 10}}}};
      step["when"] = {"As the " + agent, bf16 ? "const __nv_bfloat16* in" : "const float* in"};
      steps.push_back(step);
    }
  }
  return steps;
}

class CampaignKill : public test::CampaignFixture {
 protected:
  static std::vector<std::string> words(const LlmServer& server) {
    return {"--optimizer", "cudamaster", "--option", "provider=openai", "--option", "base_url=" + server.url() + "/v1", "--option",
            "model=m", "--option", "rounds=1", "--option", "stream=false"};
  }
  // The exit code, or nothing when it was killed after so long.
  std::optional<int> run_for(Seconds limit, const std::vector<std::string>& command) const {
    std::vector<char*> arguments;
    for (const std::string& word : command) {
      arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    const std::string log = (folder_.path() / "log").string();
    const pid_t child = ::fork();
    if (child == 0) {
      const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
      ::dup2(file, 1);
      ::dup2(file, 2);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    const auto until = Clock::now() + limit;
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
      if (Clock::now() >= until) {
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
  }
  std::string log() const { return read_file(folder_.path() / "log"); }
};

std::map<std::string, int> counted(const std::vector<json>& requests) {
  std::map<std::string, int> count;
  for (const json& request : requests) {
    ++count[request.at("body").dump()];
  }
  return count;
}

TEST_F(CampaignKill, EndsAsIfItHadNotBeenKilledAndAsksNothingTwice) {
  const LlmServer first(script());
  const auto begin = Clock::now();
  ASSERT_EQ(run_for(Seconds(600), command(folder_.path() / "whole", words(first))), 0) << log();
  const std::vector<std::string> expected = records(folder_.path() / "whole");
  ASSERT_FALSE(expected.empty());
  ASSERT_EQ(first.answered().size(), 8u);
  // Once more with all builds in the cache, for the time that a campaign takes.
  const LlmServer second(script());
  const auto again = Clock::now();
  ASSERT_EQ(run_for(Seconds(600), command(folder_.path() / "cached", words(second))), 0) << log();
  const double cold = Seconds(again - begin).count(), warm = Seconds(Clock::now() - again).count();

  const int kills = number_from("MSKB_KILLS", 12);
  const auto seed = static_cast<unsigned>(number_from("MSKB_KILL_SEED", 1));
  std::mt19937 random(seed);
  int killed = 0, campaigns = 0, attempts = 0;
  for (; killed < kills; ++campaigns) {
    SCOPED_TRACE(fmt::format("campaign {} of seed {}", campaigns, seed));
    const fs::path out = folder_.path() / fmt::format("killed-{}", campaigns);
    const bool from_nothing = campaigns == 0;  // without builds in the cache
    ::setenv("MSKB_CACHE", (folder_.path() / (from_nothing ? "cold" : "cache")).c_str(), 1);
    std::uniform_real_distribution<double> moment(0.0, 0.7 * (from_nothing ? cold : warm));
    const LlmServer server(script());
    for (std::optional<int> code; !code;) {
      ASSERT_LT(++attempts, 20 * kills + 100) << "it does not get on";
      std::vector<std::string> line = command(out, words(server));
      if (holds_run(out)) {
        line.push_back("--resume");
      } else {
        fs::remove_all(out);
      }
      const double after = killed < kills ? moment(random) : 600;
      code = run_for(Seconds(after), line);
      if (code) {
        ASSERT_EQ(*code, 0) << log();
      } else {
        ++killed;
        fmt::print("kill {} in campaign {} after {:.3f} s; {} requests answered so far\n", killed, campaigns, after, server.answered().size());
      }
    }
    EXPECT_EQ(records(out), expected);
    for (const auto& [body, count] : counted(server.requests())) {
      EXPECT_EQ(count, 1) << "asked again: " << body;
    }
    EXPECT_EQ(server.requests().size(), 8u);
    for (const char* precision : {"fp32", "bf16"}) {
      const StoredTranscript stored = transcript(out, precision);
      EXPECT_EQ(verdicts(stored), verdicts(transcript(folder_.path() / "whole", precision)));
      EXPECT_EQ(stored.end->at("spent").at("tokens"), 4 * 110);
    }
  }
  fmt::print("{} kills in {} campaigns of {:.2f} s each\n", killed, campaigns, warm);
}

}  // namespace
}  // namespace mskb
