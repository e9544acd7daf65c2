// Re-sends a stored conversation and tells where the verdicts differ.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "recording.hpp"

namespace {

Json receive() {
  std::string line;
  if (!std::getline(std::cin, line)) {
    throw std::runtime_error("the harness has closed the conversation");
  }
  return Json::parse(line);
}

void send(const Json& message) {
  std::cout << message.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

constexpr const char* all_cases = "all cases";

std::map<std::string, std::string> verdicts_of(const Json& evaluation) {
  std::map<std::string, std::string> verdicts;
  for (const Json& each : evaluation.at("cases")) {
    verdicts[each.at("case").get<std::string>()] = each.at("verdict").get<std::string>();
  }
  verdicts[all_cases] = evaluation.at("verdict").get<std::string>();
  return verdicts;
}

void note(const std::string& text, const Json& candidate = nullptr, bool show = false) {
  Json message = {{"type", "note"}, {"role", "replay"}, {"text", text}};
  if (show) {
    message["show"] = true;
  }
  if (!candidate.is_null()) {
    message["candidate"] = candidate;
  }
  send(message);
}

// Notes each verdict that is not the recorded one, and in the end how many are.
class Comparison {
 public:
  void add(const Json& recorded, const Json& now) {
    auto missing = verdicts_of(recorded);
    const auto verdicts = verdicts_of(now);
    const auto ran_here = [&](const auto& each) { return verdicts.contains(each.first); };
    if (!std::all_of(missing.begin(), missing.end(), ran_here)) {
      missing.erase(all_cases);  // it is the verdict of other cases
    }
    for (const auto& [name, verdict] : verdicts) {
      const auto before = missing.find(name);
      if (before == missing.end()) {
        new_ += name != all_cases;
        continue;
      }
      if (before->second == verdict) {
        ++same_;
      } else {
        ++different_;
        note(name + ": was " + before->second + ", is " + verdict, now.at("id"));
      }
      missing.erase(before);
    }
    missing_ += missing.size();
    ++evaluations_;
  }
  void sum_up() const {
    note(std::to_string(evaluations_) + (evaluations_ == 1 ? " evaluation" : " evaluations") + " repeated: " + std::to_string(same_) +
         (same_ == 1 ? " verdict" : " verdicts") + " as recorded, " + std::to_string(different_) +
         " others, " + std::to_string(missing_) + " recorded ones of cases that did not run here, " + std::to_string(new_) + " without a record");
  }

 private:
  std::size_t evaluations_ = 0, same_ = 0, different_ = 0, missing_ = 0, new_ = 0;
};

// The size sets of an `evaluate`; `smoke` where it names none.
std::vector<std::string> sets_of(const Json& evaluate) {
  const Json cases = evaluate.value("cases", Json());
  if (cases.is_string()) {
    return {cases.get<std::string>()};
  }
  std::vector<std::string> sets;
  for (const Json& each : cases.is_array() ? cases : Json::array()) {
    if (each.is_string()) {
      sets.push_back(each.get<std::string>());
    }
  }
  return sets.empty() ? std::vector<std::string>{"smoke"} : sets;
}

// The CPU backend takes minutes for a case of the larger sizes: there the `check` cases, which come before any others, are all of it.
void leave_out_what_is_not_for_the_cpu(Recording& recording, std::map<std::string, int>& left_out) {
  for (Sent& each : recording.sent) {
    if (each.message["type"] != "evaluate") {
      continue;
    }
    std::vector<std::string> kept;
    const std::vector<std::string> sets = sets_of(each.message);
    for (const std::string& set : sets) {
      if (set == "smoke" || set == "check") {
        kept.push_back(set);
      } else {
        ++left_out[set];
      }
    }
    if (kept != sets) {
      each.message["cases"] = kept.empty() ? std::vector<std::string>{"check"} : kept;
    }
  }
}

std::string listed(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += (text.empty() ? "" : ", ") + name + " of " + std::to_string(count);
  }
  return text;
}

// Says what is going to be repeated.
void announce(const Recording& recording, const std::map<std::string, int>& left_out, const Json& start) {
  int evaluations = 0;
  std::map<std::string, int> sets;
  for (const Sent& each : recording.sent) {
    if (each.message["type"] == "evaluate") {
      ++evaluations;
      for (const std::string& set : sets_of(each.message)) {
        ++sets[set];
      }
    }
  }
  std::string text = "repeats " + std::to_string(evaluations) + (evaluations == 1 ? " evaluation" : " evaluations") + (evaluations == 0 ? "" : ", at the sizes " + listed(sets));
  if (!left_out.empty()) {
    text += "; not run here, on the CPU: " + listed(left_out);
  }
  const Json budget = start.at("budget").at("evaluations");
  if (budget.is_number() && budget.get<double>() < evaluations) {
    text += "; the budget allows " + budget.dump() + ", see --evaluations";
  }
  note(text, nullptr, true);
}

void replay(const Recording& recording) {
  Comparison comparison;
  bool summed_up = false;
  std::map<std::string, std::string> ids;  // recorded id -> id now
  for (const Sent& each : recording.sent) {
    Json message = each.message;
    const std::string type = message.at("type").get<std::string>();
    if (type == "note" && message.value("role", Json()) == "replay") {
      continue;  // of a transcript that is a repetition itself
    }
    if (type == "submit" && !summed_up) {
      comparison.sum_up();
      summed_up = true;
    }
    if (type == "submit" && message.value("id", Json()).is_string()) {
      const auto found = ids.find(message["id"].get<std::string>());
      if (found != ids.end()) {
        message["id"] = found->second;
      }
    }
    send(message);
    if (type != "evaluate") {
      continue;
    }
    const Json reply = receive();
    if (reply.at("type") != "evaluation") {
      std::cerr << "an evaluation was answered with " << reply.dump() << std::endl;
      continue;
    }
    if (!each.evaluation.is_null()) {
      ids[each.evaluation.at("id").get<std::string>()] = reply.at("id").get<std::string>();
      comparison.add(each.evaluation, reply);
    }
  }
  if (!summed_up) {
    comparison.sum_up();
  }
}

// `session`: a start, or a check.
Recording recording_for(const Json& session) {
  const std::string task = session.at("task").get<std::string>(), precision = session.at("precision").get<std::string>();
  const char* folder = std::getenv("MSKB_OPTIMIZER_DIR");
  return read_recording(find_transcript(folder != nullptr ? folder : ".", session.at("options").value("transcript", ""), task, precision), task, precision);
}

int run() {
  const Json first = receive();
  if (first.at("type") == "check") {
    Json answer{{"type", "checked"}, {"fault", nullptr}};
    try {
      recording_for(first);
    } catch (const std::exception& error) {
      answer["fault"] = error.what();
    }
    send(answer);
    return 0;
  }
  Recording recording = recording_for(first);
  std::map<std::string, int> left_out;
  if (first.at("device").at("backend") == "cpu") {
    leave_out_what_is_not_for_the_cpu(recording, left_out);
  }
  announce(recording, left_out, first);
  replay(recording);
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
