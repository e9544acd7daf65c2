#include "base/hashing.hpp"

#include <openssl/evp.h>

#include <cstring>

#include "base/errors.hpp"

namespace mskb {

namespace {
EVP_MD_CTX* as_context(void* context) { return static_cast<EVP_MD_CTX*>(context); }
}  // namespace

Hasher::Hasher() : context_(EVP_MD_CTX_new()) {
  if (context_ == nullptr || EVP_DigestInit_ex(as_context(context_), EVP_sha256(), nullptr) != 1) {
    throw HarnessError("SHA-256 is not available in libcrypto");
  }
}

Hasher::~Hasher() { EVP_MD_CTX_free(as_context(context_)); }

Hasher& Hasher::add(std::string_view piece) {
  add(static_cast<std::uint64_t>(piece.size()));
  EVP_DigestUpdate(as_context(context_), piece.data(), piece.size());
  return *this;
}

Hasher& Hasher::add(std::uint64_t number) {
  EVP_DigestUpdate(as_context(context_), &number, sizeof number);
  return *this;
}

std::array<std::uint8_t, 32> Hasher::digest() {
  std::array<std::uint8_t, 32> bytes{};
  EVP_DigestFinal_ex(as_context(context_), bytes.data(), nullptr);
  return bytes;
}

std::string Hasher::hex(std::size_t digits) {
  static constexpr char symbols[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest()) {
    text += symbols[byte >> 4];
    text += symbols[byte & 15];
  }
  return text.substr(0, digits);
}

std::uint64_t first_word(const std::array<std::uint8_t, 32>& digest) {
  std::uint64_t word = 0;
  std::memcpy(&word, digest.data(), sizeof word);
  return word;
}

}  // namespace mskb
