#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "report/figures.hpp"
#include "report/reproduction.hpp"
#include "report/self_test.hpp"

namespace mskb {

namespace {

class Answer {
 public:
  Answer(const Reproduction& reproduction, const ReproduceRow& row, const ReportData* data)
      : table_(reproduction.table), published_(reproduction.published), row_(row), data_(data) {}

  ReproducedRow take() {
    result_.row = &row_;
    if (data_ != nullptr) {
      result_.run = data_->stored.directory;
      result_.run_id = data_->stored.run.id;
      result_.device = data_->stored.run.environment.device;
      result_.protocol = data_->stored.run.protocol;
      result_.skipped = all_skipped(data_->stored);
    }
    switch (table_.measure) {
      case Measure::success: success(); break;
      case Measure::speedup: speedup(); break;
      case Measure::transitions: transitions(); break;
    }
    reasons();
    return std::move(result_);
  }

 private:
  // The candidates that the run is about: not originals, libraries or self-tests.
  const Summary* summary() const {
    const Summary* found = nullptr;
    if (data_ != nullptr) {
      for (const Summary& each : data_->summaries) {
        if (!each.origin.starts_with("baseline:") && !each.origin.starts_with("selftest:")) {
          found = &each;
        }
      }
    }
    return found;
  }

  void success() {
    const Summary* own = summary();
    const int all = std::max(table_.problems, own == nullptr ? 0 : own->problems);
    for (const auto& row : published_.where(row_.where)) {
      ReproducedFigure figure;
      const double tau = published_number(row, "tau").value_or(0);
      figure.what = fmt::format("tau = {}", tau);
      figure.unit = "%";
      figure.expected = published_number(row, row_.column);
      const auto place = std::find(thresholds.begin(), thresholds.end(), tau);
      const bool timed = tau == 0 || own == nullptr || own->timed_cases > 0 || own->correct == 0;
      if (own != nullptr && timed && !data_->scoring.cpu && !result_.skipped && place != thresholds.end()) {
        const int count = own->successes[static_cast<std::size_t>(place - thresholds.begin())];
        figure.measured = 100.0 * count / all;
        figure.remark = fmt::format("{} of {}", count, all);
        missing_ = all - own->problems + own->without_record;
      }
      result_.figures.push_back(figure);
    }
    add_cost();
  }

  // Published beside the percentages where the table's own file has the columns.
  void add_cost() {
    const auto rows = published_.where(row_.where);
    for (const auto& [column, what] : {std::pair("usd_per_problem", "USD per problem"), {"tokens_per_problem", "tokens per problem"}}) {
      const auto expected = rows.empty() ? std::nullopt : published_number(rows.front(), column);
      if (!expected) {
        continue;
      }
      ReproducedFigure figure{what, "", expected, std::nullopt, ""};
      double sum = 0;
      int known = 0, sessions = 0;
      if (data_ != nullptr) {
        for (const auto& [problem, session] : data_->sessions.by_problem) {
          const auto& spent = what == std::string("USD per problem") ? session.money : session.tokens;
          sum += spent.value_or(0);
          known += spent.has_value();
          ++sessions;
        }
      }
      if (known > 0) {
        figure.measured = sum / known;
        figure.remark = fmt::format("known of {} of {} sessions", known, sessions);
      }
      result_.figures.push_back(figure);
    }
  }

  void speedup() {
    const auto rows = published_.where(row_.where);
    ReproducedFigure figure{"P", "x", rows.empty() ? std::nullopt : published_number(rows.front(), row_.column), std::nullopt, ""};
    if (data_ != nullptr) {
      for (const ProblemScore& problem : data_->problems) {
        if (problem.problem() == row_.problem && author_of(problem.origin) == row_.origin && problem.timed > 0) {
          figure.measured = problem.weighted_speedup;
          figure.remark = problem.low == problem.high ? "" : interval_text(problem.low, problem.high);
          undecided_ = problem.undecided;
          timed_ = problem.timed;
          incorrect_ = !problem.correct;
          whole_ = !problem.partial;
        }
      }
    }
    result_.figures.push_back(figure);
  }

