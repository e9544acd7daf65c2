#include "optimize/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace mskb {

namespace {

using Clock = OptimizerChannel::Clock;
using Kind = ReceivedLine::Kind;

constexpr int max_nesting = 32;

// One line of JSON, not nested without measure. Throws MalformedMessage.
Json parse_line(const std::string& line) {
  const auto too_deep = [](int depth, Json::parse_event_t, Json&) {
    if (depth > max_nesting) {
      throw MalformedMessage(fmt::format("a message may nest {} levels at most", max_nesting));
    }
    return true;
  };
  try {
    return Json::parse(line, too_deep);
  } catch (const Json::exception&) {
    throw MalformedMessage(fmt::format("not a line of JSON in UTF-8: {}; send one JSON object on one line", excerpt(line, 80)));
  }
}

class Conversation {
 public:
  Conversation(OptimizerChannel& optimizer, const SessionPlan& plan, Transcript& transcript)
      : optimizer_(optimizer), plan_(plan), transcript_(transcript) {}

  SessionOutcome lead();

 private:
  void answer(const std::string& line);
  void answer(const EvaluateRequest& request);
  void answer(const NoteMessage& note);
  void answer(const SubmitMessage& submit);
  void refuse(const std::string& what);
  void stop();
  void say(const Json& message);
  void end(SessionEnding ending, std::string detail = "");
  void silence();

  const Spending& spent() {
    outcome_.spending.wall_s = std::chrono::duration<double>(Clock::now() - started_).count();
    return outcome_.spending;
  }
  Clock::time_point deadline() const {
    if (stopped_) {
      return stopped_at_ + plan_.limits.after_stop;
    }
    return started_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*plan_.budget.wall_s));
  }

  OptimizerChannel& optimizer_;
  const SessionPlan& plan_;
  Transcript& transcript_;
  SessionOutcome outcome_;
  std::map<std::string, Candidate> evaluated_;  // by id, with the origin of its first evaluation
  Clock::time_point started_ = Clock::now(), stopped_at_;
  bool ended_ = false, stopped_ = false;
  int malformed_ = 0;
};

SessionOutcome Conversation::lead() {
  if (!plan_.budget.wall_s) {
    throw std::logic_error("a session without a limit of its wall time");
  }
  say(plan_.start);
  while (!ended_) {
    const ReceivedLine received = optimizer_.receive(deadline());
    switch (received.kind) {
      case Kind::line:
        answer(received.text);
        break;
      case Kind::timed_out:
        silence();
        break;
      case Kind::closed:
        end(SessionEnding::died, "it left before it had submitted");
        break;
      case Kind::too_long:
        transcript_.malformed(received.text);
        end(SessionEnding::failed, "it sent a line longer than the limit without a newline");
        break;
      case Kind::too_much:
        end(SessionEnding::failed, "it sent more than the limit of one session");
        break;
    }
  }
  const std::string how = optimizer_.close(plan_.limits.leaving);
  if (outcome_.ending == SessionEnding::died) {
    outcome_.detail += ": it " + how;
  }
  spent();
  return outcome_;
}

void Conversation::silence() {
  if (stopped_) {
    end(SessionEnding::timed_out, "it did not submit after it had been told to stop");
  } else {
    stop();
  }
}

void Conversation::answer(const std::string& line) {
  if (Clock::now() >= deadline()) {
    silence();
    if (ended_) {
      return;
    }
  }
  Json json;
  try {
    json = parse_line(line);
  } catch (const MalformedMessage& malformed) {
    transcript_.malformed(line);
    refuse(malformed.what());
    return;
  }
  transcript_.from_optimizer(line);
  try {
    std::visit([this](const auto& message) { answer(message); }, parse_message(json, plan_.sets));
  } catch (const MalformedMessage& malformed) {
    refuse(malformed.what());
  }
}

void Conversation::answer(const EvaluateRequest& request) {
  if (what_is_spent(plan_.budget, spent())) {
    stop();
    return;
  }
  const int number = static_cast<int>(++outcome_.spending.evaluations);
  Candidate candidate = request.candidate;
  candidate.origin = fmt::format("optimizer:{}#{}", plan_.optimizer, number);
  CandidateReport report = plan_.evaluate(candidate, request.sets);
  report.id = candidate.id();
  if (request.profile) {
    plan_.profile(candidate, report);
  }
  outcome_.spending.device_s += report.device_s;
  plan_.progress(fmt::format("{} {}: evaluation {} {}", plan_.problem, plan_.optimizer, number,
                             to_string(overall_verdict(report))));
  evaluated_.emplace(report.id, candidate);
  say(evaluation_message(report, number, request.profile, left_of(plan_.budget, spent())));
}

