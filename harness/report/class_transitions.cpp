#include "report/class_transitions.hpp"

namespace mskb {

ClassTransitions class_transitions(const Sessions& sessions) {
  ClassTransitions transitions;
  for (const auto& [problem, session] : sessions.by_problem) {
    if (session.bottleneck_before.empty() || session.bottleneck_after.empty()) {
      ++transitions.unknown;
      continue;
    }
    transitions.classes.insert({session.bottleneck_before, session.bottleneck_after});
    ++transitions.moves[{session.bottleneck_before, session.bottleneck_after}];
  }
  return transitions;
}

Grid class_transition_grid(const ClassTransitions& transitions) {
  std::vector<Grid::Column> columns{{"before \\ after", false}};
  for (const std::string& name : transitions.classes) {
    columns.push_back({name, true});
  }
  columns.push_back({"problems", true});
  Grid grid(columns);
  std::map<std::string, int> after;
  int all = 0;
  const auto row = [&](const std::string& title, const auto& count_of, int sum) {
    std::vector<std::string> cells{title};
    for (const std::string& name : transitions.classes) {
      cells.push_back(std::to_string(count_of(name)));
    }
    cells.push_back(std::to_string(sum));
    grid.row(cells);
  };
  for (const std::string& before : transitions.classes) {
    const auto count_of = [&](const std::string& name) {
      const auto found = transitions.moves.find({before, name});
      return found == transitions.moves.end() ? 0 : found->second;
    };
    int sum = 0;
    for (const std::string& name : transitions.classes) {
      sum += count_of(name);
      after[name] += count_of(name);
    }
    all += sum;
    row(before, count_of, sum);
  }
  if (!transitions.classes.empty()) {
    row("problems", [&](const std::string& name) { return after[name]; }, all);
  }
  return grid;
}

}  // namespace mskb
