#include <algorithm>

#include "base/characters.hpp"
#include "report/figures.hpp"
#include "report/page_parts.hpp"

namespace mskb {

namespace {

PageJson figure(const std::optional<double>& value) { return value ? PageJson(rounded(*value)) : PageJson(nullptr); }

PageJson estimate(const std::optional<SpeedupEstimate>& speedup) {
  if (!speedup) {
    return nullptr;
  }
  return {rounded(speedup->value), rounded(speedup->low), rounded(speedup->high), speedup->decided, speedup->rounds};
}

PageJson clock_median(const Evaluation& evaluation, const char* clock) {
  if (!evaluation.timing) {
    return nullptr;
  }
  const auto found = evaluation.timing->clocks.find(clock);
  return found == evaluation.timing->clocks.end() ? PageJson(nullptr) : PageJson(rounded(found->second.median));
}

PageJson launches(const Evaluation& evaluation) {
  PageJson list = PageJson::array();
  for (const KernelLaunch& launch : evaluation.launches) {
    std::string kernel = visible_text(launch.kernel);
    if (kernel.size() > 160) {
      kernel = visible_text(kernel.substr(0, 157)) + "...";
    }
    list.push_back({{"kernel", kernel}, {"grid", launch.grid}, {"block", launch.block}, {"registers", launch.registers},
                    {"shared", launch.static_shared + launch.dynamic_shared}, {"count", launch.count}});
  }
  return list;
}

// One evaluation as the page of its problem shows it.
PageJson row(const CaseScore& score, std::size_t candidate) {
  const Evaluation& own = *score.evaluation;
  PageJson json{{"c", candidate}, {"id", own.id}, {"verdict", std::string(to_string(own.verdict))}};
  if (!own.detail.empty()) {
    json["detail"] = visible_text(own.detail);
  }
  if (!own.paper_verdict.empty()) {
    json["paper"] = own.paper_verdict;
  }
  double worst = -1;
  for (const OutputError& error : own.errors) {
    worst = std::max(worst, error.worst_ratio);
  }
  if (worst >= 0) {
    json["worst"] = rounded(worst);
  }
  if (!own.timing) {
    return json;
  }
  json["s"] = estimate(score.speedup);
  json["call"] = estimate(score.call_speedup);
  json["us"] = figure(score.time_us);
  json["call_us"] = clock_median(own, "call");
  json["busy_us"] = clock_median(own, "busy");
  json["null_us"] = rounded(own.timing->null_kernel_us);
  json["launch_bound"] = own.timing->launch_bound;
  json["differ"] = own.timing->stories_differ;
  json["limit_us"] = figure(score.limit_us);
  json["limit"] = figure(score.limit_share);
  json["closed"] = figure(score.headroom_closed);
  json["best"] = figure(score.ratio_to_best_baseline);
  return json;
}

PageJson candidate_entry(const ProblemScore& score, const std::string& bottleneck) {
  PageJson json{{"origin", visible_text(origin_text(score.origin))}, {"author", visible_text(origin_text(author_of(score.origin)))}, {"kind", score.origin == "reference" ? "reference"
                    : score.origin.starts_with("baseline:") ? "baseline" : "candidate"},
                {"id", score.candidate}, {"set", score.set}, {"verdict", score.worst_verdict}, {"paper", score.paper_verdict},
                {"counts", {score.passed, score.failed, score.skipped, score.undecided, score.missing}}};
  json["partial"] = score.partial;
  json["class"] = bottleneck;
  if (score.timed > 0 || !score.correct) {
    json["p"] = rounded(score.weighted_speedup);
    json["low"] = rounded(score.low);
    json["high"] = rounded(score.high);
    json["call"] = figure(score.call_weighted_speedup);
    json["launch_share"] = rounded(score.launch_bound_share);
    json["limit"] = figure(score.limit_share);
    json["closed"] = figure(score.headroom_closed);
    json["best"] = figure(score.ratio_to_best_baseline);
  }
  return json;
}

class ProblemPage {
 public:
  ProblemPage(const ReportData& data, PageSources& sources, const std::string& name)
      : data_(data), sources_(sources), name_(name), json_{{"name", visible_text(name)}} {}

