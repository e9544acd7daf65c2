#include "common/http.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace mskb::agents {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t largest_reply = std::size_t{64} << 20;

struct Transfer {
  CURL* curl = nullptr;
  const HttpReceiver& receiver;
  HttpReply reply;
  double idle_s = 0;
  std::size_t received = 0;
  curl_off_t moved = -1;
  SteadyClock::time_point moved_at = SteadyClock::now();
  std::string stopped_for{};
  std::exception_ptr thrown{};
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::size_t take_header(char* data, std::size_t, std::size_t size, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string line(data, size);
  if (line.starts_with("HTTP/")) {
    transfer.reply.retry_after.clear();
    transfer.reply.content_type.clear();
    return size;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos) {
    return size;
  }
  const std::size_t first = line.find_first_not_of(" \t", colon + 1);
  const std::size_t last = line.find_last_not_of(" \t\r\n");
  const std::string value = first == std::string::npos || last < first ? "" : line.substr(first, last - first + 1);
  const std::string name = lower(line.substr(0, colon));
  if (name == "retry-after") {
    transfer.reply.retry_after = value;
  } else if (name == "content-type") {
    transfer.reply.content_type = lower(value.substr(0, value.find_first_of("; ")));
  }
  return size;
}

std::size_t take_body(char* data, std::size_t, std::size_t size, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &transfer.reply.status);
  transfer.received += size;
  if (transfer.received > largest_reply) {
    transfer.stopped_for = "the answer has more than 64 MiB";
    return 0;
  }
  if (transfer.reply.status != 200 || transfer.reply.content_type != "text/event-stream") {
    transfer.reply.body.append(data, size);
    return size;
  }
  try {
    transfer.receiver(std::string_view(data, size));
  } catch (...) {
    transfer.thrown = std::current_exception();
    return 0;
  }
  return size;
}

int watch(void* user, curl_off_t, curl_off_t received, curl_off_t, curl_off_t sent) {
  auto& transfer = *static_cast<Transfer*>(user);
  const auto now = SteadyClock::now();
  if (received + sent != transfer.moved) {
    transfer.moved = received + sent;
    transfer.moved_at = now;
  } else if (std::chrono::duration<double>(now - transfer.moved_at).count() > transfer.idle_s) {
    transfer.stopped_for = "nothing came for longer than idle_s";
    return 1;
  }
  return 0;
}

bool is_permanent(CURLcode code) {
  switch (code) {
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
      return true;
    default:
      return false;
  }
}

long milliseconds(double seconds) { return std::max(1L, static_cast<long>(std::min(seconds, 1e6) * 1000)); }

}  // namespace

HttpReply http_post(const std::string& url, const std::vector<std::string>& headers, const std::string& body, const HttpLimits& limits,
                    const HttpReceiver& receiver) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(), &curl_easy_cleanup);
  CURL* const curl = handle.get();
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> list(nullptr, &curl_slist_free_all);
  const auto add_header = [&](const std::string& header) {
    curl_slist* const longer = curl_slist_append(list.get(), header.c_str());
    if (longer != nullptr) {
      (void)list.release();
      list.reset(longer);
    }
  };
  add_header("Content-Type: application/json");
  add_header("Expect:");
  for (const std::string& header : headers) {
    add_header(header);
  }
  if (curl == nullptr) {
    throw std::runtime_error("libcurl cannot start a transfer");
  }
  Transfer transfer{curl, receiver, {}, limits.idle_s};
  char error[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "mskernelbench");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list.get());
  curl_easy_setopt(curl, CURLOPT_POST, 1L);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(limits.connect_s));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, milliseconds(limits.total_s));
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, watch);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
  const CURLcode code = curl_easy_perform(curl);
  if (transfer.thrown) {
    std::rethrow_exception(transfer.thrown);
  }
  HttpReply reply = std::move(transfer.reply);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
  long request_bytes = 0;
  curl_easy_getinfo(curl, CURLINFO_REQUEST_SIZE, &request_bytes);
  reply.sent = request_bytes > 0;
  if (code != CURLE_OK) {
    reply.failure = !transfer.stopped_for.empty() ? transfer.stopped_for : *error != '\0' ? error : curl_easy_strerror(code);
    reply.permanent = is_permanent(code);
  }
  return reply;
}

}  // namespace mskb::agents
