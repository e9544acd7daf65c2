#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "keeper_process.hpp"

namespace mskb::keeper_test {

namespace {

using wire::Damage;

// A case whose outputs the keeper writes itself.
struct Produced {
  Produced(const char* module, const wire::CaseSpec& spec) {
    keeper.load(module);
    keeper.ask(wire::OpenCase{spec});
    arena = std::make_unique<MappedArena>(keeper, 0, wire::arena_bytes(spec));
    keeper.ask(contents(1));
  }
  wire::Findings after(Damage damage) {
    keeper.ask<wire::Prepared>(preparation(++key));
    different = keeper.ask(wire::Produce{0, damage}).value;
    return keeper.ask<wire::Findings>(whole_check());
  }

  KeeperProcess keeper;
  std::unique_ptr<MappedArena> arena;
  std::uint64_t key = 10, different = 0;
};

TEST(Damage, TrueAndHonestOutputsPass) {
  Produced rows(MSKB_ROWS_MODULE, rows_case(7, 900, 500));
  for (const Damage honest : {Damage::none, Damage::forward_fp32, Damage::blocked_fp32, Damage::strided_fp32}) {
    const wire::Findings findings = rows.after(honest);
    EXPECT_EQ(findings.outputs[1].refused + findings.outputs[2].refused + findings.outputs[3].refused, 0u)
        << static_cast<int>(honest);
    EXPECT_EQ(findings.guard_bytes_changed, 0u);
    EXPECT_EQ(findings.modified_input, -1);
    EXPECT_EQ(rows.different == 0, honest == Damage::none) << static_cast<int>(honest);
  }
}

TEST(Damage, EveryDamageIsRefused) {
  Produced rows(MSKB_ROWS_MODULE, rows_case(7, 900, 500));
  for (const Damage damage :
       {Damage::zeros, Damage::constant, Damage::stale, Damage::skipped_tail, Damage::swapped, Damage::bf16_inputs}) {
    const wire::Findings findings = rows.after(damage);
    EXPECT_GT(findings.outputs[1].refused, 0u) << static_cast<int>(damage);
    EXPECT_GT(findings.outputs[3].refused, 0u) << static_cast<int>(damage);
    EXPECT_GT(rows.different, 0u);
  }
  for (const Damage damage : {Damage::dropped_term, Damage::bf16_accumulate}) {
    EXPECT_GT(rows.after(damage).outputs[2].refused, 0u) << static_cast<int>(damage);
  }
  const wire::Findings findings = rows.after(Damage::unwritten);
  EXPECT_EQ(findings.outputs[1].unwritten, 6300u);
  EXPECT_EQ(findings.outputs[2].unwritten, 1u);
  EXPECT_GT(findings.outputs[3].refused, 0u) << "in place: the contents are still there, unsorted";
  EXPECT_EQ(rows.after(Damage::none).outputs[1].refused, 0u) << "the true contents and stages are back";
}

TEST(Damage, OnlyTheFirstElementIsRight) {
  Produced gate(MSKB_GATE_MODULE, gate_case(64));
  const wire::OutputFindings found = gate.after(Damage::first_only).outputs[1];
  EXPECT_EQ(found.refused, 63u);
  EXPECT_EQ(found.first_refused, 1);
  EXPECT_EQ(found.got, 0);
  EXPECT_EQ(gate.different, 63u);
}

TEST(Damage, SaysWhereItCannotApply) {
  Produced gate(MSKB_GATE_MODULE, gate_case(64));
  EXPECT_THROW(gate.after(Damage::dropped_term), Refused);
  EXPECT_THROW(gate.after(Damage::forward_fp32), Refused);
  EXPECT_GT(gate.after(Damage::tf32_inputs).outputs[1].refused, 0u);
  Produced bf16(MSKB_GATE_MODULE, gate_case(64, elementwise(1.0 / 256, 0), ElementType::bf16));
  try {
    bf16.after(Damage::tf32_inputs);
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_TRUE(refused.skip);
  }
}

TEST(Damage, DoesNotApplyWhereItChangesNothing) {
  wire::CaseSpec spec = gate_case(64);
  spec.arguments[0].fill = {FillKind::constant, 0, 1, 0, 0};
  Produced gate(MSKB_GATE_MODULE, spec);
  for (const Damage damage : {Damage::constant, Damage::stale, Damage::swapped, Damage::bf16_inputs}) {
    EXPECT_THROW(gate.after(damage), Refused) << static_cast<int>(damage);
  }
  EXPECT_GT(gate.after(Damage::zeros).outputs[1].refused, 0u);
  EXPECT_EQ(gate.after(Damage::none).outputs[1].refused, 0u);
}

TEST(Spread, DescribesTheTrueOutput) {
  Produced rows(MSKB_ROWS_MODULE, rows_case(2, 3, 1000));
  const auto spread = rows.keeper.ask<wire::Spread>(wire::AskSpread{});
  EXPECT_EQ(spread.deviation[2], 0);
  EXPECT_NEAR(spread.mean[3], 0, 0.1);
  EXPECT_NEAR(spread.deviation[3], std::sqrt(1.0 / 3), 0.05);
  EXPECT_LT(spread.smallest[3], -0.95);
  EXPECT_GT(spread.largest[3], 0.95);
  rows.keeper.ask(contents(2));
  EXPECT_NE(rows.keeper.ask<wire::Spread>(wire::AskSpread{}).contents_hash, spread.contents_hash);
}

// More elements than partial sums, of the contents that are there now.
TEST(Spread, AddsManyElements) {
  constexpr std::uint64_t n = 200001;
  Produced gate(MSKB_GATE_MODULE, gate_case(n));
  const auto before = gate.keeper.ask<wire::Spread>(wire::AskSpread{});
  const wire::Findings findings = gate.after(Damage::none);
  EXPECT_EQ(findings.outputs[1].refused, 0u);
  const double mean_square = findings.outputs[1].squared_want / static_cast<double>(n);
  EXPECT_NEAR(before.mean[1] * before.mean[1] + before.deviation[1] * before.deviation[1], mean_square, 1e-9 * mean_square);
  EXPECT_GT(before.deviation[1], 0);
  EXPECT_LT(before.smallest[1], before.mean[1]);
  EXPECT_GT(before.largest[1], before.mean[1]);
  gate.keeper.ask(contents(2));
  EXPECT_NE(gate.keeper.ask<wire::Spread>(wire::AskSpread{}).mean[1], before.mean[1]);
  gate.keeper.ask(contents(1));
  gate.after(Damage::stale);
  EXPECT_EQ(gate.keeper.ask<wire::Spread>(wire::AskSpread{}).mean[1], before.mean[1]) << "the other contents are gone";
}

// Sorted in place by a worker, right and in all the ways to be wrong.
struct Sorted : testing::Test {
  static constexpr std::uint64_t n = 777;
  Sorted() : rows(MSKB_ROWS_MODULE, rows_case(2, 3, n)) {
    const auto prepared = rows.keeper.ask<wire::Prepared>(preparation(5));
    rows.keeper.ask(wire::Produce{0, Damage::none});
    data = rows.arena->at<float>(prepared.offsets[3]);
  }
  wire::OutputFindings check() { return rows.keeper.ask<wire::Findings>(whole_check()).outputs[3]; }

