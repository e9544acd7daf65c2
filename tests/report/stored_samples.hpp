#pragma once
#include <map>

#include "base/hashing.hpp"
#include "store/run_reader.hpp"
#include "store/samples.hpp"

// Small invented runs that between them show every kind of row.
namespace mskb::samples {

inline StoredRun stored(const Run& run, std::vector<Evaluation> evaluations) {
  StoredRun stored;
  stored.run = run;
  stored.evaluations = std::move(evaluations);
  return stored;
}

// Completes the group sizes and draws ids like the evaluator's.
inline std::vector<Evaluation> grouped(std::vector<Evaluation> list) {
  std::map<std::string, int> sizes;
  for (const Evaluation& evaluation : list) {
    ++sizes[evaluation.group];
  }
  for (Evaluation& evaluation : list) {
    evaluation.group_size = sizes[evaluation.group];
    evaluation.id = Hasher().add(evaluation.case_name).add(evaluation.origin).hex(16);
  }
  return list;
}

// Groups beside each other, in the order of their first record, as a writer appends them.
inline std::vector<std::vector<Evaluation>> groups_of(const std::vector<Evaluation>& list) {
  std::vector<std::vector<Evaluation>> groups;
  for (const Evaluation& evaluation : list) {
    auto found = groups.begin();
    while (found != groups.end() && found->front().group != evaluation.group) {
      ++found;
    }
    if (found == groups.end()) {
      found = groups.insert(groups.end(), std::vector<Evaluation>());
    }
    found->push_back(evaluation);
  }
  return groups;
}

inline Evaluation on_both(Evaluation evaluation, double span, double call, double speedup, double call_speedup, double half_width = 0.004) {
  return timed(timed(std::move(evaluation), "span", span, speedup, half_width), "call", call, call_speedup);
}

inline StoredRun strict_run() {
  std::vector<Evaluation> list;
  for (int i = 0; i < 3; ++i) {
    const double base = 5 * (1 << (2 * i));
    list.push_back(on_both(passed("gated_unit", i, "reference", 0), base, base + 8, 1, 1));
    list.push_back(on_both(passed("gated_unit", i, "optimizer:skilled#1", 0), base / 2, base / 2 + 8, 2, (base + 8) / (base / 2 + 8)));
    list.push_back(on_both(passed("gated_unit", i, "baseline:vendor", 0), base / 1.6, base / 1.6 + 9, 1.6, 1.2, i == 2 ? 0.03 : 0.002));
    list[list.size() - 2].timing->launch_bound = i == 0;
    list[list.size() - 2].timing->stories_differ = i == 0;
  }
  list.push_back(passed("gated_unit", 0, "optimizer:skilled#1", 0, "check"));
  list.push_back(on_both(passed("product", 0, "reference", 0, "paper", "bf16"), 4000, 4010, 1, 1));
  list.push_back(failed(passed("product", 0, "optimizer:skilled#1", 0, "paper", "bf16"), Verdict::mismatch, "out[17]: 1.5, wanted 2.5"));
  list.push_back(on_both(passed("product", 1, "reference", 0, "paper", "bf16"), 32000, 32010, 1, 1));
  list.push_back(on_both(passed("product", 1, "optimizer:skilled#1", 0, "paper", "bf16"), 100, 110, 320, 291));
  list.push_back(on_both(passed("rows", 0, "reference", 0), 50, 60, 1, 1));
  list.back().origin_error = true;
  list.push_back(on_both(passed("rows", 0, "optimizer:skilled#1", 0), 60, 70, 0.833, 0.857, 0.03));
  list.back().paper_verdict = "failed";
  for (const char* origin : {"reference", "optimizer:skilled#1"}) {
    list.push_back(failed(passed("rows", 1, origin, 0), Verdict::skipped, "does not fit the memory of the device"));
  }
  list.push_back(failed(passed("waves", 0, "reference", 0), Verdict::crashed, "signal 11"));
  list.push_back(failed(passed("waves", 0, "optimizer:skilled#1", 0), Verdict::build_failed, "waves.cu(3): expected a \";\""));
  list.push_back(failed(passed("waves", 1, "optimizer:skilled#1", 0), Verdict::build_failed, "waves.cu(3): expected a \";\""));
  Run head = run();
  head.figures = {{"measuring_share", "0.4321"}, {"planned_problems", "5"}, {"wall_s", "12.5"}};
  return stored(head, grouped(std::move(list)));
}

inline StoredRun paper_run() {
  std::vector<Evaluation> list;
  const auto add = [&](int index, const std::string& origin, double us, double speedup, const std::string& published) {
    list.push_back(timed(passed("gated_unit", index, origin, 0), "batch", us, speedup, 0));
    list.back().paper_verdict = published;
  };
  for (int i = 0; i < 2; ++i) {
    add(i, "reference", 12 << i, 1, "");
    add(i, "optimizer:lenient#2", 4 << i, 3, "passed");
    list.back().verdict = Verdict::mismatch;
    list.back().detail = "out[3]: 0.5, wanted 0.75";
    add(i, "optimizer:skilled#1", 6 << i, 2, i == 0 ? "passed" : "failed");
  }
  return stored(run("paper"), grouped(std::move(list)));
}

inline StoredRun cpu_run() {
  std::vector<Evaluation> list;
  for (int i = 0; i < 2; ++i) {
    list.push_back(passed("gated_unit", i, "reference", 0, "smoke"));
    list.push_back(passed("gated_unit", i, "file:mine.cu", 0, "smoke"));
    list.push_back(passed("rows", i, "reference", 0, "smoke", "bf16"));
    list.push_back(passed("rows", i, "file:mine.cu", 0, "smoke", "bf16"));
    if (i == 1) {
      list.back() = failed(list.back(), Verdict::out_of_bounds, "4 bytes after `out`");
    }
  }
  for (Evaluation& evaluation : list) {
    evaluation.backend = "cpu";
    evaluation.device = "Invented CPU";
  }
  Run head = run("verdicts", "cpu");
  head.environment.driver.clear();
  head.environment.toolkit.clear();
  return stored(head, grouped(std::move(list)));
}

}  // namespace mskb::samples
