#include "evaluate/null_kernel.hpp"

#include <gtest/gtest.h>

namespace mskb::test {

namespace {
wire::Called call(double span, double lead, double tail) {
  wire::Called called{};
  called.span_us = span;
  called.lead_us = lead;
  called.tail_us = tail;
  return called;
}

wire::Called beside_null_kernel(double span, double host) {
  wire::Called called = call(1000, 100, 100);
  called.null_span_us = span;
  called.null_host_us = host;
  return called;
}
}  // namespace

TEST(NullKernels, HostTimeBeyondANullKernelIsPartOfTheSpan) {
  NullKernels null_kernels;
  for (const double host : {9.0, 10.0, 11.0}) {
    null_kernels.add(beside_null_kernel(0.5, host));
  }
  EXPECT_DOUBLE_EQ(null_kernels.span_us(), 0.5);
  EXPECT_DOUBLE_EQ(null_kernels.span_us(call(20, 7, 3)), 20);
  EXPECT_DOUBLE_EQ(null_kernels.span_us(call(20, 107, 53)), 170);
}

TEST(NullKernels, AShorterHostTimeIsNotCredited) {
  NullKernels null_kernels;
  null_kernels.add(beside_null_kernel(0.5, 10));
  EXPECT_DOUBLE_EQ(null_kernels.span_us(call(20, 1, 1)), 20);
}

// The clocks' offset moves time from lead to tail; the span does not follow it.
TEST(NullKernels, AWanderingClockOffsetCancels) {
  NullKernels null_kernels;
  null_kernels.add(beside_null_kernel(0.5, 10));
  EXPECT_DOUBLE_EQ(null_kernels.span_us(call(20, 8.5, 2.5)), null_kernels.span_us(call(20, 7, 4)));
}

}  // namespace mskb::test
