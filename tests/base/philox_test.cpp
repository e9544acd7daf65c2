#include "base/philox.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mskb {
namespace {

TEST(Philox, MatchesThePublishedVectors) {
  // Philox4x32-10 known answers for an all-zero counter and key.
  const PhiloxWords zero = philox(0, 0);
  EXPECT_EQ(zero.word[0], 0x6627e8d5u);
  EXPECT_EQ(zero.word[1], 0xe169c58du);
  EXPECT_EQ(zero.word[2], 0xbc57ac4cu);
  EXPECT_EQ(zero.word[3], 0x9b00dbd8u);
}

TEST(Philox, WordsOfElementsComeFromTheirQuad) {
  for (std::uint64_t i = 0; i < 64; ++i) {
    EXPECT_EQ(philox_word(42, i), philox(42, i / 4).word[i % 4]);
  }
}

TEST(Philox, KeysAndCountersMatter) {
  std::set<std::uint32_t> words;
  for (std::uint64_t key : {std::uint64_t{1}, std::uint64_t{1} << 32}) {
    for (std::uint64_t counter : {std::uint64_t{1}, std::uint64_t{1} << 32}) {
      words.insert(philox(key, counter).word[0]);
    }
  }
  EXPECT_EQ(words.size(), 4u);
}

}  // namespace
}  // namespace mskb
