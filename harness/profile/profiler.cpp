#include "profile/profiler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.hpp"
#include "base/errors.hpp"
#include "base/files.hpp"
#include "build/builder.hpp"
#include "evaluate/bench.hpp"
#include "evaluate/environment.hpp"
#include "profile/ncu.hpp"

namespace mskb {

namespace {

constexpr std::size_t most_launches = 2000;

// Why a run brought no launches.
struct NoReport {
  std::string reason;
};

std::string one_line(std::string text) {
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

class ProfiledCall {
 public:
  ProfiledCall(const ProfilerOptions& options, std::string ncu, const Case& test_case, const Candidate& candidate)
      : options_(options), ncu_(std::move(ncu)), case_(test_case), candidate_(candidate) {
    const KeeperClient keeper(options.backend, options.device);
    BuildOptions build;
    build.backend = options.backend;
    build.sandbox = options.sandbox == SandboxLevel::none ? SandboxLevel::none : strongest_sandbox();
    if (options.backend == Backend::cuda) {
      build.architecture = architecture_of(keeper.facts());
    }
    const Builder builder(options.home, options.cache, build);
    build_ = builder.candidate(test_case.problem, candidate);
    module_ = builder.task_module(test_case.problem);
    device_ = make_environment(options.backend, &keeper.facts(), builder.compiler()).device;
  }

  const BuildResult& build() const { return build_; }
  const std::string& device() const { return device_; }

  // Calls the candidate once under ncu. Throws NoReport.
  std::vector<LaunchProfile> run(const Collection& collection, const std::string& name);

 private:
  void call(const std::filesystem::path& report, const Collection& collection);

  const ProfilerOptions& options_;
  std::string ncu_;
  const Case& case_;
  const Candidate& candidate_;
  BuildResult build_;
  std::filesystem::path module_;
  std::string device_;
  RunKey key_ = RunKey::draw();
};

void ProfiledCall::call(const std::filesystem::path& report, const Collection& collection) {
  WorkerClient::Options worker;
  worker.backend = options_.backend;
  worker.device = options_.device;
  worker.sandbox = options_.sandbox;
  worker.profiler = collect_command(ncu_, collection, report);
  std::vector<Seat> seats(1);
  seats[0].candidate = &candidate_;
  seats[0].build = build_;
  seats[0].worker = std::make_unique<WorkerClient>(worker, build_.object, candidate_.allowed_loads);
  KeeperClient keeper(options_.backend, options_.device);  // one for each run: a keeper gives an arena away once
  keeper.load(case_.problem, module_);
  Bench bench(keeper, key_, options_.backend, std::move(seats));
  bench.set_hang_limit(options_.time_limit);
  StepResult step;
  std::string output;
  try {
    bench.open(case_);
    StepRequest request;
    request.check = false;
    step = bench.step(0, request);
    output = bench.seats()[0].worker->finish(options_.time_limit);
  } catch (const KeeperLost&) {
    throw;
  } catch (const HarnessError& error) {  // the profiler did not start the worker
    throw NoReport{std::string(error.what()).find("==ERROR==") == std::string::npos ? error.what() : why_no_report(error.what())};
  }
  if (step.observation.end != Observation::End::answered) {
    const std::string why = why_no_report(output);
    throw NoReport{fmt::format("the candidate failed under the profiler: {}{}", step.observation.text,
                               why == why_no_report("") ? "" : "; " + why)};
  }
  if (!std::filesystem::exists(report)) {
    throw NoReport{why_no_report(output)};
  }
}

std::vector<LaunchProfile> ProfiledCall::run(const Collection& collection, const std::string& name) {
  const TemporaryDirectory folder;
  const auto report = folder.path() / "report.ncu-rep";
  call(report, collection);
  const std::string csv = import_report(ncu_, report);
  options_.report(name, csv);
  std::vector<LaunchProfile> launches = parse_raw_page(csv);
  if (launches.empty()) {
    throw NoReport{"the call launched no kernel that ncu saw"};
  }
  return launches;
}

void add_counters(ProfiledCall& call, KernelProfile& kernel, std::size_t number) {
  try {
    Collection collection;
    collection.skip = kernel.longest_launch;
    collection.counters = true;
    std::vector<LaunchProfile> launches = call.run(collection, fmt::format("kernel-{}", number));
    if (launches.front().kernel == kernel.kernel) {
      kernel.counters = std::move(launches.front());
    } else {
      kernel.reason = fmt::format("launch {} was of {} when it was to be profiled", kernel.longest_launch, launches.front().kernel);
    }
  } catch (const NoReport& none) {
    kernel.reason = one_line(none.reason);
  }
}

}  // namespace

ProfilerOptions profiler_options(const EvaluatorOptions& evaluator) {
  ProfilerOptions options;
  options.home = evaluator.home;
  options.cache = evaluator.cache;
  options.backend = evaluator.backend;
  options.device = evaluator.device;
  options.sandbox = evaluator.sandbox == SandboxLevel::none ? SandboxLevel::none : SandboxLevel::limits;
  return options;
}

ProfileOutcome profile_candidate(const ProfilerOptions& options, const Case& test_case, const Candidate& candidate) {
  if (options.backend == Backend::cpu && options.needs_counters) {
    return {{}, "the cpu backend has no hardware counters"};
  }
  const std::string ncu = find_ncu();
  if (ncu.empty()) {
    return {{}, "ncu was found neither on PATH nor beside nvcc; it is part of Nsight Compute"};
  }
  try {
    ProfiledCall call(options, ncu, test_case, candidate);
    if (call.build().verdict != Verdict::passed) {
      return {{}, fmt::format("its build ended as {}", to_string(call.build().verdict))};
    }
    Profile profile{test_case.name(), candidate.id(), candidate.origin, call.device(), ncu_version(ncu), to_string(options.sandbox), {}};
    Collection all;
    all.count = most_launches;
    profile.kernels = kernels_by_time(call.run(all, "launches"));
    for (std::size_t i = 0; i < profile.kernels.size(); ++i) {
      if (i < static_cast<std::size_t>(options.kernels)) {
        add_counters(call, profile.kernels[i], i + 1);
      } else {
        profile.kernels[i].reason = fmt::format("only the {} of the most time {} profiled", counted(options.kernels, "kernel"), options.kernels == 1 ? "is" : "are");
      }
    }
    if (std::none_of(profile.kernels.begin(), profile.kernels.end(), [](const KernelProfile& one) { return one.counters.has_value(); })) {
      return {{}, profile.kernels.front().reason};
    }
    return {std::move(profile), ""};
  } catch (const NoReport& none) {
    return {{}, one_line(none.reason)};
  } catch (const DoesNotFit& error) {
    return {{}, error.what()};
  } catch (const InputError& error) {  // no device, or a report that nobody can read
    return {{}, one_line(error.what())};
  }
}

}  // namespace mskb
