#include "optimize/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "base/characters.hpp"
#include "base/replace.hpp"
#include "optimize/session_record.hpp"
#include "optimize/session_score.hpp"

namespace mskb {

namespace {

using Clock = OptimizerChannel::Clock;
using Kind = ReceivedLine::Kind;

// Throws MalformedMessage.
Json parse_line(const std::string& line) {
  try {
    // The transcript keeps the line as it is: a byte order mark, which a parser passes over, would spoil it.
    if (Json json = parse_shallow(line); json.is_object() && !line.starts_with("\xEF\xBB\xBF")) {
      return json;
    }
  } catch (const Nested&) {
    throw MalformedMessage(fmt::format("a message may nest {} levels at most", Nested::most));
  } catch (const Json::exception&) {
  }
  throw MalformedMessage(fmt::format("not a line of JSON in UTF-8: {}; send one JSON object on one line", excerpt(line, 80)));
}

bool is_suspension(const std::string& line) {
  if (line.find("suspend") == std::string::npos) {
    return false;
  }
  try {
    return parse_line(line).value("type", Json()) == "suspend";
  } catch (const MalformedMessage&) {
    return false;
  }
}

class Conversation {
 public:
  Conversation(OptimizerChannel& optimizer, const SessionPlan& plan, Transcript& transcript, StoredTranscript stored)
      : optimizer_(optimizer), plan_(plan), transcript_(transcript) {
    started_ -= std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(stored.seconds));
    record_ = SessionRecord(std::move(stored));
  }

  SessionOutcome lead();

 private:
  void begin();
  void answer(const std::string& line);
  void answer(const EvaluateRequest& request, const Json& message);
  void answer(const NoteMessage& note, const Json& message);
  void answer(const SubmitMessage& submit, const Json& message);
  void answer(const SuspendMessage& suspend, const Json& message);
  void repeat(const std::string& line);
  void repeat(const TranscriptLine& reply, const std::optional<OptimizerMessage>& message);
  void charge(const NoteMessage& note);
  void evaluated(const Json& message, double device_s, Candidate candidate);
  void refuse(const std::string& what);
  void stop();
  void say(const Json& message);
  void send(const std::string& line);
  void end(SessionEnding ending, std::string detail = "");
  void silence();

  const Spending& spent() {
    outcome_.spending.wall_s = std::chrono::duration<double>(Clock::now() - started_).count();
    return outcome_.spending;
  }
  Clock::time_point deadline() const {
    const auto wall = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*plan_.budget.wall_s));
    if (record_.follows()) {
      return led_since_ + wall;  // the time before was spent already when this was said
    }
    return stopped_ ? stopped_at_ + plan_.limits.after_stop : started_ + wall;
  }

  OptimizerChannel& optimizer_;
  const SessionPlan& plan_;
  Transcript& transcript_;
  SessionRecord record_;
  SessionOutcome outcome_;
  ScoreKeeper score_;
  std::map<std::string, Candidate> evaluated_;  // by id, with the origin of its first evaluation
  const Clock::time_point led_since_ = Clock::now();
  Clock::time_point started_ = led_since_, stopped_at_;
  bool ended_ = false, stopped_ = false;
  int malformed_ = 0;
};

