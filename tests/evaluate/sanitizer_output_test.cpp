#include "evaluate/sanitizer_output.hpp"

#include <gtest/gtest.h>

namespace mskb::test {

namespace {

TEST(SanitizerOutput, TellsAddressSanitizersFindingWithItsLine) {
  const std::string output =
      "something printed before\n"
      "==4711==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x55\n"
      "READ of size 4 at 0x602000000014 thread T0\n"
      "    #0 0x5581 in add(float const*) /somewhere/deep/add.cu:14:7\n"
      "    #1 0x5582 in main /somewhere/deep/other.cu:99\n";
  EXPECT_EQ(first_finding(output), "AddressSanitizer: heap-buffer-overflow at add.cu:14");
  EXPECT_EQ(telling_line(output), first_finding(output));
  EXPECT_EQ(first_finding("==1==ERROR: AddressSanitizer: SEGV (pc 0x1)\n"), "AddressSanitizer: SEGV");
}

TEST(SanitizerOutput, TellsUndefinedBehavior) {
  EXPECT_EQ(first_finding("add.cu:3:5: runtime error: signed integer overflow: 1 + 2147483647\n"),
            "UndefinedBehaviorSanitizer: signed integer overflow: 1 + 2147483647 at add.cu:3");
}

TEST(SanitizerOutput, TellsComputeSanitizersFindingAndNotWhatSurroundsIt) {
  const std::string around =
      "========= COMPUTE-SANITIZER\n"
      "========= Program hit nothing of interest\n"
      "========= Warning: something slow\n";
  EXPECT_EQ(first_finding(around + "========= ERROR SUMMARY: 0 errors\n"), "");
  EXPECT_EQ(first_finding(around + "========= Invalid __global__ write of size 4 bytes\n=========     at fill(float*)+0x60 in fill.cu:7\n"),
            "Invalid __global__ write of size 4 bytes at fill.cu:7");
}

TEST(SanitizerOutput, WithoutAFindingTheLastLineTells) {
  EXPECT_EQ(first_finding("first\nlast\n\n"), "");
  EXPECT_EQ(telling_line("first\nlast\n\n"), "last");
  EXPECT_EQ(telling_line("last without an end"), "last without an end");
  EXPECT_EQ(telling_line(std::string(1000, 'x')).size(), 300u);
  EXPECT_EQ(telling_line("\n\n"), "");
  EXPECT_EQ(telling_line(""), "");
}

}  // namespace

}  // namespace mskb::test
