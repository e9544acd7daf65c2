// The rules of `mskb check` that need no keeper.
#include "evaluate/task_check.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace mskb {
namespace {

using wire::Damage;

// A case of one input and of outputs with these acceptances, of 100 elements each.
Case with_outputs(const std::vector<AcceptKind>& kinds) {
  Case test_case;
  test_case.arguments.push_back({"input", Role::in, ElementType::f32, 100, {}, 0, {}});
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    CaseArgument output{"output" + std::to_string(i), Role::out, ElementType::f32, 100, {}, 0, {}};
    output.accept.kind = kinds[i];
    test_case.arguments.push_back(output);
  }
  return test_case;
}

// Argument k lies in [0, 10] with this deviation.
wire::Spread spread(const std::vector<double>& deviations) {
  wire::Spread spread{};
  for (std::size_t k = 0; k < deviations.size(); ++k) {
    spread.mean[k] = 5;
    spread.deviation[k] = deviations[k];
    spread.largest[k] = 10;
  }
  return spread;
}

TEST(NearConstant, WantsADeviationOfAHundredthOfTheScale) {
  const Case one = with_outputs({AcceptKind::elementwise});
  EXPECT_EQ(near_constant(one, spread({0, 0.11})), "");
  EXPECT_EQ(near_constant(one, spread({0, 0.1})), "output0 has deviation 0.1 at a scale of 10");
  wire::Spread negative = spread({0, 0.11});
  negative.smallest[1] = -20;
  EXPECT_NE(near_constant(one, negative), "");
}

TEST(NearConstant, WantsItOfEveryOutputThatNeedNotBeExact) {
  const Case two = with_outputs({AcceptKind::elementwise, AcceptKind::normwise});
  EXPECT_EQ(near_constant(two, spread({0, 1, 1})), "");
  EXPECT_NE(near_constant(two, spread({0, 1, 0})), "");
  EXPECT_NE(near_constant(two, spread({0, 0, 1})), "");
  const Case mixed = with_outputs({AcceptKind::exact, AcceptKind::elementwise});
  EXPECT_NE(near_constant(mixed, spread({0, 1, 0})), "") << "an exact one does not stand for it";
}

TEST(NearConstant, WantsItOfOneOfTheExactOutputs) {
  const Case two = with_outputs({AcceptKind::exact, AcceptKind::exact});
  EXPECT_EQ(near_constant(two, spread({0, 1, 0})), "");
  EXPECT_EQ(near_constant(two, spread({0, 0, 1})), "");
  EXPECT_NE(near_constant(two, spread({0, 0, 0})), "");
  EXPECT_NE(near_constant(with_outputs({AcceptKind::exact, AcceptKind::elementwise}), spread({0, 0, 1})), "")
      << "nor does another stand for an exact one";
}

TEST(NearConstant, LeavesSingleElementsAndInputsOut) {
  Case one = with_outputs({AcceptKind::elementwise});
  one.arguments[1].elements = 1;
  EXPECT_EQ(near_constant(one, spread({0, 0})), "");
}

TEST(NearConstant, RefusesWhatIsNotFinite) {
  Case one = with_outputs({AcceptKind::exact});
  one.arguments[1].elements = 1;
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    wire::Spread odd = spread({0, 1});
    odd.mean[1] = bad;
    EXPECT_EQ(near_constant(one, odd), "output0 is not finite");
  }
}

TEST(HonestOrder, HasNoChainOfMoreThan65536Additions) {
  EXPECT_TRUE(is_honest_order(Damage::forward_fp32, 65536));
  EXPECT_FALSE(is_honest_order(Damage::forward_fp32, 65537));
  EXPECT_TRUE(is_honest_order(Damage::strided_fp32, 32.0 * 65536));
  EXPECT_FALSE(is_honest_order(Damage::strided_fp32, 32.0 * 65536 + 32));
  EXPECT_TRUE(is_honest_order(Damage::blocked_fp32, 256.0 * 65536));
  EXPECT_FALSE(is_honest_order(Damage::blocked_fp32, 256.0 * 65536 + 256));
  EXPECT_TRUE(is_honest_order(Damage::none, 1e12)) << "the oracle's own values are no order of summation";
}

TEST(Stale, IsAcceptedWhereThreePairsOfContentsAre) {
  std::vector<std::uint64_t> asked;
  const auto accepted_below = [&](std::uint64_t first_refused) {
    asked.clear();
    return accepts_stale([&](std::uint64_t contents) {
      asked.push_back(contents);
      return std::optional<bool>(contents < first_refused);
    });
  };
  EXPECT_EQ(accepted_below(0), false);
  EXPECT_EQ(asked.size(), 1u) << "refused at once: no more is asked";
  EXPECT_EQ(accepted_below(2), false);
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(accepted_below(3), true);
  EXPECT_EQ(asked.size(), 3u);
}

TEST(Stale, DoesNotApplyWhereContentsChangeNothing) {
  EXPECT_EQ(accepts_stale([](std::uint64_t) { return std::optional<bool>(); }), std::nullopt);
}

}  // namespace
}  // namespace mskb
