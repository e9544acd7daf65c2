#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/task.hpp"
#include "store/run_reader.hpp"

namespace mskb {

// Something in a run that does not hold.
struct AuditFinding {
  std::string where;  // a file of the run, or "<evaluation id> <case> <origin>"
  std::string what;   // one line
};

struct RecordAudit {
  std::vector<AuditFinding> findings;
  std::size_t groups = 0, records = 0, figures = 0;  // looked at; figures: medians and speedups
  std::map<std::string, Candidate> candidates;       // by id: those whose sources are there and hash to it
};

// What can be told of a run without a device: whether its records are whole, name their run and their task's cases, carry figures that follow
// from their rounds, and whether its candidates' sources hash to their ids and are what their origins say.
RecordAudit audit_records(const StoredRun& stored, const std::vector<Task>& tasks, const std::filesystem::path& home);

// What a repetition says of a record.
struct Repetition {
  enum class Outcome { holds, differs, not_repeated };
  Outcome outcome = Outcome::holds;
  std::string text;  // empty where it simply holds
};
// A verdict, and the published rule's beside it, holds when it comes again, and a failure also as another failure: which one a faulty kernel ends with may be chance.
Repetition compare_verdicts(const Evaluation& then, const Evaluation& now, const Evaluation* reference_then = nullptr);
// A speedup of the scoring clock (span, else call; batch) holds when both lie within their joint interval, widened by the noise floor; one of
// protocol `paper`, which has no intervals, within a tenth. not_repeated where one of the two has none, or devices differ.
Repetition compare_speedups(const Evaluation& then, const Evaluation& now);

}  // namespace mskb
