#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mskb {

// One thing that happened in a session of an optimizer, as its transcript tells (docs/optimizer-protocol.md).
struct SessionEvent {
  enum class Kind { note, evaluation, stop, error } kind = Kind::note;
  double seconds = 0;                               // since the session began
  std::string role, model, text;                    // note; text of stop and error
  std::optional<double> input_tokens, output_tokens, cost;  // note; unknown is not zero
  int number = 0;                                   // evaluation, from 1
  std::string candidate, verdict, detail, bottleneck;  // evaluation; the class that its profile names
  std::vector<std::string> sets;                    // size sets that were timed or verified, `check` aside
  std::map<std::string, double> speedups;           // P by size set on the session's clock, passed and timed as a whole
  std::map<std::string, std::string> sources;       // what was proposed
  std::vector<std::string> flags;
};

struct Session {
  std::string problem, optimizer, clock;
  std::vector<SessionEvent> events;
  std::map<std::string, double> budget;             // by figure; one without limit is absent
  std::map<std::string, std::string> options;       // of the optimizer
  bool ended = false;                               // false: it was cut off, or waits
  std::string awaits;                               // why it waits; empty: it does not
  std::string ending, detail, submitted;            // submitted: a candidate's id or empty
  // Spent; absent: unknown. Of one that has not ended: evaluations and seconds so far.
  std::optional<double> evaluations, tokens, money, device_s, wall_s;
  std::string bottleneck_before, bottleneck_after;  // class of the original, and of what was submitted; empty: no profile tells

  // The name of the model that its notes state most often; empty without one.
  std::string model() const;
};

struct Sessions {
  std::map<std::string, Session> by_problem;
  std::vector<std::string> notes;                   // transcripts that could not be read, and why
};

// The transcripts of a run's directory; none without that folder.
Sessions read_sessions(const std::filesystem::path& run_directory);

}  // namespace mskb