  void transitions() {
    const auto rows = published_.where(row_.where);
    ReproducedFigure figure{"problems", "", rows.empty() ? std::nullopt : published_number(rows.front(), row_.column), std::nullopt, ""};
    int count = 0, known = 0;
    const auto matches = [](const std::string& wanted, const std::string& bottleneck) {
      return wanted.empty() || bottleneck.find(wanted) != std::string::npos;
    };
    if (data_ != nullptr) {
      std::map<std::string, std::string> before, after;
      for (const ProblemScore& problem : data_->problems) {
        const std::string bottleneck = data_->classes.of(problem.problem(), problem.candidate);
        (problem.origin == "reference" ? before : after).emplace(problem.problem(), bottleneck);
      }
      for (const auto& [problem, session] : data_->sessions.by_problem) {
        if (!session.bottleneck_before.empty()) {
          before[problem] = session.bottleneck_before;
        }
        if (!session.bottleneck_after.empty()) {
          after[problem] = session.bottleneck_after;
        }
      }
      for (const auto& [problem, bottleneck] : before) {
        const std::string& then = after[problem];
        const bool tells = (row_.before.empty() || !bottleneck.empty()) && (row_.after.empty() || !then.empty());
        known += tells;
        count += tells && matches(row_.before, bottleneck) && matches(row_.after, then);
      }
    }
    if (known > 0) {
      figure.measured = count;
      figure.remark = fmt::format("classes known of {} problems", known);
      missing_ = std::max(0, table_.problems - known);
    }
    result_.figures.push_back(figure);
  }

  void reasons() {
    auto& reasons = result_.reasons;
    if (row_.command.empty()) {
      reasons.push_back("published only" + (row_.note.empty() ? "" : ": " + row_.note));
      return;
    }
    if (data_ == nullptr) {
      reasons.push_back("missing: no run of it is on record");
      if (!key_is_set(row_)) {
        reasons.push_back(fmt::format("the model's key {} is not set", row_.needs));
      }
      if (!row_.note.empty()) {  // before anybody pays for the run
        reasons.push_back(row_.note);
      }
      return;
    }
    const Run& run = data_->stored.run;
    const bool whole = table_.measure == Measure::speedup && whole_;  // a run of many problems may be unfinished elsewhere
    result_.finished = whole || (!data_->unfinished() && !result_.skipped && (table_.measure == Measure::speedup || missing_ == 0));
    if (std::none_of(result_.figures.begin(), result_.figures.end(), [](const ReproducedFigure& figure) { return figure.measured.has_value(); })) {
      reasons.push_back(result_.skipped ? "missing: every case of the run was skipped" : "missing: the run holds no such figure");
    }
    if (!data_->stored.valid()) {
      reasons.push_back("the run is invalid: " + data_->stored.damage.front());
    }
    if (const std::string reason = unfit_reason(run); !reason.empty()) {
      reasons.push_back("the run is unfit: " + reason);
    }
    if (run.environment.device.find(table_.device) == std::string::npos) {
      reasons.push_back(fmt::format("device: {}, published on {}", run.environment.device, table_.device));
    }
    if (table_.measure != Measure::transitions && run.protocol != table_.protocol) {
      reasons.push_back(fmt::format("protocol: {}, published with {}", run.protocol, table_.protocol));
    }
    if (run.sandbox != "full") {
      reasons.push_back(fmt::format("sandbox: {}", run.sandbox));
    }
    if (table_.measure != Measure::transitions && self_test_lines(*data_).empty()) {
      reasons.push_back("self-test of every case: not in the run");
    }
    if (missing_ > 0) {
      reasons.push_back(fmt::format("{} of {} problems have no record", missing_, std::max(table_.problems, missing_)));
    }
    if (undecided_ > 0 && 2 * undecided_ > timed_) {
      reasons.push_back(fmt::format("undecided: {} of {} cases", undecided_, timed_));
    }
    if (incorrect_) {
      reasons.push_back("a case failed, so that P is 0");
    }
    if (!row_.note.empty()) {
      reasons.push_back(row_.note);
    }
  }

  const ReproduceTable& table_;
  const PublishedTable& published_;
  const ReproduceRow& row_;
  const ReportData* data_;
  ReproducedRow result_;
  int missing_ = 0, undecided_ = 0, timed_ = 0;
  bool incorrect_ = false, whole_ = false;
};

}  // namespace

std::optional<double> published_number(const std::map<std::string, std::string>& row, const std::string& column) {
  const auto found = row.find(column);
  double value = 0;
  if (found == row.end() || found->second.empty()) {
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  return error == std::errc() && end == found->second.data() + found->second.size() ? std::optional(value) : std::nullopt;
}

bool key_is_set(const ReproduceRow& row) {
  const char* key = row.needs.empty() ? nullptr : std::getenv(row.needs.c_str());
  return row.needs.empty() || (key != nullptr && *key != 0);
}

ReproducedRow reproduced_row(const Reproduction& reproduction, const ReproduceRow& row, const ReportData* data) {
  return Answer(reproduction, row, data).take();
}

}  // namespace mskb
