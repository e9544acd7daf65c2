#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace mskb {

// Incremental SHA-256. Every piece is preceded by its length, so that ("ab","c") and ("a","bc") differ.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  Hasher& add(std::string_view piece);
  Hasher& add(std::uint64_t number);
  std::array<std::uint8_t, 32> digest();  // ends the hash
  std::string hex(std::size_t digits = 64);  // ends the hash; its first `digits` hexadecimal digits

 private:
  void* context_;
};

// The first 8 bytes of the digest as a number.
std::uint64_t first_word(const std::array<std::uint8_t, 32>& digest);

}  // namespace mskb