SessionOutcome Conversation::lead() {
  if (!plan_.budget.wall_s) {
    throw std::logic_error("a session without a limit of its wall time");
  }
  begin();
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
        if (record_.follows()) {
          end(SessionEnding::suspended, "it left before it had repeated what is on record");
        } else {
          end(SessionEnding::died, "it left before it had submitted");
        }
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
  if (outcome_.ending == SessionEnding::died || (outcome_.ending == SessionEnding::suspended && record_.follows())) {
    outcome_.detail += ": it " + how;
  }
  outcome_.detail = visible_line(outcome_.detail);
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

// What is on record stays; the options are those of now, and the time is what is left of it.
void Conversation::begin() {
  if (record_.start().is_null()) {
    say(plan_.start);
    return;
  }
  Json start = record_.start();
  start["options"] = plan_.start.at("options");
  start["budget"] = plan_.start.at("budget");
  start["budget"]["wall_s"] = left_of(plan_.budget, spent()).at("wall_s");
  send(one_line(start));
}

void Conversation::answer(const std::string& line) {
  if (record_.follows()) {
    if (record_.take(line)) {
      repeat(line);
      return;
    }
    if (!is_suspension(line)) {
      transcript_.branch(record_.part());
    }
  }
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
  if (!is_suspension(line)) {
    transcript_.from_optimizer(line);
  }
  try {
    std::visit([&](const auto& message) { answer(message, json); }, parse_message(json, plan_.sets));
  } catch (const MalformedMessage& malformed) {
    refuse(malformed.what());
  }
}

// The optimizer has said again what is on record: it is told again what it was told. Where the record ends without an answer, it gets one.
void Conversation::repeat(const std::string& line) {
  std::optional<OptimizerMessage> message;
  std::string wrong;
  try {
    message = parse_message(parse_line(line), plan_.sets);
  } catch (const MalformedMessage& malformed) {
    wrong = malformed.what();
  }
  const std::vector<TranscriptLine> replies = record_.replies();
  for (const TranscriptLine& reply : replies) {
    repeat(reply, message);
  }
  if (!message) {
    if (replies.empty()) {
      refuse(wrong);
    }
  } else if (const auto* note = std::get_if<NoteMessage>(&*message)) {
    record_.follows() || !replies.empty() ? charge(*note) : answer(*note, Json());
  } else if (replies.empty()) {
    const Json json = parse_line(line);
    std::visit([&](const auto& request) { answer(request, json); }, *message);
  }
}

void Conversation::repeat(const TranscriptLine& reply, const std::optional<OptimizerMessage>& message) {
  const std::string type = reply.message.value("type", "");
  if (type == "evaluation" && message && std::holds_alternative<EvaluateRequest>(*message)) {
    evaluated(reply.message, reply.device_s, std::get<EvaluateRequest>(*message).candidate);
  } else if (type == "error") {
    ++malformed_;
  } else if (type == "stop" && !stopped_) {
    stopped_ = true;
    stopped_at_ = Clock::now();
  }
  send(one_line(reply.message));
}

void Conversation::evaluated(const Json& message, double device_s, Candidate candidate) {
  ++outcome_.spending.evaluations;
  outcome_.spending.device_s += device_s;
  candidate.origin = fmt::format("optimizer:{}#{}", plan_.optimizer, outcome_.spending.evaluations);
  evaluated_.emplace(message.at("id").get<std::string>(), std::move(candidate));
  score_.add(message);
}

void Conversation::answer(const EvaluateRequest& request, const Json& message) {
  if (what_is_spent(plan_.budget, spent())) {
    stop();
    return;
  }
  const int number = static_cast<int>(outcome_.spending.evaluations) + 1;
  Candidate candidate = request.candidate;
  candidate.origin = fmt::format("optimizer:{}#{}", plan_.optimizer, number);
  Json reply;
  double device_s = 0;
  if (std::optional<TranscriptLine> recorded = record_.evaluation(message)) {
    reply = std::move(recorded->message);
    device_s = recorded->device_s;
    reply["number"] = number;
  } else {
    CandidateReport report;
    plan_.progress(fmt::format("{} {}: evaluation {} at {} begins", plan_.problem, plan_.optimizer, number, fmt::join(request.sets, ", ")));
    try {
      report = plan_.evaluate(candidate, request.sets);
    } catch (const EvaluationAwaited& awaited) {
      outcome_.awaits = awaits_device;
      end(SessionEnding::suspended, awaited.what());
      return;
    }
    report.id = candidate.id();
    if (request.profile) {
      plan_.profile(candidate, report);
    }
    device_s = report.device_s;
    reply = evaluation_message(report, number, request.profile, Json());
  }
  evaluated(reply, device_s, candidate);
  reply["left"] = left_of(plan_.budget, spent());
  plan_.progress(fmt::format("{} {}: evaluation {} {}; {}{}", plan_.problem, plan_.optimizer, number, reply.at("verdict").get<std::string>(),
                             score_.text(), spending_text(plan_.budget, spent())));
  const std::string line = one_line(reply);
  transcript_.evaluation(line, device_s);
  send(line);
}

void Conversation::charge(const NoteMessage& note) {
  const auto add = [](std::optional<double>& sum, const std::optional<double>& part) {
    if (part) {
      sum = sum.value_or(0) + *part;
    }
  };
  add(outcome_.spending.tokens, note.tokens);
  add(outcome_.spending.money, note.cost);
}

void Conversation::answer(const NoteMessage& note, const Json&) {
  charge(note);
  if (!note.shown.empty()) {
    plan_.notice(fmt::format("{}: {}: {}", plan_.problem, plan_.optimizer, note.shown));
  }
  if (!stopped_ && (note.tokens || note.cost) && what_is_spent(plan_.budget, spent())) {
    const std::string figure = spent_figure(plan_.budget, outcome_.spending);
    if (figure == "tokens" || figure == "money") {
      stop();
    }
  }
}

void Conversation::answer(const SuspendMessage& suspend, const Json&) {
  const auto seen_from_run = [&](std::string text) {
    if (!plan_.run_folder.empty()) {
      replace_all(text, plan_.run_folder.string() + "/", "");
    }
    return text;
  };
  outcome_.awaits = seen_from_run(suspend.awaits);
  end(SessionEnding::suspended, excerpt(seen_from_run(suspend.reason), 1000));
}

void Conversation::answer(const SubmitMessage& submit, const Json&) {
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
  send(line);
}

void Conversation::send(const std::string& line) {
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

SessionOutcome run_session(OptimizerChannel& optimizer, const SessionPlan& plan, Transcript& transcript, StoredTranscript recorded) {
  SessionOutcome outcome = Conversation(optimizer, plan, transcript, std::move(recorded)).lead();
  if (outcome.ending == SessionEnding::suspended) {
    transcript.suspended(outcome.detail, {{"awaits", outcome.awaits}, {"key", plan.key}});
  } else {
    Json end = to_json(outcome);
    end["key"] = plan.key;
    transcript.end(end);
  }
  return outcome;
}

}  // namespace mskb
