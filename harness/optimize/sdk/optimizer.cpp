#include "mskb/optimizer.hpp"

#include <iostream>

#include "from_json.hpp"

namespace mskb {

namespace optimizer {

std::optional<double> Report::weighted_speedup(const std::string& clock) const {
  double sum = 0, weights = 0;
  for (const CaseReport& each : cases) {
    const auto found = each.speedup.find(clock);
    if (found != each.speedup.end()) {
      sum += each.weight * found->second.value;
      weights += each.weight;
    }
  }
  return weights > 0 ? std::optional(sum / weights) : std::nullopt;
}

namespace {

// The harness has closed the conversation.
struct Closed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Json receive() {
  std::string line;
  if (!std::getline(std::cin, line)) {
    throw Closed("the harness has closed the conversation");
  }
  return Json::parse(line);
}

void send(const Json& message) {
  std::cout << message.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

Json known(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

class Conversation : public Harness {
 public:
  explicit Conversation(std::string clock) : clock_(std::move(clock)) {}

  Report evaluate(const Proposal& proposal) override {
    Json message{{"type", "evaluate"}, {"sources", proposal.sources}};
    if (!proposal.main.empty()) {
      message["main"] = proposal.main;
    }
    message["flags"] = proposal.flags;
    message["cases"] = proposal.cases;
    message["profile"] = proposal.profile;
    send(message);
    const Json reply = receive();
    const std::string type = reply.at("type").get<std::string>();
    if (type == "stop") {
      throw Stopped(reply.at("reason").get<std::string>());
    }
    if (type == "error") {
      throw Refused(reply.at("message").get<std::string>());
    }
    Report report = report_from(reply);
    keep_best(report);
    return report;
  }

  void note(const Note& note) override {
    Json message{{"type", "note"}};
    for (const auto& [name, value] : {std::pair("role", &note.role), std::pair("model", &note.model), std::pair("text", &note.text)}) {
      if (!value->empty()) {
        message[name] = *value;
      }
    }
    if (note.input_tokens || note.output_tokens || note.cached_tokens) {
      message["tokens"] = {{"input", known(note.input_tokens)},
                           {"output", known(note.output_tokens)},
                           {"cached", known(note.cached_tokens)}};
    }
    message["cost"] = known(note.cost);
    for (const auto& [name, value] : note.more) {
      message.emplace(name, Json::parse(value));
    }
    send(message);
  }

  std::optional<Report> best() const override { return best_; }

 private:
  void keep_best(const Report& report) {
    if (report.passed() &&
        (!best_ || report.weighted_speedup(clock_).value_or(0) > best_->weighted_speedup(clock_).value_or(0))) {
      best_ = report;
    }
  }

  std::string clock_;
  std::optional<Report> best_;
};

void submit(const Submission& submission) {
  Json message{{"type", "submit"}, {"id", submission.id.empty() ? Json(nullptr) : Json(submission.id)}};
  if (!submission.reason.empty()) {
    message["reason"] = submission.reason;
  }
  send(message);
}

void answer_check(Optimizer& optimizer, const Check& check) {
  Json message{{"type", "checked"}, {"fault", nullptr}};
  try {
    optimizer.check(check);
  } catch (const std::exception& error) {
    message["fault"] = error.what();
  }
  send(message);
}

}  // namespace

}  // namespace optimizer

int run_optimizer(Optimizer& optimizer) {
  using namespace optimizer;
  try {
    const Json first = receive();
    if (first.at("type") == "check") {
      answer_check(optimizer, check_from(first));
      return 0;
    }
    const Start start = start_from(first);
    Conversation conversation(start.clock);
    Submission submission;
    try {
      submission = optimizer.optimize(start, conversation);
    } catch (const Suspended& suspended) {
      Json message{{"type", "suspend"}, {"reason", suspended.what()}};
      if (!suspended.awaits.empty()) {
        message["awaits"] = suspended.awaits;
      }
      send(message);
      return 0;
    } catch (const Stopped& stopped) {
      const std::optional<Report> best = conversation.best();
      submission = best ? best->submission() : Submission{"", stopped.what()};
    }
    submit(submission);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}

}  // namespace mskb
