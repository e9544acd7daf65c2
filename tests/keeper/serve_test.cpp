#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/bf16.hpp"
#include "keeper_process.hpp"

namespace mskb::keeper_test {

namespace {

constexpr std::uint64_t n = 1000;

// One step of the gate case on a mapped arena, as a worker would see it.
struct GateStep {
  explicit GateStep(const wire::CaseSpec& spec = gate_case(n), wire::Poison poison = wire::Poison::nan)
      : count(spec.arguments[1].elements) {
    keeper.load(MSKB_GATE_MODULE);
    keeper.ask(wire::OpenCase{spec});
    arena = std::make_unique<MappedArena>(keeper, 0, wire::arena_bytes(spec));
    keeper.ask(contents(1));
    again(7, poison);
  }
  void again(std::uint64_t key, wire::Poison poison = wire::Poison::nan) {
    prepared = keeper.ask<wire::Prepared>(preparation(key, poison));
    in = arena->at<float>(prepared.offsets[0]);
    out = arena->at<float>(prepared.offsets[1]);
  }
  void compute() const {
    for (std::uint64_t i = 0; i < count; ++i) {
      const float gate = in[i + count];
      out[i] = in[i] * gate / (1 + std::fabs(gate));
    }
  }
  wire::Findings check(const wire::Check& request = whole_check()) { return keeper.ask<wire::Findings>(request); }

