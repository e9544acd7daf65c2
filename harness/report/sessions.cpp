#include "report/sessions.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/counted.hpp"
#include "base/errors.hpp"
#include "base/files.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr int transcript_schema = 1;

const Json& member(const Json& object, const char* name) {
  static const Json nothing;
  if (!object.is_object()) {
    return nothing;
  }
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : ""; }

std::optional<double> number_of(const Json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

// P by size set from an evaluation message; a set with an untimed or failed case has none.
void add_speedups(SessionEvent& event, const Json& cases, const std::string& clock) {
  struct Sum {
    double weights = 0, speedups = 0;
    bool whole = true;
  };
  std::map<std::string, Sum> sums;
  for (const Json& each : cases) {
    const std::string set = text_of(member(each, "set"));
    if (set == "check") {
      continue;
    }
    Sum& sum = sums[set];
    const double weight = number_of(member(each, "weight")).value_or(0);
    const auto speedup = number_of(member(member(member(member(each, "timing"), "speedup"), clock.c_str()), "value"));
    sum.whole = sum.whole && speedup;
    sum.weights += weight;
    sum.speedups += weight * speedup.value_or(0);
  }
  for (const auto& [set, sum] : sums) {
    event.sets.push_back(set);
    if (event.verdict == "passed" && sum.whole && sum.weights > 0) {
      event.speedups[set] = sum.speedups / sum.weights;
    }
  }
}

class Reading {
 public:
  explicit Reading(Session& session) : session_(session) {}

  void line(const Json& line) {
    if (const Json& end = member(line, "end"); end.is_object()) {
      add_end(end);
      return;
    }
    last_t_ = number_of(member(line, "t")).value_or(last_t_);
    session_.awaits = text_of(member(line, "suspended"));
    const Json& message = member(line, "message");
    const std::string type = text_of(member(message, "type"));
    SessionEvent event;
    event.seconds = number_of(member(line, "t")).value_or(0);
    if (type == "start") {
      start(message);
    } else if (type == "note") {
      note(std::move(event), message);
    } else if (type == "evaluate") {
      asked_ = message;
    } else if (type == "evaluation") {
      evaluation(std::move(event), message);
    } else if (type == "stop" || type == "error") {
      event.kind = type == "stop" ? SessionEvent::Kind::stop : SessionEvent::Kind::error;
      event.text = text_of(member(message, type == "stop" ? "reason" : "message"));
      session_.events.push_back(std::move(event));
    } else if (type == "submit") {
      session_.submitted = text_of(member(message, "id"));
    }
  }

  void finish() {
    if (!session_.ended) {
      session_.wall_s = last_t_;
      session_.evaluations = std::count_if(session_.events.begin(), session_.events.end(), [](const SessionEvent& event) {
        return event.kind == SessionEvent::Kind::evaluation;
      });
    }
    for (const SessionEvent& event : session_.events) {
      if (event.kind == SessionEvent::Kind::evaluation && event.candidate == session_.submitted && !event.bottleneck.empty()) {
        session_.bottleneck_after = event.bottleneck;
      }
    }
  }

 private:
  void start(const Json& message) {
    session_.clock = text_of(member(member(message, "measuring"), "clock"));
    for (const auto& [name, source] : member(member(message, "reference"), "sources").items()) {
      reference_.insert(text_of(source));
    }
    for (const auto& [name, value] : member(message, "budget").items()) {
      if (value.is_number()) {
        session_.budget[name] = value.get<double>();
      }
    }
    for (const auto& [name, value] : member(message, "options").items()) {
      session_.options[name] = text_of(value);
    }
  }

  void note(SessionEvent event, const Json& message) {
    event.role = text_of(member(message, "role"));
    event.model = text_of(member(message, "model"));
    event.text = text_of(member(message, "text"));
    if (event.text.empty()) {
      event.text = text_of(member(member(message, "answer"), "text"));
    }
    event.input_tokens = number_of(member(member(message, "tokens"), "input"));
    event.output_tokens = number_of(member(member(message, "tokens"), "output"));
    event.cost = number_of(member(message, "cost"));
    session_.events.push_back(std::move(event));
  }

  void evaluation(SessionEvent event, const Json& message) {
    event.kind = SessionEvent::Kind::evaluation;
    event.number = static_cast<int>(number_of(member(message, "number")).value_or(0));
    event.candidate = text_of(member(message, "id"));
    event.verdict = text_of(member(message, "verdict"));
    event.detail = text_of(member(message, "detail"));
    event.bottleneck = text_of(member(member(message, "profile"), "class"));
    add_speedups(event, member(message, "cases"), session_.clock);
    bool original = false;
    for (const auto& [name, source] : member(asked_, "sources").items()) {
      event.sources[name] = text_of(source);
      original = original || reference_.contains(text_of(source));
    }
    for (const Json& flag : member(asked_, "flags")) {
      event.flags.push_back(text_of(flag));
    }
    if (original && event.flags.empty() && !event.bottleneck.empty() && session_.bottleneck_before.empty()) {
      session_.bottleneck_before = event.bottleneck;
    }
    asked_ = nullptr;
    session_.events.push_back(std::move(event));
  }

  void add_end(const Json& end) {
    session_.ended = true;
    session_.ending = text_of(member(end, "ending"));
    session_.detail = text_of(member(end, "detail"));
    session_.submitted = text_of(member(end, "id"));
    const Json& spent = member(end, "spent");
    session_.evaluations = number_of(member(spent, "evaluations"));
    session_.tokens = number_of(member(spent, "tokens"));
    session_.money = number_of(member(spent, "money"));
    session_.device_s = number_of(member(spent, "device_s"));
    session_.wall_s = number_of(member(spent, "wall_s"));
  }

  Session& session_;
  double last_t_ = 0;
  std::set<std::string> reference_;
  Json asked_;
};

// Throws InputError for a file that is no transcript.
Session read_session(const fs::path& file) {
  const std::string text = read_file(file);
  Session session;
  Reading reading(session);
  std::size_t start = 0;
  for (int number = 1; start < text.size(); ++number) {
    const std::size_t newline = text.find('\n', start);
    if (newline == std::string::npos) {
      break;  // cut while it was written; then there is no end either
    }
    const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(start),
                                  text.begin() + static_cast<std::ptrdiff_t>(newline), nullptr, false);
    start = newline + 1;
    if (!line.is_object() || (number == 1 && member(line, "schema") != transcript_schema)) {
      throw InputError(fmt::format("line {} is not one of a transcript of schema {}", number, transcript_schema));
    }
    if (number == 1) {
      session.problem = text_of(member(line, "problem"));
      session.optimizer = text_of(member(line, "optimizer"));
    } else {
      reading.line(line);
    }
  }
  if (session.problem.empty()) {
    throw InputError("it names no problem");
  }
  reading.finish();
  return session;
}

}  // namespace

std::string Session::model() const {
  std::map<std::string, int> counts;
  for (const SessionEvent& event : events) {
    if (!event.model.empty()) {
      ++counts[event.model];
    }
  }
  const auto most = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? "" : most->first;
}

Sessions read_sessions(const fs::path& run_directory) {
  Sessions sessions;
  const fs::path folder = run_directory / "transcripts";
  if (run_directory.empty() || !fs::is_directory(folder)) {
    return sessions;
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".jsonl") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::string name = file.lexically_relative(run_directory).generic_string();
    try {
      Session session = read_session(file);
      if (!session.ended) {
        sessions.notes.push_back(name + (session.awaits.empty() ? ": the session was cut off" : ": the session waits: " + session.awaits) +
                                 fmt::format(" ({} so far; go on with --resume)", counted(static_cast<long>(*session.evaluations), "evaluation")));
      }
      sessions.by_problem.insert_or_assign(session.problem, std::move(session));
    } catch (const InputError& error) {
      sessions.notes.push_back(name + ": left out: " + error.what());
    }
  }
  return sessions;
}

}  // namespace mskb
