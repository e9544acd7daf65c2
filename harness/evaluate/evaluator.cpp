#include "evaluate/evaluator.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "base/errors.hpp"
#include "base/hashing.hpp"
#include "build/compiler.hpp"
#include "evaluate/bench.hpp"
#include "evaluate/environment.hpp"
#include "evaluate/physical_floor.hpp"
#include "evaluate/published.hpp"
#include "evaluate/turns.hpp"
#include "evaluate/verification.hpp"

namespace mskb {

namespace {

using Seconds = std::chrono::duration<double>;
using SteadyClock = std::chrono::steady_clock;

constexpr int attempts_per_group = 3;

// One run at a time per device.
UniqueFd lock_device(const std::filesystem::path& cache, const std::string& uuid) {
  const auto path = cache / ("device-" + uuid + ".lock");
  UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    throw InputError(fmt::format("device {} is in use by another run; wait for it to end ({})", uuid, path.string()));
  }
  return file;
}

// It lies beside nvcc.
std::filesystem::path compute_sanitizer() {
  const std::string nvcc = find_compiler(Backend::cuda);
  const auto program = std::filesystem::weakly_canonical(nvcc).parent_path() / "compute-sanitizer";
  if (nvcc.empty() || !std::filesystem::exists(program)) {
    throw InputError("--sanitize: compute-sanitizer was not found beside nvcc; install it (it is part of the CUDA toolkit), or use --device cpu");
  }
  return program;
}

}  // namespace

std::string group_id(const std::string& run_id, const std::string& case_name) { return Hasher().add(run_id).add(case_name).hex(16); }

std::string evaluation_id(const Evaluation& evaluation) {
  return Hasher().add(evaluation.group).add(evaluation.candidate).add(evaluation.origin).hex(16);
}

struct Evaluator::State {
  EvaluatorOptions options;
  std::unique_ptr<KeeperClient> keeper;
  bool keeper_is_new = true;  // it holds nothing of a problem yet
  std::string no_device;  // why there is no keeper
  std::unique_ptr<Builder> builder;
  Environment environment;
  UniqueFd lock;
  double measuring_s = 0, wall_s = 0, spent_s = 0;
  std::size_t cases_left = 0;  // to be timed

  // One problem's groups in order: its `check` cases, then those of the asked sets.
  struct Work {
    const ProblemPlan* plan = nullptr;
    std::vector<Case> cases;
    std::vector<BuildResult> builds;
    std::vector<bool> check_failed;  // by candidate
  };

  bool has_group(const EvaluatorSink& sink, const Case& test_case) const {
    return sink.has_group(group_id(options.run_id, test_case.name()));
  }

  void build_all(std::vector<Work>& work, const EvaluatorSink& sink);
  void evaluate(Work& work, const EvaluatorSink& sink);
  std::vector<Seat> seats_for(const Work& work) const;
  Work work_for(const ProblemPlan& plan) const;
  std::vector<Evaluation> evaluate_group(Bench& bench, const Work& work, const Case& test_case);
  static bool is_timed(const Case& test_case) { return test_case.set != "check"; }
  Seconds case_budget() const;
  Evaluation blank(const Work& work, const Case& test_case, std::size_t candidate) const;
  std::vector<Evaluation> without_device(const Work& work, const Case& test_case, const std::string& why) const;
  Bench make_bench(const Work& work);
};

Evaluator::Evaluator(EvaluatorOptions options) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.options = std::move(options);
  try {
    state.keeper = std::make_unique<KeeperClient>(state.options.backend, state.options.device, state.options.oracle_limit);
  } catch (const NoDevice& error) {
    state.no_device = error.what();
  }
  BuildOptions build;
  build.backend = state.options.backend;
  build.sandbox = state.options.sandbox;
  build.sanitize = state.options.sanitize;
  build.races = state.options.races;
  if (state.keeper && state.options.backend == Backend::cuda) {
    build.architecture = architecture_of(state.keeper->facts());
  }
  state.builder = std::make_unique<Builder>(state.options.home, state.options.cache, build);
  state.builder->check_compiler();
  if (state.options.sanitize) {
    state.options.timing = false;
    if (state.options.backend == Backend::cuda) {
      compute_sanitizer();
    }
  }
  state.environment =
      make_environment(state.options.backend, state.keeper ? &state.keeper->facts() : nullptr, state.builder->compiler());
  if (state.options.backend == Backend::cpu) {
    state.options.timing = false;
  } else if (state.keeper) {
    state.lock = lock_device(state.options.cache, state.environment.uuid);
  }
}

