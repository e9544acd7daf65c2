#include <algorithm>
#include <cmath>
#include <set>

#include "base/errors.hpp"
#include "report/comparison.hpp"

namespace mskb {

namespace {

struct Point {
  double spent, best;
};

// The best P so far after each evaluation that brought a better one, and what was spent by then.
struct Course {
  std::vector<Point> points;
  double end = 0;
};

// Nothing where the unit is unknown for some part of what was spent.
std::optional<Course> course_of(const Session& session, const std::string& set, const std::string& unit) {
  Course course;
  double spent = 0, best = 0;
  for (const SessionEvent& event : session.events) {
    if (event.kind == SessionEvent::Kind::note) {
      if (unit == "money") {
        spent += event.cost.value_or(0);
      } else if (unit == "tokens") {
        spent += event.input_tokens.value_or(0) + event.output_tokens.value_or(0);
      }
    } else if (event.kind == SessionEvent::Kind::evaluation) {
      spent += unit == "evaluations" ? 1 : 0;
      if (const auto found = event.speedups.find(set); found != event.speedups.end() && found->second > best) {
        best = found->second;
        course.points.push_back({spent, best});
      }
    }
  }
  course.end = spent;
  const bool known = unit == "evaluations" || (unit == "money" ? session.money : session.tokens).has_value();
  return known ? std::optional(course) : std::nullopt;
}

}  // namespace

std::vector<SpendRow> spend_rows(const Comparison& comparison, const std::string& unit) {
  if (unit != "evaluations" && unit != "tokens" && unit != "money") {
    throw InputError("--spend " + unit + ": give evaluations, tokens or money");
  }
  std::vector<std::vector<Course>> courses;
  double most = 0;
  for (const Contestant& contestant : comparison.contestants) {
    auto& own = courses.emplace_back();
    const ReportData& data = *comparison.runs[contestant.run];
    for (const auto& [key, score] : contestant.problems) {
      const auto session = data.sessions.by_problem.find(key.first);
      if (session == data.sessions.by_problem.end() || "optimizer:" + session->second.optimizer != contestant.author) {
        continue;
      }
      if (const auto course = course_of(session->second, key.second, unit)) {
        own.push_back(*course);
        most = std::max(most, course->end);
      }
    }
  }
  std::vector<SpendRow> rows;
  if (!(most > 0)) {
    return rows;
  }
  std::set<double> amounts{most};
  for (int k = 0; k < 10; ++k) {
    const double amount = unit == "evaluations" ? std::exp2(k) : most * (k + 1) / 10;
    if (amount < most) {
      amounts.insert(amount);
    }
  }
  for (const double amount : amounts) {
    SpendRow row{amount, {}};
    for (const auto& own : courses) {
      SpendRow::Cell cell;
      double logs = 0;
      for (const Course& course : own) {
        double best = 0;
        for (const Point& point : course.points) {
          best = point.spent <= amount * (1 + 1e-12) ? point.best : best;
        }
        if (best > 0) {
          logs += std::log(best);
          cell.mean = std::exp(logs / ++cell.solved);
        }
      }
      row.cells.push_back(cell);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace mskb
