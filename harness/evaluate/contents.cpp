#include "evaluate/contents.hpp"

#include <sys/random.h>

#include <array>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/hashing.hpp"

namespace mskb {

RunKey RunKey::draw() {
  std::array<unsigned char, 16> bytes;
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw_errno("draw a key");
  }
  RunKey key;
  for (const unsigned char byte : bytes) {
    key.hex += fmt::format("{:02x}", byte);
  }
  return key;
}

bool RunKey::is_key(const std::string& text) { return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos; }

RunKey RunKey::parse(const std::string& hex) {
  if (!is_key(hex)) {
    throw InputError(fmt::format("key '{}': a key is 32 lower-case hexadecimal digits", hex));
  }
  return RunKey{hex};
}

std::uint64_t step_key(const RunKey& key, const Case& test_case, std::uint64_t step, const std::string& purpose,
                       std::uint64_t salt) {
  return first_word(Hasher().add(key.hex).add(test_case.name()).add(step).add(purpose).add(salt).digest());
}

wire::Generate generate_request(const RunKey& key, const Case& test_case, std::uint64_t step) {
  wire::Generate request{};
  request.step = step;
  for (std::size_t i = 0; i < test_case.arguments.size(); ++i) {
    request.stream_keys[i] = step_key(key, test_case, step, "contents of " + test_case.arguments[i].name);
  }
  return request;
}

}  // namespace mskb
