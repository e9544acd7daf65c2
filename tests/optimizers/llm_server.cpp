#include "llm_server.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>
#include <stdexcept>

extern char** environ;

LlmServer::LlmServer(const nlohmann::json& script) {
  const std::string file = (folder_.path() / "script.json").string(), log = (folder_.path() / "log.jsonl").string();
  mskb::write_file_atomically(file, (script.is_array() ? script : nlohmann::json::array({script})).dump());
  int to_server[2], from_server[2];
  if (::pipe2(to_server, O_CLOEXEC) != 0 || ::pipe2(from_server, O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipes");
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, to_server[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, from_server[1], 1);
  const std::string program = MSKB_SOURCE_DIR "/tests/optimizers/llm_server.py";
  std::string words[] = {"python3", program, file, log};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  if (::posix_spawnp(&process_, "python3", &actions, nullptr, argv, environ) != 0) {
    throw std::runtime_error("python3 cannot be started");
  }
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(to_server[0]);
  ::close(from_server[1]);
  input_ = to_server[1];
  for (char c = 0; ::read(from_server[0], &c, 1) == 1 && c != '\n';) {
    port_.push_back(c);
  }
  ::close(from_server[0]);
  if (port_.empty()) {
    throw std::runtime_error("llm_server.py did not start");
  }
}

LlmServer::~LlmServer() {
  ::close(input_);
  ::waitpid(process_, nullptr, 0);
}

std::vector<nlohmann::json> LlmServer::requests() const { return lines_of("log.jsonl"); }

std::vector<nlohmann::json> LlmServer::answered() const { return lines_of("log.jsonl.answered"); }

std::vector<nlohmann::json> LlmServer::lines_of(const char* file) const {
  std::vector<nlohmann::json> result;
  std::error_code error;
  if (std::filesystem::exists(folder_.path() / file, error)) {
    std::istringstream lines(mskb::read_file(folder_.path() / file));
    for (std::string line; std::getline(lines, line);) {
      result.push_back(nlohmann::json::parse(line));
    }
  }
  return result;
}