  Produced rows;
  float* data;
};

TEST_F(Sorted, Right) {
  EXPECT_TRUE(std::is_sorted(data, data + n));
  EXPECT_EQ(check().refused, 0u);
  EXPECT_EQ(check().checked, n);
}

TEST_F(Sorted, Unsorted) {
  std::swap(data[100], data[200]);
  EXPECT_EQ(check().refused, 2u);
  EXPECT_EQ(check().first_refused, 100);
  EXPECT_GT(check().got, check().want);
}

TEST_F(Sorted, AnElementTwiceAndAnotherMissing) {
  data[300] = data[301];
  const wire::OutputFindings found = check();
  EXPECT_EQ(found.refused, 1u);
  EXPECT_EQ(found.first_refused, 300);
  EXPECT_LT(found.want, found.got);
}

TEST_F(Sorted, TwoDuplicatesSwapped) {
  const float a = data[10], b = data[20];
  std::fill(data + 10, data + 15, a);
  std::fill(data + 15, data + 21, b);
  EXPECT_GT(check().refused, 0u);
}

TEST_F(Sorted, NaN) {
  data[n - 1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(check().refused, 1u);
  EXPECT_EQ(check().not_finite, 1u);
}

TEST_F(Sorted, Constant) {
  std::fill(data, data + n, 0.25f);
  EXPECT_GT(check().refused, n - 3);
}

}  // namespace

}  // namespace mskb::keeper_test