Evaluator::~Evaluator() = default;

const Environment& Evaluator::environment() const { return state_->environment; }

std::map<std::string, std::string> Evaluator::figures() const {
  std::map<std::string, std::string> figures;
  figures["wall_s"] = fmt::format("{:.1f}", state_->wall_s);
  if (state_->measuring_s > 0) {
    figures["measuring_share"] = fmt::format("{:.4f}", state_->measuring_s / state_->wall_s);
  }
  return figures;
}

void Evaluator::State::build_all(std::vector<Work>& work, const EvaluatorSink& sink) {
  struct Job {
    Work* work;
    std::size_t candidate;
  };
  std::vector<Job> jobs;
  for (Work& one : work) {
    one.builds.resize(one.plan->candidates.size());
    for (std::size_t i = 0; i < one.plan->candidates.size(); ++i) {
      jobs.push_back({&one, i});
    }
  }
  std::atomic<std::size_t> next{0}, done{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto build = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      const Job& job = jobs[i];
      const Problem& problem = job.work->plan->problem;
      const Candidate& candidate = job.work->plan->candidates[job.candidate];
      try {
        if (job.candidate == 0 && keeper) {
          builder->task_module(problem);  // warms the cache beside the candidates
        }
        BuildResult result = builder->candidate(problem, candidate);
        const std::lock_guard hold(mutex);
        job.work->builds[job.candidate] = std::move(result);
        sink.built(problem, candidate, job.work->builds[job.candidate]);
        sink.progress(fmt::format("built {} of {}: {} {}", ++done, jobs.size(), problem.name(), candidate.origin));
      } catch (...) {
        const std::lock_guard hold(mutex);
        failure = std::current_exception();
        next = jobs.size();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < std::max(1, options.jobs); ++i) {
      threads.emplace_back(build);
    }
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

std::vector<Seat> Evaluator::State::seats_for(const Work& work) const {
  WorkerClient::Options worker;
  worker.backend = options.backend;
  worker.device = options.device;
  worker.sandbox = options.sandbox;
  worker.sanitize = options.sanitize;
  worker.races = options.races;
  if (options.sanitize && options.backend == Backend::cuda) {
    worker.compute_sanitizer = compute_sanitizer();
    worker.sanitizer_tool = options.sanitizer_tool;
  }
  std::vector<Seat> seats(work.builds.size());
  for (std::size_t i = 0; i < seats.size(); ++i) {
    seats[i].candidate = &work.plan->candidates[i];
    seats[i].build = work.builds[i];
    seats[i].check_failed = work.check_failed[i];
    if (seats[i].build.verdict == Verdict::passed) {
      const auto process = [&] { return std::make_unique<WorkerClient>(worker, seats[i].build.object, seats[i].candidate->allowed_loads); };
      seats[i].worker = process();
      if (options.timing && options.protocol == Protocol::strict) {
        seats[i].spare = process();
      }
    }
  }
  return seats;
}

Seconds Evaluator::State::case_budget() const {
  double budget = options.case_budget.count();
  if (options.budget.count() > 0) {
    budget = std::min(budget, std::max(0.0, (options.budget - options.budget_spent).count() - spent_s) / static_cast<double>(std::max<std::size_t>(cases_left, 1)));
  }
  return Seconds(budget);
}

Evaluation Evaluator::State::blank(const Work& work, const Case& test_case, std::size_t candidate) const {
  const Candidate& subject = work.plan->candidates[candidate];
  const BuildResult& build = work.builds[candidate];
  Evaluation evaluation;
  evaluation.group = group_id(options.run_id, test_case.name());
  evaluation.group_size = static_cast<int>(work.plan->candidates.size());
  evaluation.task = test_case.problem.task->name;
  evaluation.precision = to_string(test_case.problem.precision);
  evaluation.case_name = test_case.name();
  evaluation.set = test_case.set;
  evaluation.size = test_case.size_text();
  evaluation.weight = test_case.weight;
  evaluation.bytes = test_case.bytes;
  evaluation.flops = test_case.flops;
  evaluation.candidate = subject.id();
  evaluation.origin = subject.origin;
  evaluation.id = evaluation_id(evaluation);
  evaluation.backend = environment.backend;
  evaluation.device = environment.device;
  evaluation.key = options.key.hex;
  evaluation.sandbox = to_string(options.sandbox);
  evaluation.verdict = build.verdict;
  evaluation.detail = build.detail;
  if (!build.log.empty()) {
    evaluation.build_log = fmt::format("logs/{}-{}.log", subject.id(), evaluation.precision);
  }
  return evaluation;
}

std::vector<Evaluation> Evaluator::State::without_device(const Work& work, const Case& test_case, const std::string& why) const {
  std::vector<Evaluation> group;
  for (std::size_t i = 0; i < work.plan->candidates.size(); ++i) {
    Evaluation evaluation = blank(work, test_case, i);
    if (evaluation.verdict == Verdict::passed) {
      evaluation.verdict = Verdict::skipped;
      evaluation.detail = why;
    }
    group.push_back(std::move(evaluation));
  }
  return group;
}

std::vector<Evaluation> Evaluator::State::evaluate_group(Bench& bench, const Work& work, const Case& test_case) {
  const auto start = SteadyClock::now();
  bench.open(test_case);
  std::vector<CaseState> states = verify_case(bench);
  std::vector<std::optional<Timing>> timings(states.size());
  if (options.timing && is_timed(test_case)) {
    if (options.protocol == Protocol::strict) {
      StrictResult strict = time_in_turns(bench, states, options.key, case_budget());
      timings = std::move(strict.timings);
      measuring_s += strict.measuring_s;
    } else {
      PublishedResult published = time_as_published(bench, states);
      timings = std::move(published.timings);
      measuring_s += published.measuring_s;
    }
  }
  const double seconds = Seconds(SteadyClock::now() - start).count();
  std::vector<Evaluation> group;
  for (std::size_t i = 0; i < states.size(); ++i) {
    Evaluation evaluation = blank(work, test_case, i);
    if (bench.seats()[i].worker && !states[i].run) {
      evaluation.verdict = bench.seats()[i].lost_as;
      evaluation.detail = bench.seats()[i].never_loads ? "not run: at an earlier case it had not loaded in time"
                                                       : fmt::format("not run: {} cases before it ended in a crash, a hang or a violation",
                                                                     Seat::most_lost_workers);
    } else if (bench.seats()[i].worker) {
      states[i].judge.write(evaluation);
      evaluation.paper_verdict = states[i].paper_verdict;
      evaluation.origin_error = bench.relax(i) > 1;
      evaluation.launches = std::move(states[i].launches);
      evaluation.wall_s = seconds;
    }
    if (evaluation.verdict == Verdict::passed && timings[i]) {
      if (std::string why = implausible_time(*timings[i], physical_floor_us(test_case, environment)); !why.empty()) {
        evaluation.verdict = Verdict::implausible;
        evaluation.detail = std::move(why);
      } else {
        evaluation.timing = std::move(timings[i]);
      }
    }
    group.push_back(std::move(evaluation));
  }
  if (is_timed(test_case)) {
    spent_s += seconds;
  }
  return group;
}

// A keeper that knows no other problem, and the workers: each takes a third of a second to start on a GPU, so they do it side by side.
Bench Evaluator::State::make_bench(const Work& work) {
  std::vector<Seat> seats = seats_for(work);
  if (!keeper_is_new) {
    keeper.reset();
  }
  launch_workers(seats);
  if (!keeper) {
    keeper = std::make_unique<KeeperClient>(options.backend, options.device, options.oracle_limit);
  }
  keeper_is_new = false;
  keeper->load(work.plan->problem, builder->task_module(work.plan->problem));
  Bench bench(*keeper, options.key, options.backend, std::move(seats));
  if (options.hang_limit.count() > 0) {
    bench.set_hang_limit(options.hang_limit);
  } else if (options.sanitize && options.backend == Backend::cuda) {
    constexpr Seconds under_compute_sanitizer{120};
    bench.set_hang_limit(under_compute_sanitizer);
  }
  return bench;
}

void Evaluator::State::evaluate(Work& work, const EvaluatorSink& sink) {
  std::unique_ptr<Bench> bench;
  for (const Case& test_case : work.cases) {
    if (has_group(sink, test_case)) {
      continue;
    }
    std::vector<Evaluation> group;
    if (!keeper) {
      group = without_device(work, test_case, no_device);
    }
    for (int attempt = 1; group.empty(); ++attempt) {
      try {
        if (!bench) {
          bench = std::make_unique<Bench>(make_bench(work));
        }
        group = evaluate_group(*bench, work, test_case);
      } catch (const DoesNotFit& error) {
        if (bench && ((attempt == 1 && bench->make_room()) || (attempt == 2 && bench->release_all()))) {
          continue;  // somebody may hold the memory
        }
        group = without_device(work, test_case, error.what());
      } catch (const KeeperLost& error) {
        bench.reset();
        if (attempt == attempts_per_group) {
          throw KeeperLost(fmt::format("{}, {} times: {}", test_case.name(), attempts_per_group, error.what()));
        }
        sink.notice(fmt::format("{}: {}; a new keeper repeats the case", test_case.name(), error.what()));
      }
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (test_case.set == "check" && info(group[i].verdict).failure) {
        work.check_failed[i] = true;
        if (bench) {
          bench->seats()[i].check_failed = true;
        }
      }
    }
    sink.group(group);
    cases_left -= is_timed(test_case) ? 1 : 0;
  }
}

Evaluator::State::Work Evaluator::State::work_for(const ProblemPlan& plan) const {
  Work work;
  work.plan = &plan;
  work.check_failed.resize(plan.candidates.size(), false);
  std::vector<std::string> sets{"check"};
  for (const std::string& set : plan.sets) {
    if (set != "check") {
      sets.push_back(set);
    }
  }
  for (const std::string& set : sets) {
    for (Case& test_case : make_cases(plan.problem, set)) {
      if (plan.only_case.empty() || test_case.name() == plan.only_case) {
        work.cases.push_back(std::move(test_case));
      }
    }
  }
  return work;
}

void Evaluator::run(const std::vector<ProblemPlan>& plans, const EvaluatorSink& sink) {
  State& state = *state_;
  const auto start = SteadyClock::now();
  std::vector<State::Work> all;
  state.cases_left = 0;
  for (const ProblemPlan& plan : plans) {
    State::Work work = state.work_for(plan);
    const auto left = std::count_if(work.cases.begin(), work.cases.end(),
                                    [&](const Case& test_case) { return !state.has_group(sink, test_case); });
    const auto to_time = std::count_if(work.cases.begin(), work.cases.end(), [&](const Case& test_case) {
      return State::is_timed(test_case) && !state.has_group(sink, test_case);
    });
    if (left > 0) {
      for (std::size_t i = 0; i < plan.candidates.size(); ++i) {
        work.check_failed[i] = sink.failed_check(plan.problem, plan.candidates[i]);
      }
      state.cases_left += static_cast<std::size_t>(to_time);
      all.push_back(std::move(work));
    }
  }
  state.build_all(all, sink);
  for (State::Work& work : all) {
    state.evaluate(work, sink);
  }
  state.wall_s += Seconds(SteadyClock::now() - start).count();
}

}  // namespace mskb
