// `mskb audit` of a run that has times: what follows from its rounds, and what somebody has edited.
#include <limits>
#include <map>
#include <set>

#include "audit_fixture.hpp"
#include "evaluate/statistics.hpp"
#include "evaluate/turns.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Times need a GPU to be made, and none to be looked at.
class AuditOfTimes : public test::Audit {
 protected:
  void SetUp() override {
    fs::path source;
    for (const fs::path& run : find_runs(fs::path(MSKB_SOURCE_DIR) / "results")) {
      const StoredRun stored = read_run(run);
      if (stored.run.protocol == "strict" && stored.run.figures.contains("timed_pairs") && !stored.run.figures.contains("resumed")) {
        source = run;
        break;
      }
    }
    ASSERT_FALSE(source.empty()) << "no timed run under results/";
    fs::create_directory(path("run"));
    for (const char* name : {"run.yaml", "evaluations.jsonl", "candidates"}) {
      fs::copy(source / name, path("run") / name, fs::copy_options::recursive);
    }
  }

  static bool is_timed(const Evaluation& evaluation) { return evaluation.timing && !evaluation.timing->speedups.empty(); }

  // Makes all intervals, or the first few, by a rule from the rounds on record.
  void set_intervals(const IntervalRule& rule, int most = std::numeric_limits<int>::max()) {
    std::map<std::string, std::map<std::string, ClockSamples>> references;
    for (const Evaluation& evaluation : read_run(path("run")).evaluations) {
      if (evaluation.origin == "reference" && evaluation.timing) {
        references[evaluation.group] = evaluation.timing->clocks;
      }
    }
    edit_records([&](Evaluation& evaluation) {
      if (is_timed(evaluation) && most-- > 0) {
        for (auto& [clock, speedup] : evaluation.timing->speedups) {
          speedup = estimate_speedup(references.at(evaluation.group).at(clock).rounds, evaluation.timing->clocks.at(clock).rounds, rule);
        }
      }
      return true;
    });
  }
};

TEST_F(AuditOfTimes, TheFiguresOfAnHonestRunFollowFromItsRounds) {
  EXPECT_THAT(audit({"--records-only"}).output, AllOf(Not(HasSubstr("by its rounds")), Not(HasSubstr("the records say"))));
}

TEST_F(AuditOfTimes, FindsTimesThatWereTakenOut) {
  bool done = false;
  edit_records([&](Evaluation& evaluation) {
    if (!done && evaluation.origin != "reference" && is_timed(evaluation)) {
      evaluation.timing.reset();
      done = true;
    }
    return true;
  });
  expect_found("it passed, but has no times, and the reference has");
}

TEST_F(AuditOfTimes, FindsAMedianThatWasEdited) {
  edit_records([done = false](Evaluation& evaluation) mutable {
    if (!done && is_timed(evaluation)) {
      evaluation.timing->clocks.at("span").median *= 0.9;
      done = true;
    }
    return true;
  });
  expect_found("the median of span is [0-9.e+-]+ on record, [0-9.e+-]+ by its rounds");
}

TEST_F(AuditOfTimes, FindsASpeedupThatWasEdited) {
  edit_records([done = false](Evaluation& evaluation) mutable {
    if (!done && is_timed(evaluation)) {
      evaluation.timing->speedups.at("span").value *= 1.2;
      done = true;
    }
    return true;
  });
  expect_found("the speedup of span is [0-9.e+-]+ on record, [0-9.e+-]+ by its rounds");
}

TEST_F(AuditOfTimes, FindsAVerdictOfASpeedupThatWasEdited) {
  edit_records([done = false](Evaluation& evaluation) mutable {
    if (!done && is_timed(evaluation) && evaluation.timing->speedups.at("span").verdict != "faster") {
      evaluation.timing->speedups.at("span").verdict = "faster";
      done = true;
    }
    return true;
  });
  expect_found("the speedup of span is called faster .* by its rounds");
}

TEST_F(AuditOfTimes, FindsAClockThatNobodyMeasured) {
  edit_records([done = false](Evaluation& evaluation) mutable {
    if (!done && is_timed(evaluation)) {
      evaluation.timing->clock_mhz = -5;
      evaluation.timing->dropped_rounds = 9;
      evaluation.timing->clock_unsteady = true;
      done = true;
    }
    return true;
  });
  expect_found("a clock of -5 MHz");
  expect_found("9 dropped rounds and a clock called unsteady");
  expect_found("its clock rate or dropped rounds are not those of the reference");
}

TEST_F(AuditOfTimes, FindsAMedianWithoutRounds) {
  edit_records([](Evaluation& evaluation) {
    if (is_timed(evaluation)) {
      evaluation.timing->clocks.at("span").rounds.clear();
      evaluation.timing->speedups.erase("span");
    }
    return true;
  });
  expect_found("the median of span has no rounds to follow from");
  expect_found("there is no speedup of span though the reference has that clock");
}

