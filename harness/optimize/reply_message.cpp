#include <algorithm>

#include "optimize/messages.hpp"

namespace mskb {

namespace {

constexpr std::size_t log_limit = 16 * 1024;

Json errors(const Evaluation& evaluation) {
  Json list = Json::array();
  for (const OutputError& error : evaluation.errors) {
    Json entry{{"output", error.output},       {"checked", error.checked},
               {"refused", error.refused},     {"unwritten", error.unwritten},
               {"not_finite", error.not_finite}, {"worst_ratio", error.worst_ratio},
               {"l2", error.l2},               {"worst_absolute", error.worst_absolute}};
    if (error.first_refused >= 0) {
      entry["first_refused"] = {{"index", error.first_refused}, {"got", error.got}, {"want", error.want}};
    }
    list.push_back(entry);
  }
  return list;
}

Json medians(const Timing& timing) {
  Json clocks = Json::object();
  for (const auto& [clock, samples] : timing.clocks) {
    clocks[clock] = samples.median;
  }
  return clocks;
}

Json timing(const Evaluation& evaluation, const Evaluation* reference) {
  if (!evaluation.timing) {
    return nullptr;
  }
  const Timing& measured = *evaluation.timing;
  Json speedups = Json::object();
  for (const auto& [clock, estimate] : measured.speedups) {
    speedups[clock] = {{"value", estimate.value},     {"low", estimate.low},         {"high", estimate.high},
                       {"decided", estimate.decided}, {"verdict", estimate.verdict}, {"rounds", estimate.rounds}};
  }
  return {{"median_us", medians(measured)},
          {"reference_median_us", reference != nullptr && reference->timing ? medians(*reference->timing) : Json(nullptr)},
          {"speedup", speedups},
          {"launch_bound", measured.launch_bound},
          {"null_kernel_us", measured.null_kernel_us},
          {"first_call_us", measured.first_call_us}};
}

Json launches(const Evaluation& evaluation) {
  Json list = Json::array();
  for (const KernelLaunch& launch : evaluation.launches) {
    list.push_back({{"kernel", launch.kernel},
                    {"grid", launch.grid},
                    {"block", launch.block},
                    {"registers", launch.registers},
                    {"static_shared", launch.static_shared},
                    {"dynamic_shared", launch.dynamic_shared},
                    {"count", launch.count}});
  }
  return list;
}

Json case_entry(const Evaluation& evaluation, const Evaluation* reference) {
  return {{"case", evaluation.case_name},
          {"set", evaluation.set},
          {"size", evaluation.size},
          {"weight", evaluation.weight},
          {"verdict", to_string(evaluation.verdict)},
          {"detail", excerpt(evaluation.detail, 2000)},
          {"paper_verdict", evaluation.paper_verdict},
          {"errors", errors(evaluation)},
          {"timing", timing(evaluation, reference)},
          {"launches", launches(evaluation)}};
}

Json build_entry(const CandidateReport& report) {
  Json kernels = Json::array();
  for (const KernelResources& kernel : report.kernels) {
    kernels.push_back({{"kernel", kernel.kernel},
                       {"registers", kernel.registers},
                       {"static_shared", kernel.static_shared},
                       {"stack", kernel.stack},
                       {"spill_stores", kernel.spill_stores},
                       {"spill_loads", kernel.spill_loads}});
  }
  return {{"verdict", to_string(report.build)},
          {"detail", excerpt(report.build_detail, 2000)},
          {"seconds", report.build_seconds},
          {"kernels", kernels},
          {"log", excerpt(report.build_log, log_limit)}};
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

std::string valid_utf8(const std::string& text) {
  const std::string quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(quoted).get<std::string>();
}

}  // namespace

std::string excerpt(const std::string& text, std::size_t limit) {
  std::string valid = valid_utf8(text);
  if (valid.size() <= limit) {
    return valid;
  }
  const std::string mark = "\n[...]\n";
  const bool with_end = limit >= 4 * mark.size();
  std::size_t head = with_end ? (limit - mark.size()) / 4 * 3 : limit;
  std::size_t tail = valid.size() - (with_end ? limit - mark.size() - head : 0);
  while (head > 0 && is_continuation(valid[head])) {
    --head;
  }
  while (tail < valid.size() && is_continuation(valid[tail])) {
    ++tail;
  }
  return valid.substr(0, head) + (with_end ? mark + valid.substr(tail) : "");
}

Verdict overall_verdict(const CandidateReport& report) {
  Verdict verdict = report.build;
  for (const Evaluation& each : report.cases) {
    if (info(verdict).failure) {
      break;
    }
    if (each.verdict != Verdict::passed) {
      verdict = each.verdict;
    }
  }
  return verdict;
}

static std::string profile_reason(const CandidateReport& report, bool wanted) {
  const std::string reason = report.profile_reason.empty() && report.profile.is_null() ? "none was taken" : report.profile_reason;
  return wanted ? excerpt(reason, 1000) : "not asked for";
}

Json evaluation_message(const CandidateReport& report, int number, bool profile_wanted, const Json& left) {
  Json cases = Json::array();
  std::string detail = excerpt(report.build_detail, 2000);
  const Verdict verdict = overall_verdict(report);
  for (const Evaluation& each : report.cases) {
    const auto reference =
        std::find_if(report.references.begin(), report.references.end(),
                     [&](const Evaluation& other) { return other.case_name == each.case_name; });
    cases.push_back(case_entry(each, reference == report.references.end() ? nullptr : &*reference));
    if (detail.empty() && each.verdict == verdict && verdict != Verdict::passed) {
      detail = excerpt(each.detail, 2000);
    }
  }
  return {{"type", "evaluation"},
          {"id", report.id},
          {"number", number},
          {"verdict", to_string(verdict)},
          {"detail", detail},
          {"cases", cases},
          {"build", build_entry(report)},
          {"profile", report.profile},
          {"profile_reason", profile_reason(report, profile_wanted)},
          {"left", left}};
}

Json stop_message(const std::string& figure, const std::string& reason, const Json& left) {
  return {{"type", "stop"}, {"figure", figure}, {"reason", reason}, {"left", left}};
}

Json error_message(const std::string& what, int left) {
  return {{"type", "error"}, {"message", excerpt(what, 1000)}, {"left", left}};
}

}  // namespace mskb
