#pragma once
#include <map>
#include <optional>
#include <string>

#include "common/chat.hpp"
#include "common/prompt.hpp"
#include "mskb/optimizer.hpp"

namespace mskb::agents {

// What all agents' requests have in common.
struct Manner {
  std::string model;
  std::optional<double> temperature;
  std::optional<int> max_output_tokens;
  bool suspends = true;  // where an answer is awaited from elsewhere; else that counts as a failed request
};

// From the options model, temperature, max_output_tokens and unanswered; empty ones are the provider's own. Throws
// std::invalid_argument.
Manner manner_of(const std::map<std::string, std::string>& options);

// An option that counts something, within limits; absent where it is empty or missing. Throws std::invalid_argument.
std::optional<int> whole_option(const std::map<std::string, std::string>& options, const std::string& name, int least,
                                int most);

// The agents of one optimizer. A request is the prompts `system` and <agent>, filled in; it and its answer become one
// note, from which provider `replay` answers again:
//   role, model       who was asked, and who answered
//   tokens, cost      where known
//   prompts           version of the folder of prompts
//   request, answer   as chat_json.hpp writes them; answer.text is what was said
// A request that got no answer is a note as well, with the reason for its text.
class Agents {
 public:
  Agents(Chat& chat, optimizer::Harness& harness, const Prompts& prompts, Manner manner,
         const optimizer::Budget& budget);

  // Throws ChatFailed, optimizer::Stopped when the session's tokens or money are spent, and optimizer::Suspended when the answer is awaited
  // from elsewhere.
  ChatAnswer ask(const std::string& agent, const std::map<std::string, std::string>& values);

  // A note of the loop itself.
  void log(const std::string& text);

 private:
  Chat& chat_;
  optimizer::Harness& harness_;
  const Prompts& prompts_;
  Manner manner_;
  optimizer::Budget budget_;
  double tokens_ = 0, money_ = 0;  // as far as known
};

}  // namespace mskb::agents
