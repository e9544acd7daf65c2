#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "keeper_process.hpp"

// Needs a GPU. The CUDA keeper must agree with the CPU keeper on everything that can be seen without mapping an arena.
namespace mskb::keeper_test {

namespace {

using wire::Damage;

// Both keepers with the same case and contents.
struct Pair {
  Pair(const char* cpu_module, const char* cuda_module, const wire::CaseSpec& spec) : cuda("mskb-keeper") {
    cpu.load(cpu_module);
    cuda.load(cuda_module);
    for (KeeperProcess* keeper : {&cpu, &cuda}) {
      keeper->ask(wire::OpenCase{spec});
      UniqueFd file;
      keeper->ask<wire::ArenaOpened>(wire::OpenArena{0, wire::arena_bytes(spec)}, -1, &file);
      keeper->ask(contents(1));
    }
  }

  struct Seen {
    bool applies = true;
    std::uint64_t different = 0;
    wire::Findings findings{};
  };
  static Seen after(KeeperProcess& keeper, Damage damage, const wire::Check& check = whole_check(),
                    wire::Poison poison = wire::Poison::nan) {
    Seen seen;
    wire::Prepare prepare = preparation(11 + static_cast<std::uint64_t>(damage), poison);
    prepare.flush = 1;
    keeper.ask<wire::Prepared>(prepare);
    try {
      seen.different = keeper.ask(wire::Produce{0, damage}).value;
    } catch (const Refused& refused) {
      EXPECT_TRUE(refused.skip) << refused.what();
      seen.applies = false;
      return seen;
    }
    seen.findings = keeper.ask<wire::Findings>(check);
    return seen;
  }

