#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "build/builder.hpp"
#include "evaluate/contents.hpp"
#include "evaluate/keeper_client.hpp"
#include "evaluate/worker_client.hpp"
#include "judge/case_judge.hpp"
#include "model/task_file.hpp"

namespace mskb::test {

// What protects a verdict, each to be left out alone: only these tests can.
struct Guards {
  bool poison = true;           // without it the output holds the true answer on entry, as memory of a reference that ran before might
  bool varying_poison = true;   // without it all poison is NaN
  bool fresh_contents = true;   // without it every call of a case sees the same contents
  bool moving_buffers = true;   // without it every call of a case finds its buffers at the same addresses
  bool guard_zones = true;      // without it bytes outside the buffers are not looked at
  bool inputs = true;           // without it inputs are not compared
  bool whole_check = true;      // without it a single random element and the borders are looked at
  bool stop = true;             // without it the worker goes on while its output is checked
  bool libraries = true;        // without it every library is allowed
  bool sandbox = true;          // without it the worker runs free
  double relax = 1;             // bounds are widened by this
  std::vector<std::string> sets{"check", "smoke"};
  std::size_t most_cases = 100;  // of each set
  bool slow_check = false;       // the check begins 60 ms after the answer
};

// Verification as the harness does it, step for step, on the CPU: keeper, worker, judge, with guards that can be left out.
class BarePipe {
 public:
  BarePipe(const std::string& task, const std::filesystem::path& candidate);

  // The first verdict that is no pass, else passed.
  Verdict verdict(const Guards& guards);

  const std::filesystem::path& object() const { return object_; }

 private:
  Verdict verify(const Case& test_case, const Guards& guards, WorkerClient& worker);
  Observation step(const Case& test_case, const Guards& guards, WorkerClient& worker, std::uint64_t number);

  std::optional<Task> task_;
  Problem problem_;
  std::filesystem::path object_, module_;
  RunKey key_ = RunKey::parse("0123456789abcdef0123456789abcdef");  // the same contents, poison and samples every time
  std::unique_ptr<KeeperClient> keeper_;
};

}  // namespace mskb::test
