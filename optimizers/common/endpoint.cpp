#include "common/endpoint.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <regex>
#include <stdexcept>

namespace mskb::agents {

namespace {

struct Known {
  const char* host;
  const char* variable;
};

constexpr Known known[] = {{"api.openai.com", "OPENAI_API_KEY"},
                           {"api.deepseek.com", "DEEPSEEK_API_KEY"},
                           {"api.anthropic.com", "ANTHROPIC_API_KEY"}};

std::string key_for(const std::string& host) {
  const char* variable = "MSKB_LLM_KEY";
  bool needed = false;
  for (const Known& entry : known) {
    if (host == entry.host) {
      variable = entry.variable;
      needed = true;
    }
  }
  const char* value = std::getenv(variable);
  std::string key = value == nullptr ? "" : value;
  key.erase(0, std::min(key.find_first_not_of(" \t\r\n"), key.size()));
  key.erase(key.find_last_not_of(" \t\r\n") + 1);
  if (key.empty() && needed) {
    throw std::invalid_argument("the key for " + host + " is missing; set the environment variable " + variable);
  }
  if (std::any_of(key.begin(), key.end(), [](unsigned char c) { return c <= ' ' || c >= 127; })) {
    throw std::invalid_argument(std::string("the environment variable ") + variable + " holds characters that no key has");
  }
  return key;
}

}  // namespace

Endpoint endpoint_of(const ChatOptions& options) {
  Endpoint endpoint;
  endpoint.provider = options.text("provider");
  std::string own_url;
  if (endpoint.provider == "openai" || endpoint.provider == "responses") {
    own_url = "https://api.openai.com/v1";
  } else if (endpoint.provider == "deepseek") {
    own_url = "https://api.deepseek.com";
  } else if (endpoint.provider == "anthropic") {
    own_url = "https://api.anthropic.com";
  } else {
    throw std::invalid_argument("option provider=" + endpoint.provider +
                                ": name one of openai, deepseek, responses, anthropic, replay, exchange");
  }
  endpoint.base_url = options.text("base_url", own_url);
  while (endpoint.base_url.ends_with('/')) {
    endpoint.base_url.pop_back();
  }
  static const std::regex address(R"(https?://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d+)?(/[^\s?#@]*)?)");
  std::smatch match;
  if (!std::regex_match(endpoint.base_url, match, address)) {
    throw std::invalid_argument("option base_url is not of the form http(s)://HOST[:PORT][/PATH]; keys come from the environment only");
  }
  endpoint.host = match[1].str();
  std::transform(endpoint.host.begin(), endpoint.host.end(), endpoint.host.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (endpoint.base_url.starts_with("http://") &&
      std::any_of(std::begin(known), std::end(known), [&](const Known& entry) { return endpoint.host == entry.host; })) {
    throw std::invalid_argument("option base_url: " + endpoint.host + " is asked over https only, so that the key is not readable on its way");
  }
  endpoint.key = key_for(endpoint.host);
  if (endpoint.provider == "anthropic") {
    endpoint.protocol = anthropic_protocol();
  } else if (endpoint.provider == "responses") {
    endpoint.protocol = responses_protocol();
  } else {
    // OpenAI's reasoning models know only the new name, most other servers only the old one.
    endpoint.protocol = chat_completions_protocol(endpoint.host == "api.openai.com" ? "max_completion_tokens" : "max_tokens");
  }
  return endpoint;
}

std::string presentable(const std::string& text, const std::string& key) {
  constexpr std::size_t longest = 300;
  std::string result = text;
  for (std::size_t at = 0; !key.empty() && (at = result.find(key, at)) != std::string::npos;) {
    result.replace(at, key.size(), "[key]");
  }
  result = result.substr(0, 4 * longest);
  for (char& c : result) {
    c = static_cast<unsigned char>(c) < ' ' || c == 127 ? ' ' : c;
  }
  static const std::regex key_like(R"(\b(sk|key)-[A-Za-z0-9*_-]{4,})");
  result = std::regex_replace(result, key_like, "[key]");
  if (result.size() > longest) {
    result.resize(longest);
    while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xC0) == 0x80) {
      result.pop_back();
    }
    if (!result.empty() && static_cast<unsigned char>(result.back()) >= 0xC0) {
      result.pop_back();
    }
    result += "...";
  }
  return result;
}

}  // namespace mskb::agents
