#include "base/hashing.hpp"

#include <gtest/gtest.h>

namespace mskb {
namespace {

TEST(Hasher, SeparatesPieces) {
  EXPECT_NE(Hasher().add("ab").add("c").hex(), Hasher().add("a").add("bc").hex());
  EXPECT_NE(Hasher().add("").add("a").hex(), Hasher().add("a").hex());
}

TEST(Hasher, IsTheSameOnEveryMachine) {
  // SHA-256 of the eight-byte little-endian length 3, then "abc", as `printf '\3\0\0\0\0\0\0\0abc' | sha256sum` prints it.
  EXPECT_EQ(Hasher().add("abc").hex(), "ce91dc5eec0139adf091900d225971d6ad246a845bad791b5693a9d0d55dd391");
}

TEST(Hasher, GivesAsManyDigitsAsAsked) {
  const std::string whole = Hasher().add("abc").hex();
  EXPECT_EQ(whole.size(), 64u);
  EXPECT_EQ(Hasher().add("abc").hex(16), whole.substr(0, 16));
}

TEST(Hasher, FirstWordIsTheDigestsStart) {
  const auto digest = Hasher().add(std::uint64_t{7}).digest();
  const std::uint64_t word = first_word(digest);
  EXPECT_EQ(word & 0xff, digest[0]);
  EXPECT_EQ(word >> 56, digest[7]);
}

}  // namespace
}  // namespace mskb
