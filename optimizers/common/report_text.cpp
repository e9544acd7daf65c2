#include "common/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mskb::agents {

namespace {

constexpr std::size_t most_failed_cases = 8;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

std::string time_line(const optimizer::CaseReport& each, double median, const std::string& clock) {
  std::string line = fmt::format("- {} {}: {:.2f} us", each.set, each.size, median);
  if (const auto found = each.reference_median_us.find(clock); found != each.reference_median_us.end()) {
    line += fmt::format(", original {:.2f} us", found->second);
  }
  if (const auto found = each.speedup.find(clock); found != each.speedup.end()) {
    line += fmt::format(", speedup {:.3f} ({})", found->second.value, found->second.verdict);
  }
  return line + "\n";
}

std::string failed_case(const optimizer::CaseReport& each) {
  std::string line = fmt::format("- {} {}: {}", each.set, each.size, each.verdict);
  if (!each.detail.empty()) {
    line += ": " + excerpt_of(each.detail, 500);
  }
  for (const optimizer::OutputError& error : each.errors) {
    if (error.unwritten > 0 || error.not_finite > 0) {
      line += fmt::format("; {}: {:.0f} elements never written, {:.0f} not finite", error.output, error.unwritten,
                          error.not_finite);
    }
  }
  return line + "\n";
}

}  // namespace

std::string excerpt_of(const std::string& text, std::size_t limit) {
  if (text.size() <= limit) {
    return text;
  }
  std::size_t head = limit / 4 * 3, tail = text.size() - limit / 4;
  while (head > 0 && is_continuation(text[head])) {
    --head;
  }
  while (tail < text.size() && is_continuation(text[tail])) {
    ++tail;
  }
  return text.substr(0, head) + "\n[...]\n" + text.substr(tail);
}

std::string plan_excerpt(const std::string& plan, std::size_t limit) {
  if (plan.size() <= limit + limit / 2) {
    return plan;
  }
  // A step, or a paragraph, begins with a line that follows a blank one or starts with a number, a bullet or a heading.
  std::size_t cut = 0;
  for (std::size_t end = plan.find('\n'); end != std::string::npos && end + 1 <= limit; end = plan.find('\n', end + 1)) {
    const char next = end + 1 < plan.size() ? plan[end + 1] : '\n';
    if (next == '\n' || next == '-' || next == '*' || next == '#' || (next >= '0' && next <= '9')) {
      cut = end + 1;
    }
  }
  return cut == 0 ? excerpt_of(plan, limit) : plan.substr(0, cut) + "[the rest of this plan is left out]\n";
}

bool is_correct(const optimizer::Report& report, const optimizer::Device& device) {
  if (report.verdict != "skipped") {
    return report.passed();
  }
  return device.backend == "cuda" &&
         std::any_of(report.cases.begin(), report.cases.end(),
                     [](const optimizer::CaseReport& each) { return each.set != "check" && each.verdict == "passed"; });
}

std::string outcome_text(const optimizer::Report& report, const std::string& clock) {
  std::string text = report.verdict;
  if (report.passed() && clock.empty()) {
    return "correct on all cases, not timed here";
  }
  if (const auto speedup = report.weighted_speedup(clock)) {
    text += fmt::format(", {:.3f} times as fast as the original", *speedup);
  }
  return report.detail.empty() ? text : text + ": " + excerpt_of(report.detail, 300);
}

bool has_times(const optimizer::Report& report, const std::string& clock) {
  return std::any_of(report.cases.begin(), report.cases.end(),
                     [&](const optimizer::CaseReport& each) { return each.median_us.contains(clock); });
}

std::string times_text(const optimizer::Report& report, const std::string& clock) {
  std::string text;
  for (const optimizer::CaseReport& each : report.cases) {
    if (const auto found = each.median_us.find(clock); found != each.median_us.end()) {
      text += time_line(each, found->second, clock);
    }
  }
  return text.empty() ? "No times were taken.\n" : text;
}

std::string resources_text(const optimizer::Report& report) {
  std::string text;
  for (const optimizer::Kernel& kernel : report.kernels) {
    text += fmt::format(
        "- {}: {} registers, {} bytes of static shared memory, {} bytes of stack, {} bytes spilled by stores and {} by "
        "loads\n",
        kernel.name, kernel.registers, kernel.static_shared, kernel.stack, kernel.spill_stores, kernel.spill_loads);
  }
  return text.empty() ? "The compiler reported no resources.\n" : text;
}

std::string failure_text(const optimizer::Report& report, std::size_t log_limit) {
  std::string text = fmt::format("Verdict: {}\n", report.verdict);
  if (!report.detail.empty()) {
    text += report.detail + "\n";
  }
  if (report.verdict == "build_failed") {
    return text + "The compiler's log:\n```text\n" + excerpt_of(report.build_log, log_limit) + "\n```\n";
  }
  std::size_t failed = 0;
  for (const optimizer::CaseReport& each : report.cases) {
    if (each.verdict != "passed" && ++failed <= most_failed_cases) {
      text += failed_case(each);
    }
  }
  return failed > most_failed_cases ? text + fmt::format("- and {} more cases\n", failed - most_failed_cases) : text;
}

}  // namespace mskb::agents
