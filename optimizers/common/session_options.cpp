#include "common/session_options.hpp"

#include <cstdlib>

namespace mskb::agents {

namespace {

void fill(std::string& text, const std::string& mark, const std::string& value) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size())) {
    text.replace(at, mark.size(), value);
  }
}

}  // namespace

std::map<std::string, std::string> session_options(const std::string& task, const std::string& precision, std::map<std::string, std::string> options) {
  for (const char* name : {"exchange", "journal", "transcript"}) {
    if (const auto found = options.find(name); found != options.end()) {
      fill(found->second, "{task}", task);
      fill(found->second, "{precision}", precision);
    }
  }
  const char* folder = std::getenv("MSKB_SESSION_DIR");
  const std::string provider = options["provider"];
  std::string& journal = options["journal"];
  if (provider == "exchange") {
    if (options["exchange"].empty() && folder != nullptr) {
      options["exchange"] = std::string(folder) + "/exchange";
    }
  } else if (provider != "replay" && journal.empty() && folder != nullptr) {
    journal = std::string(folder) + "/answers.jsonl";
  }
  if (journal == "none") {
    journal.clear();
  }
  return options;
}

}  // namespace mskb::agents