  void add(const ProblemScore& score) {
    if (score.origin == "reference") {
      reference_ = score.candidate;
    }
    keys_.push_back(score.origin + "\n" + score.candidate + "\n" + score.set);
    candidates_.push_back(&score);
  }

  void add(const CaseScore& score) {
    const Evaluation& own = *score.evaluation;
    if (own.set == "check" && score.outcome == Outcome::passed) {
      ++checks_passed_;
      return;
    }
    cases_[{own.set == "check" ? 0 : 1, own.set, case_index(own)}].push_back(&score);
  }

  PageJson take() {
    json_["candidates"] = PageJson::array();
    for (const ProblemScore* score : candidates_) {
      PageJson entry = candidate_entry(*score, data_.classes.of(name_, score->candidate));
      sources_.add(score->candidate);
      if (score->candidate != reference_ && !score->origin.starts_with("baseline:")) {
        entry["diff"] = sources_.difference(reference_, score->candidate);
      }
      json_["candidates"].push_back(std::move(entry));
    }
    json_["checks_passed"] = checks_passed_;
    json_["cases"] = PageJson::array();
    for (const auto& [key, scores] : cases_) {
      json_["cases"].push_back(case_entry(scores));
    }
    if (const auto session = data_.sessions.by_problem.find(name_); session != data_.sessions.by_problem.end()) {
      json_["session"] = page_session(session->second, sources_.main_text(reference_), sources_);
    }
    return std::move(json_);
  }

 private:
  using CaseKey = std::tuple<int, std::string, int>;  // check cases first

  std::size_t place_of(const Evaluation& evaluation) const {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const std::string start = evaluation.origin + "\n" + evaluation.candidate + "\n";
      if (keys_[i] == start + evaluation.set || (evaluation.set == "check" && keys_[i].starts_with(start))) {
        return i;
      }
    }
    return keys_.size();
  }

  PageJson case_entry(const std::vector<const CaseScore*>& scores) {
    const Evaluation& first = *scores.front()->evaluation;
    PageJson entry{{"set", first.set}, {"index", case_index(first)}, {"size", visible_text(first.size)}, {"weight", rounded(first.weight)},
                   {"bytes", rounded(first.bytes)}, {"flops", rounded(first.flops)}};
    entry["rows"] = PageJson::array();
    for (const CaseScore* score : scores) {
      const std::size_t place = place_of(*score->evaluation);
      PageJson own = row(*score, place);
      if (place < candidates_.size() && candidates_[place]->largest_case == score->evaluation->case_name) {
        own["launches"] = launches(*score->evaluation);
      }
      entry["rows"].push_back(std::move(own));
    }
    return entry;
  }

  const ReportData& data_;
  PageSources& sources_;
  std::string name_, reference_;
  PageJson json_;
  std::vector<std::string> keys_;
  std::vector<const ProblemScore*> candidates_;
  std::map<CaseKey, std::vector<const CaseScore*>> cases_;
  int checks_passed_ = 0;
};

}  // namespace

PageJson page_problems(const ReportData& data, PageSources& sources) {
  std::map<std::string, ProblemPage> pages;
  const auto page_of = [&](const std::string& name) -> ProblemPage& { return pages.try_emplace(name, data, sources, name).first->second; };
  for (const ProblemScore& score : data.problems) {
    page_of(score.problem()).add(score);
  }
  for (const CaseScore& score : data.cases) {
    page_of(score.evaluation->task + "/" + score.evaluation->precision).add(score);
  }
  PageJson list = PageJson::array();
  for (auto& [name, page] : pages) {
    list.push_back(page.take());
  }
  return list;
}

}  // namespace mskb