void Conversation::answer(const NoteMessage& note) {
  const auto add = [](std::optional<double>& sum, const std::optional<double>& part) {
    if (part) {
      sum = sum.value_or(0) + *part;
    }
  };
  add(outcome_.spending.tokens, note.tokens);
  add(outcome_.spending.money, note.cost);
  if (!stopped_ && (note.tokens || note.cost) && what_is_spent(plan_.budget, spent())) {
    const std::string figure = spent_figure(plan_.budget, outcome_.spending);
    if (figure == "tokens" || figure == "money") {
      stop();
    }
  }
}

void Conversation::answer(const SubmitMessage& submit) {
  if (!submit.id) {
    end(SessionEnding::nothing_submitted,
        "it had no proposal" + (submit.reason.empty() ? "" : ": " + excerpt(submit.reason, 300)));
    return;
  }
  const auto found = evaluated_.find(*submit.id);
  if (found == evaluated_.end()) {
    std::vector<std::string> ids;
    for (const auto& entry : evaluated_) {
      ids.push_back(entry.first);
    }
    refuse(fmt::format("submit: '{}' was not evaluated in this session; evaluated were: {}", excerpt(*submit.id, 40),
                       ids.empty() ? "none" : fmt::format("{}", fmt::join(ids, ", "))));
    return;
  }
  outcome_.submitted = found->second;
  end(SessionEnding::submitted);
}

void Conversation::refuse(const std::string& what) {
  const int left = plan_.limits.malformed - ++malformed_;
  if (left < 0) {
    end(SessionEnding::failed, fmt::format("it sent {} malformed messages; the last: {}", malformed_, what));
  } else {
    say(error_message(what, left));
  }
}

void Conversation::stop() {
  if (!stopped_) {
    stopped_ = true;
    stopped_at_ = Clock::now();
  }
  const std::string reason = what_is_spent(plan_.budget, spent()).value_or("the session ends");
  say(stop_message(spent_figure(plan_.budget, spent()), reason + "; submit the id of an evaluated candidate",
                   left_of(plan_.budget, spent())));
}

void Conversation::say(const Json& message) {
  const std::string line = one_line(message);
  transcript_.from_harness(line);
  const Clock::time_point until = Clock::now() + plan_.limits.reading;
  if (!optimizer_.send(line, until) && Clock::now() >= until) {
    end(SessionEnding::timed_out, "it did not read what was sent to it");
  }
  // Otherwise it has gone; what it sent before is still read.
}

void Conversation::end(SessionEnding ending, std::string detail) {
  if (!ended_) {
    ended_ = true;
    outcome_.ending = ending;
    outcome_.detail = std::move(detail);
  }
}

}  // namespace

const char* to_string(SessionEnding ending) {
  switch (ending) {
    case SessionEnding::submitted: return "submitted";
    case SessionEnding::nothing_submitted: return "nothing_submitted";
    case SessionEnding::died: return "died";
    case SessionEnding::timed_out: return "timed_out";
    case SessionEnding::failed: return "failed";
  }
  return "";
}

Json to_json(const SessionOutcome& outcome) {
  Json json{{"ending", to_string(outcome.ending)}, {"detail", outcome.detail}, {"spent", to_json(outcome.spending)}};
  json["id"] = outcome.submitted ? Json(outcome.submitted->id()) : Json(nullptr);
  json["candidate"] = outcome.submitted ? to_json(*outcome.submitted) : Json(nullptr);
  return json;
}

SessionOutcome outcome_from_json(const Json& json) {
  SessionOutcome outcome;
  for (const SessionEnding ending : {SessionEnding::submitted, SessionEnding::nothing_submitted, SessionEnding::died,
                                     SessionEnding::timed_out, SessionEnding::failed}) {
    if (json.at("ending") == to_string(ending)) {
      outcome.ending = ending;
    }
  }
  outcome.detail = json.at("detail").get<std::string>();
  if (!json.at("candidate").is_null()) {
    outcome.submitted = candidate_from_json(json.at("candidate"));
  }
  const auto figure = [&](const char* name) -> std::optional<double> {
    const Json& value = json.at("spent").at(name);
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
  };
  outcome.spending = {figure("evaluations").value_or(0), figure("tokens"), figure("money"),
                      figure("device_s").value_or(0), figure("wall_s").value_or(0)};
  return outcome;
}

SessionOutcome run_session(OptimizerChannel& optimizer, const SessionPlan& plan, Transcript& transcript) {
  SessionOutcome outcome = Conversation(optimizer, plan, transcript).lead();
  Json end = to_json(outcome);
  end["key"] = plan.key;
  transcript.end(end);
  return outcome;
}

}  // namespace mskb