  KeeperProcess cpu, cuda;
};

void expect_equal(const Pair::Seen& a, const Pair::Seen& b, int arguments) {
  ASSERT_EQ(a.applies, b.applies);
  EXPECT_EQ(a.findings.guard_bytes_changed, 0u);
  EXPECT_EQ(b.findings.guard_bytes_changed, 0u);
  EXPECT_EQ(a.findings.modified_input, b.findings.modified_input);
  for (int k = 0; k < arguments; ++k) {
    const wire::OutputFindings &x = a.findings.outputs[k], &y = b.findings.outputs[k];
    EXPECT_EQ(x.checked, y.checked);
    EXPECT_EQ(x.refused, y.refused) << "argument " << k;
    EXPECT_EQ(x.unwritten, y.unwritten) << "argument " << k;
    EXPECT_EQ(x.not_finite, y.not_finite);
    if (x.unwritten > 0) {
      continue;  // of very many suspects each device checks others
    }
    EXPECT_EQ(x.first_refused, y.first_refused);
    EXPECT_NEAR(x.worst_ratio, y.worst_ratio, 1e-6 * x.worst_ratio + 1e-6) << "argument " << k;
    EXPECT_NEAR(x.squared_error, y.squared_error, 1e-6 * x.squared_error + 1e-20);
    EXPECT_NEAR(x.squared_want, y.squared_want, 1e-9 * x.squared_want);
  }
}

void expect_agreement(Pair& pair, int arguments, std::uint32_t damages = wire::damage_count) {
  const auto a = pair.cpu.ask<wire::Spread>(wire::AskSpread{}), b = pair.cuda.ask<wire::Spread>(wire::AskSpread{});
  EXPECT_EQ(a.contents_hash, b.contents_hash) << "contents must be the same bits";
  for (int k = 0; k < arguments; ++k) {
    EXPECT_NEAR(a.mean[k], b.mean[k], 1e-12 + 1e-9 * std::abs(a.mean[k]));
    EXPECT_NEAR(a.deviation[k], b.deviation[k], 1e-12 + 1e-9 * a.deviation[k]);
  }
  wire::Check sampled = whole_check();
  sampled.whole = 0;
  sampled.sample_count = 500;
  for (std::uint32_t d = 0; d < damages; ++d) {
    SCOPED_TRACE(testing::Message() << "damage " << d);
    for (const wire::Check& check : {whole_check(), sampled}) {
      expect_equal(Pair::after(pair.cpu, static_cast<Damage>(d), check),
                   Pair::after(pair.cuda, static_cast<Damage>(d), check), arguments);
    }
  }
}

TEST(CudaKeeper, AgreesOnAnElementwiseTask) {
  for (const std::uint64_t n : {1, 3, 1000, 100003}) {
    Pair pair(MSKB_GATE_MODULE, MSKB_GATE_MODULE_CUDA, gate_case(n));
    expect_agreement(pair, 2);
  }
}

TEST(CudaKeeper, AgreesInBf16) {
  Pair pair(MSKB_GATE_MODULE, MSKB_GATE_MODULE_CUDA, gate_case(4097, elementwise(1.0 / 256, 0), ElementType::bf16));
  expect_agreement(pair, 2);
}

// Few sums (cut into parts) and many sums (a warp each).
TEST(CudaKeeper, AgreesOnSumsAndSorting) {
  const std::pair<std::uint64_t, std::uint64_t> shapes[] = {{1, 1}, {3, 100001}, {2500, 33}};
  for (const auto& [rows, columns] : shapes) {
    SCOPED_TRACE(testing::Message() << rows << " x " << columns);
    Pair pair(MSKB_ROWS_MODULE, MSKB_ROWS_MODULE_CUDA, rows_case(rows, columns, 777));
    expect_agreement(pair, 4);
  }
}

// Many long sums: the whole block helps.
TEST(CudaKeeper, AgreesOnManyLongSums) {
  Pair pair(MSKB_ROWS_MODULE, MSKB_ROWS_MODULE_CUDA, rows_case(2051, 4200, 3));
  expect_agreement(pair, 4, 2);
}

TEST(CudaKeeper, FindsEveryPoison) {
  Pair pair(MSKB_GATE_MODULE, MSKB_GATE_MODULE_CUDA, gate_case(70001));
  for (const wire::Poison poison : {wire::Poison::nan, wire::Poison::finite, wire::Poison::large}) {
    const Pair::Seen seen = Pair::after(pair.cuda, Damage::unwritten, whole_check(), poison);
    EXPECT_EQ(seen.findings.outputs[1].unwritten, 70001u);
  }
}

TEST(CudaKeeper, ProbesAndSkipsWhatDoesNotFit) {
  KeeperProcess keeper("mskb-keeper");
  EXPECT_GT(keeper.facts().memory_bandwidth, 1e11);
  EXPECT_GT(keeper.ask(wire::Probe{}).value, 0u);
  try {
    keeper.ask<wire::ArenaOpened>(wire::OpenArena{0, std::uint64_t{1} << 42});
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_TRUE(refused.skip) << refused.what();
  }
  EXPECT_GT(keeper.ask(wire::Probe{}).value, 0u);
}

// Prints what a step costs the keeper; asserts nothing of it.
TEST(CudaKeeper, MeasuresTheClockRate) {
  KeeperProcess keeper("mskb-keeper");
  std::vector<std::uint64_t> rates;
  for (int i = 0; i < 20; ++i) {
    rates.push_back(keeper.ask(wire::AskClockRate{}).value);
  }
  EXPECT_GT(rates.back(), 200000u);
  EXPECT_LT(rates.back(), 4000000u);
  EXPECT_NEAR(static_cast<double>(rates[18]), static_cast<double>(rates[19]), 0.02 * static_cast<double>(rates[19]));
  std::printf("clock rate, kHz: %llu ... %llu\n", static_cast<unsigned long long>(rates[0]), static_cast<unsigned long long>(rates[19]));
}

TEST(CudaKeeper, StepCosts) {
  for (const std::uint64_t n : {std::uint64_t{1000}, std::uint64_t{1} << 28}) {
    KeeperProcess keeper("mskb-keeper");
    keeper.load(MSKB_GATE_MODULE_CUDA);
    const wire::CaseSpec spec = gate_case(n);
    keeper.ask(wire::OpenCase{spec});
    UniqueFd file;
    keeper.ask<wire::ArenaOpened>(wire::OpenArena{0, wire::arena_bytes(spec)}, -1, &file);
    wire::Check sampled = whole_check();
    sampled.whole = 0;
    sampled.sample_count = 65536;
    double best[4] = {1e9, 1e9, 1e9, 1e9};
    for (std::uint64_t step = 1; step < 12; ++step) {
      const auto timed = [&](int k, const auto& body) {
        const auto begin = std::chrono::steady_clock::now();
        body();
        best[k] = std::min(best[k],
                           std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
      };
      wire::Prepare prepare = preparation(step);
      prepare.flush = 1;
      timed(0, [&] { keeper.ask(contents(step)); });
      timed(1, [&] { keeper.ask<wire::Prepared>(prepare); });
      timed(2, [&] { keeper.ask<wire::Findings>(sampled); });
      timed(3, [&] { keeper.ask<wire::Findings>(whole_check()); });
    }
    std::printf("n = %llu: generate %.3f, prepare and generation %.3f, sampled check %.3f, whole check %.3f ms\n",
                static_cast<unsigned long long>(n), best[0], best[1], best[2], best[3]);
  }
}

}  // namespace

}  // namespace mskb::keeper_test
