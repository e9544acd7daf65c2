#include "bare_pipe.hpp"

#include <fcntl.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "evaluate/case_spec.hpp"
#include "wire/layout.hpp"

namespace mskb::test {

BarePipe::BarePipe(const std::string& task, const std::filesystem::path& candidate)
    : task_(load_task(std::string(MSKB_SOURCE_DIR) + "/tasks/" + task)), problem_{&*task_, Precision::fp32} {
  const Builder builder(MSKB_SOURCE_DIR, MSKB_TEST_CACHE, BuildOptions{});
  const BuildResult built = builder.candidate(problem_, candidate_from_file(candidate, "file"));
  if (built.verdict != Verdict::passed) {
    throw std::runtime_error(built.detail);
  }
  object_ = built.object;
  module_ = builder.task_module(problem_);
}

Verdict BarePipe::verdict(const Guards& guards) {
  keeper_ = std::make_unique<KeeperClient>(Backend::cpu, 0);
  const UniqueFd module(::open(module_.c_str(), O_RDONLY | O_CLOEXEC));
  keeper_->ask(wire::LoadModule{}, module.get());
  WorkerClient::Options options;
  options.sandbox = guards.sandbox ? strongest_sandbox() : SandboxLevel::none;
  WorkerClient worker(options, object_, guards.libraries ? std::vector<std::string>{} : std::vector<std::string>{"lib"});
  for (const std::string& set : guards.sets) {
    std::vector<Case> cases = make_cases(problem_, set);
    cases.resize(std::min(cases.size(), guards.most_cases));
    for (const Case& test_case : cases) {
      if (const Verdict found = verify(test_case, guards, worker); found != Verdict::passed) {
        return found;
      }
    }
  }
  return Verdict::passed;
}

Verdict BarePipe::verify(const Case& test_case, const Guards& guards, WorkerClient& worker) {
  const wire::CaseSpec spec = case_spec(test_case);
  keeper_->ask(wire::OpenCase{spec});
  UniqueFd arena;
  const auto opened = keeper_->ask<wire::ArenaOpened>(wire::OpenArena{0, wire::arena_bytes(spec)}, -1, &arena);
  if (opened.fresh != 0) {
    worker.set_arena(std::move(arena), opened.bytes);
  }
  CaseJudge judge(test_case);
  const std::uint64_t steps = test_case.set == "check" ? 2 : 3;
  for (std::uint64_t number = 0; number < steps; ++number) {
    const Observation seen = step(test_case, guards, worker, number);
    judge.add(number < 2 || !guards.fresh_contents ? 0 : 1, seen);
    if (seen.end != Observation::End::answered) {
      break;
    }
  }
  return judge.verdict();
}

Observation BarePipe::step(const Case& test_case, const Guards& guards, WorkerClient& worker, std::uint64_t number) {
  keeper_->ask(generate_request(key_, test_case, number < 2 || !guards.fresh_contents ? 0 : 1));
  wire::Prepare prepare{};
  prepare.layout_key = step_key(key_, test_case, 0, "layout", guards.moving_buffers ? number : 0);
  prepare.poison_key = step_key(key_, test_case, 0, "poison", number);
  prepare.poison = guards.varying_poison ? static_cast<wire::Poison>(prepare.poison_key % 3) : wire::Poison::nan;
  const auto prepared = keeper_->ask<wire::Prepared>(prepare);
  if (!guards.poison) {
    keeper_->ask(wire::Produce{0, wire::Damage::none});
  }
  Observation seen = worker.call(call_request(test_case, prepared), std::chrono::seconds(20)).observation;
  if (seen.end != Observation::End::answered) {
    return seen;
  }
  if (guards.stop) {
    worker.freeze(true);
  }
  if (guards.slow_check) {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  }
  wire::Check check{};
  check.whole = guards.whole_check ? 1 : 0;
  check.sample_count = 1;
  check.sample_key = step_key(key_, test_case, 0, "sample", number);
  check.relax = guards.relax;
  wire::Findings findings = keeper_->ask<wire::Findings>(check);
  if (!guards.guard_zones) {
    findings.guard_bytes_changed = 0;
  }
  if (!guards.inputs) {
    findings.modified_input = -1;
  }
  seen.findings = findings;
  return seen;
}

}  // namespace mskb::test