TEST_F(AuditOfTimes, FindsRoundsThatWereLeftOut) {
  const StoredRun stored = read_run(path("run"));
  std::map<std::string, ClockSamples> references;
  for (const Evaluation& evaluation : stored.evaluations) {
    if (evaluation.origin == "reference" && evaluation.timing) {
      references[evaluation.group] = evaluation.timing->clocks.at("span");
    }
  }
  // With all that follows from the rest.
  edit_records([&](Evaluation& evaluation) {
    if (is_timed(evaluation)) {
      ClockSamples& span = evaluation.timing->clocks.at("span");
      span.rounds.resize(4);
      span.median = median(span.rounds);
      evaluation.timing->speedups.at("span") = estimate_speedup(references.at(evaluation.group).rounds, span.rounds, strict_rule);
    }
    return true;
  });
  expect_found("4 rounds of span where the reference has [0-9]+, though its interval is wider than 1 %");
}

TEST_F(AuditOfTimes, FindsTimesThatNoDeviceReaches) {
  // Everybody's, so that all that follows from them stays as it is.
  edit_records([](Evaluation& evaluation) {
    if (evaluation.timing) {
      for (auto& [name, samples] : evaluation.timing->clocks) {
        samples.median /= 1000;
        for (double& round : samples.rounds) {
          round /= 1000;
        }
      }
    }
    return true;
  });
  expect_found("it passed, and its span is [0-9.e+-]+ us, but the device cannot move the data in less than");
}

TEST_F(AuditOfTimes, IntervalsFollowByTheRuleOfTheVersionThatMadeThem) {
  for (const IntervalRule& rule : {strict_rule, IntervalRule{.looks = 5, .rounds_per_generation = 0}, IntervalRule{.looks = 3, .rounds_per_generation = 0}}) {
    set_intervals(rule);
    EXPECT_THAT(audit({"--records-only"}).output, Not(HasSubstr("by its rounds"))) << rule.looks << " looks, " << rule.rounds_per_generation;
  }
}

TEST_F(AuditOfTimes, FindsIntervalsOfAnotherLevel) {
  set_intervals({.looks = 1, .rounds_per_generation = 0});
  expect_found("the upper bound of span is [0-9.e+-]+ on record, [0-9.e+-]+ by its rounds");
}

TEST_F(AuditOfTimes, FindsAnIntervalByTheRuleOfAnotherVersion) {
  set_intervals(strict_rule);
  set_intervals({.looks = 3, .rounds_per_generation = 0}, 1);
  expect_found("the upper bound of span is [0-9.e+-]+ on record, [0-9.e+-]+ by its rounds");
}

TEST_F(AuditOfTimes, FindsTimesOfACommandThatTakesNone) {
  replace("run/run.yaml", "command:\n", "command:\n  - \"--no-timing\"\n");
  expect_found("it has times, but the command in run.yaml takes none");
}

TEST_F(AuditOfTimes, FindsThatTheSelfTestWasTakenOut) {
  replace("run/run.yaml", "\"self_test\": \"", "\"self_test_of_old\": \"");
  expect_found("run.yaml: self_test is not there, and it has times");
}

TEST_F(AuditOfTimes, FindsThatTheSelfTestWasNotRunOrItsPartsWereEdited) {
  const std::string before = read_file(path("run/run.yaml"));
  replace("run/run.yaml", "\"self_test\": \"passed\"", "\"self_test\": \"not run: \"");
  expect_found("run.yaml: self_test was not run, and it has times");
  write_file_atomically(path("run/run.yaml"), before);
  replace("run/run.yaml", "\"self_test_identity\": \"", "\"self_test_identity\": \"hello \"\n  \"self_test_identity_of_old\": \"");
  replace("run/run.yaml", "\"self_test_slower\": \"", "\"self_test_slower\": \"1.465 (1.441 to 1.490), faster\"\n  \"self_test_slower_of_old\": \"");
  expect_found("run.yaml: self_test is called passed, and self_test_identity is hello");
  expect_found("run.yaml: self_test is called passed, and self_test_slower is 1.465 .*, faster");
}

TEST_F(AuditOfTimes, FindsFlagsThatWereEdited) {
  std::set<std::string> groups;
  edit_records([&](Evaluation& evaluation) {
    if (is_timed(evaluation)) {
      groups.insert(evaluation.group);
      switch (groups.size()) {
        case 1: evaluation.timing->launch_bound = !evaluation.timing->launch_bound; break;
        case 2: evaluation.timing->stories_differ = !evaluation.timing->stories_differ; break;
        case 3: evaluation.timing->null_kernel_us = 100; break;
        default: break;
      }
    }
    return true;
  });
  expect_found("launch_bound is [a-z]+ on record, [a-z]+ by its figures");
  expect_found("stories_differ is [a-z]+ on record, [a-z]+ by its figures");
  expect_found("its null kernel is not that of the reference");
}

TEST_F(AuditOfTimes, FindsWhatTheFloorNeedsAndClosingFiguresTakenOut) {
  replace("run/run.yaml", "  memory_bandwidth: ", "  memory_bandwidth: 0 #");
  replace("run/run.yaml", "\"undecided_share\": \"", "\"undecided_share_of_old\": \"");
  expect_found("run.yaml: memory_bandwidth is not there");
  expect_found("run.yaml: undecided_share is not there, the records say 0[.][0-9]+");
}

TEST_F(AuditOfTimes, FindsAClosingFigureThatWasEdited) {
  replace("run/run.yaml", "\"timed_pairs\": \"", "\"timed_pairs\": \"9");
  expect_found("run.yaml: timed_pairs is 9[0-9]+, the records say [0-9]+");
}

}  // namespace
}  // namespace mskb
