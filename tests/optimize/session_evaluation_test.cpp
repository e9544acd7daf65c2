#include "optimize/session_evaluation.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "fake_harness.hpp"

namespace mskb {
namespace {

// Builds with a log, and evaluates one case.
class LoggingMeasurer : public Measurer {
 public:
  explicit LoggingMeasurer(const std::filesystem::path& log) : log_(log) {}
  const Environment& environment() const override { return environment_; }
  std::map<std::string, std::string> figures() const override { return {}; }
  void run(const std::vector<ProblemPlan>& plans, const EvaluatorSink& sink) override {
    const ProblemPlan& plan = plans.at(0);
    for (const Candidate& candidate : plan.candidates) {
      BuildResult build;
      build.log = log_;
      build.detail = candidate.origin;
      build.resources = {{"kernel of " + candidate.origin, 8, 0, 0, 0, 0}};
      sink.built(plan.problem, candidate, build);
    }
    const Case test_case = make_cases(plan.problem, "smoke").at(0);
    sink.group({test::fake_evaluation(test_case, plan.candidates[0], Verdict::passed, false),
                test::fake_evaluation(test_case, plan.candidates[1], Verdict::mismatch, false)});
  }

 private:
  std::filesystem::path log_;
  Environment environment_;
};

TEST(SessionEvaluation, TellsOfTheCandidateAndHidesThePathsOfTheMachine) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path() / "log") << "g++ -I/somewhere/home/include -I/somewhere/home/simt -o /cache/x.so";
  LoggingMeasurer measurer(folder.path() / "log");
  const Candidate reference = reference_candidate(test::silu_fp32());
  Candidate candidate = reference;  // the same text by another author
  candidate.origin = "optimizer:test#1";
  const CandidateReport report = evaluate_for_session(measurer, test::silu_fp32(), reference, candidate, {"smoke"},
                                                      {{"/somewhere/home", "<home>"}, {"/cache", "<cache>"}});
  EXPECT_EQ(report.build_log, "g++ -I<home>/include -I<home>/simt -o <cache>/x.so");
  EXPECT_EQ(report.build_detail, "optimizer:test#1");
  EXPECT_EQ(report.kernels.at(0).kernel, "kernel of optimizer:test#1");
  ASSERT_EQ(report.cases.size(), 1u);
  EXPECT_EQ(report.cases[0].verdict, Verdict::mismatch);
  EXPECT_EQ(report.references[0].verdict, Verdict::passed);
  EXPECT_EQ(report.device_s, 0.5);
}

}  // namespace
}  // namespace mskb
