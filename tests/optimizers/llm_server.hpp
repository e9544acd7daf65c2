#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/files.hpp"

// llm_server.py as a child process, for as long as the object lives.
class LlmServer {
 public:
  explicit LlmServer(const nlohmann::json& script);  // a list, or its only member
  ~LlmServer();
  LlmServer(const LlmServer&) = delete;
  LlmServer& operator=(const LlmServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + port_; }
  std::vector<nlohmann::json> requests() const;  // path, headers (names in lower case), body
  std::vector<nlohmann::json> answered() const;  // path, body; whose answers have left

 private:
  std::vector<nlohmann::json> lines_of(const char* file) const;

  mskb::TemporaryDirectory folder_;
  std::string port_;
  int input_ = -1, process_ = -1;
};
