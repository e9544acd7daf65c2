#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mskb::agents {

struct HttpLimits {
  double connect_s = 20;
  double idle_s = 300;    // without a byte in either direction
  double total_s = 1800;
};

struct HttpReply {
  long status = 0;           // 0: none came
  std::string content_type;  // lower case, without parameters
  std::string retry_after;   // the header's value, or empty
  std::string body;          // but for what went to a receiver
  std::string failure;       // of the transport; empty: none. What had come by then is there
  bool permanent = false;    // the failure will come again: a certificate, a malformed address
  bool sent = false;         // the server may have seen the request
};

// Takes the bytes of a stream of server-sent events with status 200. What it throws ends the transfer and is thrown on.
using HttpReceiver = std::function<void(std::string_view bytes)>;

// POST of JSON. Follows no redirection, so that headers go nowhere else. Thread-safe.
HttpReply http_post(const std::string& url, const std::vector<std::string>& headers, const std::string& body, const HttpLimits& limits,
                    const HttpReceiver& receiver);

}  // namespace mskb::agents
