// Re-sends a stored conversation and tells where the verdicts differ.
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>

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

std::map<std::string, std::string> verdicts_of(const Json& evaluation) {
  std::map<std::string, std::string> verdicts;
  for (const Json& each : evaluation.at("cases")) {
    verdicts[each.at("case").get<std::string>()] = each.at("verdict").get<std::string>();
  }
  verdicts["all cases"] = evaluation.at("verdict").get<std::string>();
  return verdicts;
}

void note(const std::string& text, const Json& candidate = nullptr) {
  Json message = {{"type", "note"}, {"role", "replay"}, {"text", text}};
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
    for (const auto& [name, verdict] : verdicts_of(now)) {
      const auto before = missing.find(name);
      if (before == missing.end()) {
        ++new_;
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

// The recorded replies of type `evaluation`, in order.
class Evaluations {
 public:
  explicit Evaluations(const Recording& recording) {
    for (const Json& reply : recording.replies) {
      if (reply.at("type") == "evaluation") {
        list_.push_back(&reply);
      }
    }
  }
  const Json* next() { return at_ < list_.size() ? list_[at_++] : nullptr; }

 private:
  std::vector<const Json*> list_;
  std::size_t at_ = 0;
};

void replay(const Recording& recording) {
  Evaluations recorded(recording);
  Comparison comparison;
  bool summed_up = false;
  std::map<std::string, std::string> ids;  // recorded id -> id now
  for (Json message : recording.messages) {
    const std::string type = message.at("type").get<std::string>();
    if (type == "note" && message.value("role", "") == "replay") {
      continue;  // of a transcript that is a repetition itself
    }
    if (type == "submit" && !summed_up) {
      comparison.sum_up();
      summed_up = true;
    }
    if (type == "submit" && message.at("id").is_string()) {
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
    if (const Json* before = recorded.next()) {
      ids[before->at("id").get<std::string>()] = reply.at("id").get<std::string>();
      comparison.add(*before, reply);
    }
  }
  if (!summed_up) {
    comparison.sum_up();
  }
}

int run() {
  const Json start = receive();
  const std::string task = start.at("task").get<std::string>(), precision = start.at("precision").get<std::string>();
  const char* folder = std::getenv("MSKB_OPTIMIZER_DIR");
  const auto file = find_transcript(folder != nullptr ? folder : ".", start.at("options").value("transcript", ""), task, precision);
  const Recording recording = read_recording(file);
  if (recording.start.at("task") != task || recording.start.at("precision") != precision) {
    throw std::runtime_error(file.string() + ": is about " + recording.start.at("task").get<std::string>() + "/" +
                             recording.start.at("precision").get<std::string>() + ", and this session about " + task + "/" + precision);
  }
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
