#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "common/chat.hpp"

namespace mskb::agents {

// There is no answer yet, or one that cannot be read. The request stays: asked again later, the answer is taken where it then lies.
struct AnswerAwaited : ChatFailed {
  AnswerAwaited(const std::string& what, std::string request) : ChatFailed(what), request_file(std::move(request)) {}
  std::string request_file;
};

// Each request is a file <number>-<agent>.request.json in a folder, with the messages to read in the .md beside it. The answer is awaited as
// <number>-<agent>.answer.md (the text as it is) or .answer.json. A request whose content is there already is not written again; the k-th
// equal request of a process is the k-th in the folder. Several processes may share a folder. An answer that cannot be taken is told to standard
// error once and awaited as if it were not there; ask() throws AnswerAwaited.
class ExchangeChat : public Chat {
 public:
  struct Waiting {
    std::optional<double> limit_s;  // absent: without limit; 0: only what is there already
    double poll_s = 0.5;
    double settle_s = 0.5;          // an answer counts once it has not changed for so long
  };

  // Creates the folder. Throws std::invalid_argument.
  ExchangeChat(std::filesystem::path folder, Waiting waiting);
  ChatAnswer ask(const ChatRequest& request) override;

 private:
  // The file names' common part of the request, which is written if it is not there.
  std::string stem_of(const ChatRequest& request);
  void write_request(const std::string& stem, const ChatRequest& request, const std::string& hash) const;

  std::filesystem::path folder_;
  Waiting waiting_;
  std::map<std::string, std::set<std::string>> used_;  // by request hash: stems that this process has asked for
};

}  // namespace mskb::agents
