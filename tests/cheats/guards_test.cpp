// Each guard is needed: a cheat that the guard catches passes as soon as that one guard is left out, and nothing else.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <functional>

#include "bare_pipe.hpp"
#include "wire/socket.hpp"

namespace mskb::test {
namespace {

std::string cheat(const std::string& name) { return std::string(MSKB_SOURCE_DIR) + "/tests/cheats/candidates/silu_and_mul/" + name + ".cu"; }

class Guard : public ::testing::Test {
 protected:
  // Caught by all guards, and a winner without the one that `leave_out` takes away.
  void expect_needed(const std::filesystem::path& file, const ::testing::Matcher<Verdict>& caught, const std::function<void(Guards&)>& leave_out,
                     Guards guards = {}) {
    BarePipe pipe("silu_and_mul", file);
    EXPECT_THAT(pipe.verdict(guards), caught);
    leave_out(guards);
    EXPECT_EQ(pipe.verdict(guards), Verdict::passed) << "without the guard it should win";
  }
};

using ::testing::AnyOf;
using enum Verdict;

const auto a_failure = AnyOf(incomplete, mismatch, nondeterministic);

TEST_F(Guard, Poison) {
  expect_needed(cheat("writes_nothing"), incomplete, [](Guards& guards) { guards.poison = false; });
}

TEST_F(Guard, PoisonOfVaryingKind) {
  expect_needed(cheat("looks_for_poison"), a_failure, [](Guards& guards) { guards.varying_poison = false; });
}

TEST_F(Guard, ContentsNobodyHasSeen) {
  expect_needed(cheat("replays_by_size"), mismatch, [](Guards& guards) { guards.fresh_contents = false; });
  expect_needed(cheat("replays_by_address"), mismatch, [](Guards& guards) { guards.fresh_contents = false; });
}

TEST_F(Guard, BuffersThatMove) {
  const auto caught = AnyOf(out_of_bounds, modified_input, a_failure);
  expect_needed(cheat("first_buffers"), caught, [](Guards& guards) { guards.moving_buffers = false; });
  expect_needed(cheat("graph_of_the_first_call"), caught, [](Guards& guards) { guards.moving_buffers = false; });
}

TEST_F(Guard, GuardZones) {
  expect_needed(cheat("writes_outside"), out_of_bounds, [](Guards& guards) { guards.guard_zones = false; });
  expect_needed(cheat("writes_before"), out_of_bounds, [](Guards& guards) { guards.guard_zones = false; });
}

TEST_F(Guard, InputsAreCompared) {
  expect_needed(std::string(MSKB_SOURCE_DIR) + "/tests/fixtures/kernels/modifies_input.cu", modified_input,
                [](Guards& guards) { guards.inputs = false; });
}

TEST_F(Guard, WholeChecks) {
  Guards large_case;  // of 65,536 elements
  large_case.sets = {"paper"};
  large_case.most_cases = 1;
  expect_needed(cheat("one_element_wrong"), mismatch, [](Guards& guards) { guards.whole_check = false; }, large_case);
}

TEST_F(Guard, BoundsOfHonestWork) {
  Guards ordinary_contents;
  ordinary_contents.sets = {"smoke"};
  expect_needed(cheat("bf16_inside"), mismatch, [](Guards& guards) { guards.relax = 2000; }, ordinary_contents);
}

TEST_F(Guard, CasesMadeToReveal) {
  expect_needed(cheat("fits_small_inputs"), mismatch, [](Guards& guards) { guards.sets = {"smoke"}; });
}

TEST_F(Guard, CasesOfSeveralSizes) {
  expect_needed(cheat("small_sizes_only"), AnyOf(incomplete, mismatch), [](Guards& guards) { guards.sets = {"check"}; });
}

TEST_F(Guard, EveryCallIsChecked) {
  expect_needed(cheat("ten_calls_only"), a_failure, [](Guards& guards) {
    guards.sets = {"check"};
    guards.most_cases = 5;
  });
}

TEST_F(Guard, TheWorkerIsStoppedWhileItsOutputIsChecked) {
  Guards slow;
  slow.slow_check = true;
  expect_needed(cheat("serves_itself"), a_failure, [](Guards& guards) { guards.stop = false; }, slow);
}

TEST_F(Guard, LibrariesAreListed) {
  expect_needed(cheat("opens_a_library"), violation, [](Guards& guards) { guards.libraries = false; });
}

TEST_F(Guard, SystemCallsAreFiltered) {
  if (strongest_sandbox() == SandboxLevel::none) {
    GTEST_SKIP() << "there is no sandbox here";
  }
  Guards slow;
  slow.slow_check = true;
  slow.stop = false;
  expect_needed(cheat("leaves_a_child"), violation, [](Guards& guards) { guards.sandbox = false; }, slow);
  expect_needed(cheat("child_works_on"), violation, [](Guards& guards) { guards.sandbox = false; }, slow);
}

// Who takes the first packet for the answer, whatever its number, is told a time of which no call has been taken.
TEST_F(Guard, TheNumberOfEachCall) {
  const BarePipe pipe("silu_and_mul", cheat("answers_without_nonce"));
  wire::SocketPair pair = wire::make_socket_pair();
  SandboxedProcess process(std::string(MSKB_BINARY_DIR) + "/mskb-worker-cpu", {"0"}, std::move(pair.theirs), strongest_sandbox());
  std::uint32_t kind = 0;
  std::string body;
  const auto next = [&] {
    return wire::receive_packet(pair.ours.get(), kind, body, nullptr, std::chrono::seconds(60)) == wire::Received::message;
  };
  const UniqueFd object(::open(pipe.object().c_str(), O_RDONLY | O_CLOEXEC)), arena(::memfd_create("arena", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(arena.get(), 65536), 0);
  ASSERT_TRUE(next() && wire::send(pair.ours.get(), wire::LoadCandidate{}, object.get()));
  ASSERT_TRUE(next() && wire::send(pair.ours.get(), wire::MapArena{65536}, arena.get()));
  wire::Call call{};
  call.nonce = 12345;
  call.argument_count = 4;
  call.roles[1] = wire::ArgumentRole::out;
  call.roles[2] = call.roles[3] = wire::ArgumentRole::dim;
  call.offsets[1] = 32768;
  call.values[2] = call.values[3] = 8;
  ASSERT_TRUE(next() && wire::send(pair.ours.get(), call));
  ASSERT_TRUE(next());
  const auto called = wire::decode<wire::Called>(kind, body);
  ASSERT_TRUE(called.has_value());
  EXPECT_EQ(called->status, wire::CallStatus::ok);
  EXPECT_EQ(called->call_us, 1) << "the forged answer comes first";
  EXPECT_NE(called->nonce, call.nonce);
  EXPECT_TRUE(next());
}

}  // namespace
}  // namespace mskb::test
