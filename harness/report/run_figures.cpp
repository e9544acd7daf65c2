#include "report/run_figures.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace mskb {

namespace {

enum class Kind { plain, share, seconds, refusal, estimate };

struct Words {
  const char* name;
  const char* words;
  Kind kind;
};

// In the order of a reader's interest.
constexpr Words known[] = {
    {"self_test", "Start-up self-test", Kind::plain},
    {"self_test_first", "Start-up self-test, first attempt", Kind::plain},
    {"self_test_case", "Start-up self-test, its case", Kind::plain},
    {"self_test_zeros", "Start-up self-test, outputs of zeros", Kind::refusal},
    {"self_test_identity", "Start-up self-test, the original against itself", Kind::estimate},
    {"self_test_slower", "Start-up self-test, a copy with 5 % added", Kind::estimate},
    {"planned_problems", "Problems planned", Kind::plain},
    {"planned_cases", "Cases planned", Kind::plain},
    {"wall_s", "Time taken", Kind::seconds},
    {"measuring_share", "Share of the time spent measuring", Kind::share},
    {"timed_pairs", "Speedups timed", Kind::plain},
    {"undecided_share", "Speedups whose size is undecided (interval wider than 1 %)", Kind::share},
    {"no_verdict_share", "Speedups of which neither faster, slower nor the same can be said", Kind::share},
    {"submissions", "Hash of all submissions", Kind::plain},
    {"parts", "Parts", Kind::plain},
    {"resumed", "Resumed", Kind::plain},
};

std::string value_text(const std::string& value, Kind kind) {
  double number = 0;
  const bool is_number = std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc();
  switch (kind) {
    case Kind::share: return is_number ? fmt::format("{:.1f} %", number * 100) : value;
    case Kind::seconds: return is_number ? fmt::format("{:.1f} s", number) : value;
    case Kind::refusal:
      return value == "mismatch" || value == "incomplete" ? fmt::format("refused, as they should be ({})", value)
                                                          : fmt::format("not refused as they should be ({})", value);
    case Kind::estimate: {
      constexpr std::string_view no_verdict = "undecided";  // the other question than a report's "undecided"
      return value.ends_with(no_verdict) ? value.substr(0, value.size() - no_verdict.size()) + "neither faster, slower nor the same can be said"
                                         : value;
    }
    default: return value;
  }
}

// Of a campaign the program times the final measurement alone; its sessions have figures of their own.
constexpr Words of_a_campaign[] = {
    {"wall_s", "Time taken by the final measurement, without the sessions", Kind::seconds},
    {"measuring_share", "Share of that time spent measuring", Kind::share},
};

const char* words_for(const Run& run, const Words& each) {
  const bool campaign = run.command.size() > 1 && (run.command[1] == "optimize" || run.command[1] == "mcp");
  for (const Words& other : of_a_campaign) {
    if (campaign && std::string_view(other.name) == each.name) {
      return other.words;
    }
  }
  return each.words;
}

// A figure that this version does not know keeps its name, without underscores.
std::string plain_words(std::string name) {
  constexpr std::string_view sessions = "sessions_";
  const bool ending = name.starts_with(sessions);
  if (ending) {
    name = name.substr(sessions.size());
  }
  std::replace(name.begin(), name.end(), '_', ' ');
  if (ending) {
    return "Sessions with the ending: " + name;
  }
  if (!name.empty()) {
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  }
  return name;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> run_figure_words(const Run& whole) {
  Run run = whole;
  if (run.figures.contains("resumed")) {  // as earlier versions wrote it: these are of the last part alone
    for (const char* name : {"wall_s", "measuring_share", "timed_pairs", "undecided_share", "no_verdict_share"}) {
      run.figures.erase(name);
    }
  }
  std::vector<std::pair<std::string, std::string>> list;
  for (const Words& each : known) {
    if (const auto found = run.figures.find(each.name); found != run.figures.end()) {
      list.push_back({words_for(run, each), value_text(found->second, each.kind)});
    }
  }
  for (const auto& [name, value] : run.figures) {
    if (std::none_of(std::begin(known), std::end(known), [&](const Words& each) { return name == each.name; })) {
      list.push_back({plain_words(name), value});
    }
  }
  return list;
}

}  // namespace mskb