  KeeperProcess keeper;
  std::unique_ptr<MappedArena> arena;
  std::uint64_t count;
  wire::Prepared prepared{};
  float* in = nullptr;
  float* out = nullptr;
};

TEST(Serve, IntroducesTheDevice) {
  KeeperProcess keeper;
  EXPECT_GT(keeper.facts().memory_bytes, 0u);
  EXPECT_EQ(keeper.facts().capability_major, 0u);
  EXPECT_NE(keeper.facts().name[0], '\0');
}

TEST(Serve, EndsWhenItsSocketCloses) {
  KeeperProcess keeper;
  EXPECT_EQ(keeper.end(), 0);
}

TEST(Serve, RefusesRequestsOutOfOrderAndLivesOn) {
  KeeperProcess keeper;
  EXPECT_THROW(keeper.ask(wire::OpenCase{gate_case(4)}), Refused);
  keeper.load(MSKB_GATE_MODULE);
  EXPECT_THROW(keeper.ask(contents(1)), Refused);
  keeper.ask(wire::OpenCase{gate_case(4)});
  EXPECT_THROW(keeper.ask<wire::Prepared>(preparation(1)), Refused);
  keeper.ask(contents(1));
  try {
    keeper.ask<wire::Prepared>(preparation(1));
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_FALSE(refused.skip);
    EXPECT_THAT(refused.what(), testing::HasSubstr("arena 0 is not open"));
  }
  EXPECT_THROW(keeper.ask<wire::Findings>(whole_check()), Refused);
  EXPECT_GT(keeper.ask(wire::Probe{}).value, 0u);
}

TEST(Serve, SkipsACaseThatDoesNotFit) {
  KeeperProcess keeper;
  keeper.load(MSKB_GATE_MODULE);
  try {
    keeper.ask<wire::ArenaOpened>(wire::OpenArena{0, std::uint64_t{1} << 50});
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_TRUE(refused.skip);
    EXPECT_THAT(refused.what(), testing::HasSubstr("1125899906842624"));
  }
}

TEST(Serve, AcceptsARightAnswer) {
  GateStep step;
  step.compute();
  const wire::Findings findings = step.check();
  EXPECT_EQ(findings.outputs[1].checked, n);
  EXPECT_EQ(findings.outputs[1].refused, 0u);
  EXPECT_EQ(findings.outputs[1].unwritten, 0u);
  EXPECT_EQ(findings.outputs[1].first_refused, -1);
  EXPECT_LE(findings.outputs[1].worst_ratio, 1.0);
  EXPECT_EQ(findings.guard_bytes_changed, 0u);
  EXPECT_EQ(findings.guard_argument, -1);
  EXPECT_EQ(findings.modified_input, -1);
}

TEST(Serve, AcceptsBf16) {
  GateStep step(gate_case(n, elementwise(1.0 / 256, 0), ElementType::bf16));
  auto* in = step.arena->at<std::uint16_t>(step.prepared.offsets[0]);
  auto* out = step.arena->at<std::uint16_t>(step.prepared.offsets[1]);
  for (std::uint64_t i = 0; i < n; ++i) {
    const float gate = float_from_bf16(in[i + n]);
    out[i] = bf16_from_float(float_from_bf16(in[i]) * gate / (1 + std::fabs(gate)));
  }
  EXPECT_EQ(step.check().outputs[1].refused, 0u);
  out[n - 1] = 0x7fc0;
  const wire::Findings findings = step.check();
  EXPECT_EQ(findings.outputs[1].refused, 1u);
  EXPECT_EQ(findings.outputs[1].not_finite, 1u);
}

TEST(Serve, NamesTheFirstWrongElement) {
  GateStep step;
  step.compute();
  step.out[123] += 1;
  step.out[700] = std::numeric_limits<float>::quiet_NaN();
  const wire::Findings findings = step.check();
  EXPECT_EQ(findings.outputs[1].refused, 2u);
  EXPECT_EQ(findings.outputs[1].first_refused, 123);
  EXPECT_NEAR(findings.outputs[1].got - findings.outputs[1].want, 1, 1e-5);
  EXPECT_EQ(findings.outputs[1].not_finite, 1u);
  EXPECT_EQ(findings.outputs[1].unwritten, 0u);
}

TEST(Serve, FindsUnwrittenElementsUnderEveryPoison) {
  for (const wire::Poison poison : {wire::Poison::nan, wire::Poison::finite, wire::Poison::large}) {
    GateStep step(gate_case(n), poison);
    const float kept = step.out[500];
    step.compute();
    std::memcpy(&step.out[500], &kept, sizeof kept);
    const wire::Findings findings = step.check();
    EXPECT_EQ(findings.outputs[1].unwritten, 1u);
    EXPECT_EQ(findings.outputs[1].refused, 1u);
    EXPECT_EQ(findings.outputs[1].first_refused, 500);
  }
}

TEST(Serve, FindsOneUnwrittenElementOutsideTheSample) {
  constexpr std::uint64_t many = 200000;
  for (const wire::Poison poison : {wire::Poison::nan, wire::Poison::finite}) {
    GateStep step(gate_case(many), poison);
    const float kept = step.out[77777];
    step.compute();
    std::memcpy(&step.out[77777], &kept, sizeof kept);
    wire::Check sampled = whole_check();
    sampled.whole = 0;
    sampled.sample_count = 1000;
    const wire::Findings findings = step.check(sampled);
    EXPECT_GE(findings.outputs[1].checked, 1000u);
    EXPECT_LT(findings.outputs[1].checked, 3000u);
    EXPECT_EQ(findings.outputs[1].first_refused, 77777);
    EXPECT_GE(findings.outputs[1].unwritten, 1u);
  }
}

TEST(Serve, FindsWritesBeforeAndAfterABuffer) {
  GateStep step;
  step.compute();
  auto* bytes = step.arena->at<unsigned char>(step.prepared.offsets[1]);
  bytes[n * sizeof(float)] ^= 1;
  wire::Findings findings = step.check();
  EXPECT_EQ(findings.guard_bytes_changed, 1u);
  EXPECT_EQ(findings.guard_argument, 1);
  EXPECT_EQ(findings.guard_distance, 1);
  bytes[n * sizeof(float)] ^= 1;
  bytes[-5] ^= 0x80;
  findings = step.check();
  EXPECT_EQ(findings.guard_bytes_changed, 1u);
  EXPECT_EQ(findings.guard_argument, 1);
  EXPECT_EQ(findings.guard_distance, -5);
}

TEST(Serve, FindsWritesAtBothEndsOfTheArena) {
  GateStep step;
  step.compute();
  *step.arena->at<unsigned char>(0) ^= 1;
  *step.arena->at<unsigned char>(step.arena->bytes() - 1) ^= 1;
  EXPECT_EQ(step.check().guard_bytes_changed, 2u);
  step.again(8);
  step.compute();
  EXPECT_EQ(step.check().guard_bytes_changed, 0u);
}

TEST(Serve, FindsWritesBehindASmallCaseInALargeArena) {
  GateStep step;
  MappedArena large(step.keeper, 0, 8u << 20);
  step.prepared = step.keeper.ask<wire::Prepared>(preparation(9));
  EXPECT_EQ(step.check().guard_bytes_changed, 0u);
  *large.at<unsigned char>(5u << 20) ^= 1;
  wire::Findings findings = step.check();
  EXPECT_EQ(findings.guard_bytes_changed, 1u);
  EXPECT_GT(findings.guard_distance, 4 << 20);
  step.keeper.ask<wire::Prepared>(preparation(10));
  EXPECT_EQ(step.check().guard_bytes_changed, 0u);
}

TEST(Serve, FindsAChangedInput) {
  GateStep step;
  step.compute();
  step.in[3] = -step.in[3];
  step.in[2 * n - 1] += 1;
  const wire::Findings findings = step.check();
  EXPECT_EQ(findings.modified_input, 0);
  EXPECT_EQ(findings.modified_elements, 2u);
  EXPECT_EQ(findings.outputs[1].refused, 0u) << "truth is taken from the pristine contents";
}

TEST(Serve, FingerprintsTheOutputsBits) {
  GateStep step;
  step.compute();
  const std::uint64_t first = step.check().outputs[1].fingerprint;
  step.again(100, wire::Poison::large);
  step.compute();
  EXPECT_EQ(step.check().outputs[1].fingerprint, first) << "the place and the poison do not matter";
  step.out[10] = std::nextafter(step.out[10], 100.0f);
  EXPECT_NE(step.check().outputs[1].fingerprint, first);
  step.compute();
  std::swap(step.out[10], step.out[11]);
  EXPECT_NE(step.check().outputs[1].fingerprint, first);
}

TEST(Serve, AppliesThePublishedRuleToTheKeptReference) {
  GateStep step;
  step.compute();
  wire::Check keep = whole_check();
  keep.keep_as_reference = 1;
  keep.compare = 1;
  EXPECT_EQ(step.check(keep).paper_compared, 0u) << "nothing was kept before";
  step.again(50);
  step.compute();
  step.out[1] += 0.5f;
  step.out[2] = std::numeric_limits<float>::quiet_NaN();
  step.out[3] += 0.005f;
  wire::Check compare = whole_check();
  compare.compare = 1;
  wire::Findings findings = step.check(compare);
  EXPECT_EQ(findings.paper_compared, 1u);
  EXPECT_EQ(findings.paper_violations, 2u);
  step.keeper.ask(contents(2));
  step.again(51);
  step.compute();
  findings = step.check(compare);
  EXPECT_EQ(findings.paper_compared, 0u) << "kept outputs belong to other contents";
}

TEST(Serve, RelaxesTheBounds) {
  GateStep step(gate_case(n, elementwise(1e-3, 0)));
  step.compute();
  for (std::uint64_t i = 0; i < n; ++i) {
    step.out[i] *= 1.0015f;
  }
  EXPECT_EQ(step.check().outputs[1].refused, n);
  wire::Check relaxed = whole_check();
  relaxed.relax = 2;
  EXPECT_EQ(step.check(relaxed).outputs[1].refused, 0u);
}

TEST(Serve, NewContentsForANewStepOnly) {
  GateStep step;
  const float before = step.in[0];
  step.keeper.ask(contents(1));
  step.again(60);
  EXPECT_EQ(step.in[0], before);
  step.keeper.ask(contents(2));
  EXPECT_THROW(step.check(), Refused) << "the arena still holds the contents before";
  step.again(61);
  EXPECT_NE(step.in[0], before);
}

TEST(Serve, ANewlyOpenedCaseHasNothingOfTheOneBefore) {
  GateStep step;
  step.keeper.ask(wire::OpenCase{gate_case(10)});
  EXPECT_THROW(step.check(), Refused);
  EXPECT_THROW(step.keeper.ask<wire::Prepared>(preparation(1)), Refused);
}

TEST(Serve, AWorkerCannotShortenItsArena) {
  GateStep step;
  EXPECT_NE(::ftruncate(step.arena->file(), 0), 0);
  step.compute();
  EXPECT_EQ(step.check().outputs[1].refused, 0u);
}

TEST(Serve, TellsModulesApartThatBearEqualNames) {
  GateStep step;
  step.keeper.load(MSKB_ROWS_MODULE);
  step.keeper.ask(wire::OpenCase{rows_case(2, 3, 4)});
  step.keeper.ask(contents(1));
  const auto rows = step.keeper.ask<wire::Spread>(wire::AskSpread{});
  EXPECT_GT(rows.mean[2], 0);
  step.keeper.load(MSKB_GATE_MODULE);
  step.keeper.ask(wire::OpenCase{gate_case(n)});
  step.keeper.ask(contents(1));
  step.again(70);
  step.compute();
  EXPECT_EQ(step.check().outputs[1].refused, 0u);
}

}  // namespace

}  // namespace mskb::keeper_test
