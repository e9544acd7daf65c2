#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "keeper/guards.hpp"
#include "keeper_process.hpp"

namespace mskb::keeper_test {

namespace {

wire::CaseSpec awkward_case() {
  wire::CaseSpec spec{};
  spec.argument_count = 5;
  spec.arguments[0] = buffer(wire::ArgumentRole::in, 1, {});
  spec.arguments[1] = number(wire::ArgumentRole::dim, 3);
  spec.arguments[2] = buffer(wire::ArgumentRole::out, 12345, {}, {}, ElementType::bf16);
  spec.arguments[3] = buffer(wire::ArgumentRole::inout, 4096, {});
  spec.arguments[4] = buffer(wire::ArgumentRole::out, 3, {}, {}, ElementType::i32);
  return spec;
}

TEST(Layout, BuffersAreAlignedApartAndInside) {
  const wire::CaseSpec spec = awkward_case();
  for (std::uint64_t key = 0; key < 500; ++key) {
    const wire::Layout layout = wire::make_layout(spec, key);
    EXPECT_EQ(layout.buffers, 4);
    std::uint64_t free_from = 0;
    for (int b = 0; b < layout.buffers; ++b) {
      const int k = layout.order[static_cast<std::size_t>(b)];
      EXPECT_EQ(layout.offsets[k] % wire::buffer_alignment, 0u);
      EXPECT_GE(layout.offsets[k], free_from + wire::guard_bytes);
      free_from = layout.offsets[k] + wire::buffer_bytes(spec.arguments[k]);
    }
    EXPECT_LE(free_from + wire::guard_bytes, layout.used);
    EXPECT_EQ(layout.used, wire::arena_bytes(spec));
  }
}

TEST(Layout, OrderAndPlacesMove) {
  const wire::CaseSpec spec = awkward_case();
  std::set<int> first;
  std::set<std::uint64_t> places;
  for (std::uint64_t key = 0; key < 200; ++key) {
    const wire::Layout layout = wire::make_layout(spec, key);
    first.insert(layout.order[0]);
    places.insert(layout.offsets[3]);
  }
  EXPECT_EQ(first.size(), 4u);
  EXPECT_GT(places.size(), 100u);
}

TEST(Layout, DependsOnTheKeyAlone) {
  const wire::CaseSpec spec = awkward_case();
  const wire::Layout a = wire::make_layout(spec, 5), b = wire::make_layout(spec, 5);
  EXPECT_TRUE(std::equal(std::begin(a.offsets), std::end(a.offsets), std::begin(b.offsets)));
}

// Guards with ends at every place of a 16-byte chunk: every guard byte is written and watched, no other is touched.
TEST(Guards, CoverExactlyTheirSegments) {
  alignas(16) std::byte memory[256];
  for (std::uint64_t begin = 0; begin < 20; ++begin) {
    for (std::uint64_t end = 33; end < 53; ++end) {
      keeper::Guards guards{};
      guards.arena = memory;
      guards.key = 77;
      guards.add(begin, end);
      guards.add(100, 101);
      guards.add(120, 120);
      std::fill(std::begin(memory), std::end(memory), std::byte{0xEE});
      const keeper::WriteGuards write{guards};
      for (std::uint64_t i = 0; i < guards.chunks(); ++i) {
        write(i);
      }
      const auto changed = [&] {
        keeper::Tally tally{};
        for (std::uint64_t i = 0; i < guards.chunks(); ++i) {
          keeper::CheckGuards{guards}(i, tally);
        }
        return tally;
      };
      EXPECT_EQ(changed().count, 0u);
      for (std::uint64_t i = 0; i < sizeof memory; ++i) {
        const bool guard = (i >= begin && i < end) || i == 100;
        if (!guard) {
          EXPECT_EQ(memory[i], std::byte{0xEE});
        }
        memory[i] ^= std::byte{0x10};
        const keeper::Tally tally = changed();
        EXPECT_EQ(tally.count, guard ? 1u : 0u);
        if (guard) {
          EXPECT_EQ(tally.first(), i);
        }
        memory[i] ^= std::byte{0x10};
      }
    }
  }
}

}  // namespace

}  // namespace mskb::keeper_test
