#include "common/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/rounds_text.hpp"

namespace mskb::agents {

namespace {

constexpr std::size_t most_failed_cases = 8;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Just behind the last end of a line in text[from, to), else of a sentence, else of a word; `to` where there is none.
std::size_t end_of_unit(const std::string& text, std::size_t from, std::size_t to) {
  for (const char* mark : {"\n", ". ", " "}) {
    const std::size_t length = std::char_traits<char>::length(mark);
    const std::size_t at = to < length ? std::string::npos : text.rfind(mark, to - length);
    if (at != std::string::npos && at >= from) {
      return at + length;
    }
  }
  while (to > from && is_continuation(text[to])) {
    --to;
  }
  return to;
}

// The first begin of a line in text[from, to), else of a sentence, else of a word; `from` where there is none.
std::size_t begin_of_unit(const std::string& text, std::size_t from, std::size_t to) {
  for (const char* mark : {"\n", ". ", " "}) {
    const std::size_t at = text.find(mark, from);
    if (at != std::string::npos && at < to) {
      return at + std::char_traits<char>::length(mark);
    }
  }
  while (from < text.size() && is_continuation(text[from])) {
    ++from;
  }
  return from;
}

// Whether a step, a heading or a paragraph begins at this place of a text, which is the begin of a line or the end.
bool begins_step(const std::string& text, std::size_t at) {
  if (at >= text.size() || text[at] == '\n' || text[at] == '#') {
    return true;
  }
  if (text[at] == '-' || text[at] == '*') {
    return at + 1 < text.size() && (text[at + 1] == ' ' || text[at + 1] == '*');
  }
  const std::size_t behind = text.find_first_not_of("0123456789", at);
  return behind != at && behind != std::string::npos && (text[behind] == '.' || text[behind] == ')') && behind + 1 < text.size() &&
         text[behind + 1] == ' ';
}

std::string failed_case(const optimizer::CaseReport& each) {
  std::string line = fmt::format("- {}: {}", case_text(each), each.verdict);
  if (!each.detail.empty()) {
    line += ": " + excerpt_of(each.detail, 500);
  }
  for (const optimizer::OutputError& error : each.errors) {
    if (error.unwritten > 0 || error.not_finite > 0) {
      line += fmt::format("; {}: elements never written: {:.0f}, not finite: {:.0f}", error.output, error.unwritten,
                          error.not_finite);
    }
  }
  return line + "\n";
}

}  // namespace

std::string case_text(const optimizer::CaseReport& each) {
  return fmt::format("{}{} (size {})", each.set, each.name.substr(std::min(each.name.rfind('/'), each.name.size())), each.size);
}

std::string excerpt_of(const std::string& text, std::size_t limit) {
  if (text.size() <= limit) {
    return text;
  }
  const std::size_t quarter = limit / 4, tail = text.size() - quarter;
  return text.substr(0, end_of_unit(text, quarter, 3 * quarter)) + "\n[...]\n" +
         text.substr(begin_of_unit(text, tail, text.size() - quarter / 2));
}

std::string plan_excerpt(const std::string& plan, std::size_t limit) {
  if (plan.size() <= limit + limit / 2) {
    return plan;
  }
  std::size_t cut = 0;
  for (std::size_t end = plan.find('\n'); end != std::string::npos && end + 1 <= limit; end = plan.find('\n', end + 1)) {
    if (begins_step(plan, end + 1)) {
      cut = end + 1;
    }
  }
  if (cut == 0) {  // one long paragraph: whole sentences of it
    const std::size_t sentence = plan.rfind(". ", limit);
    cut = sentence == std::string::npos || sentence < limit / 4 ? end_of_unit(plan, limit / 4, limit) : sentence + 2;
  }
  const std::string kept = plan.substr(0, cut);
  return kept + (kept.ends_with('\n') ? "" : "\n") + "[the rest is left out]\n";
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
  if (const std::string score = score_text(report, clock); !score.empty()) {
    text += ", score " + score;
  }
  return report.detail.empty() ? text : text + ": " + excerpt_of(report.detail, 600);
}

bool has_times(const optimizer::Report& report, const std::string& clock) {
  return std::any_of(report.cases.begin(), report.cases.end(),
                     [&](const optimizer::CaseReport& each) { return each.median_us.contains(clock); });
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
  return failed > most_failed_cases ? text + fmt::format("- and {} more\n", failed - most_failed_cases) : text;
}

}  // namespace mskb::agents
