#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/characters.hpp"
#include "model/source_names.hpp"
#include "optimize/messages.hpp"

namespace mskb {

namespace {

constexpr std::size_t max_sources = 64;

[[noreturn]] void refuse(const std::string& what) { throw MalformedMessage(what); }

// A member, or null when it is missing.
const Json& member(const Json& message, const char* name) {
  static const Json null;
  const auto found = message.find(name);
  return found == message.end() ? null : *found;
}

void require_members(const Json& message, const std::vector<std::string>& known) {
  for (const auto& entry : message.items()) {
    if (std::find(known.begin(), known.end(), entry.key()) == known.end()) {
      refuse(fmt::format("{}: field '{}' is unknown; the fields are {}", message["type"].get<std::string>(),
                         excerpt(entry.key(), 40), fmt::join(known, ", ")));
    }
  }
}

std::vector<std::string> texts(const Json& value, const std::string& where) {
  if (value.is_null()) {
    return {};
  }
  std::vector<std::string> list;
  if (!value.is_array()) {
    refuse(where + " must be a list of strings");
  }
  for (const Json& item : value) {
    if (!item.is_string()) {
      refuse(where + " must be a list of strings");
    }
    list.push_back(item.get<std::string>());
  }
  return list;
}

std::map<std::string, std::string> sources_of(const Json& value) {
  if (!value.is_object() || value.empty()) {
    refuse("evaluate: 'sources' must map at least one file name to its text");
  }
  if (value.size() > max_sources) {
    refuse(fmt::format("evaluate: 'sources' has {} files; send at most {}", value.size(), max_sources));
  }
  std::map<std::string, std::string> sources;
  for (const auto& entry : value.items()) {
    if (!entry.value().is_string()) {
      refuse(fmt::format("evaluate: the text of '{}' must be a string", entry.key()));
    }
    sources[entry.key()] = entry.value().get<std::string>();
  }
  if (const auto fault = find_name_fault(sources)) {
    refuse("evaluate: " + *fault);
  }
  return sources;
}

std::string main_of(const Json& value, const std::map<std::string, std::string>& sources) {
  if (value.is_null() && sources.size() == 1) {
    return sources.begin()->first;
  }
  if (!value.is_string() || !sources.contains(value.get<std::string>())) {
    refuse("evaluate: 'main' must be the name in 'sources' of the file that defines the entry point");
  }
  return value.get<std::string>();
}

std::vector<std::string> sets_of(const Json& value, const std::vector<std::string>& known) {
  std::vector<std::string> wanted{"smoke"};
  if (value.is_string()) {
    wanted = {value.get<std::string>()};
  } else if (!value.is_null()) {
    wanted = texts(value, "evaluate: 'cases'");
  }
  if (wanted.empty()) {
    refuse("evaluate: 'cases' is empty; name at least one size set");
  }
  std::vector<std::string> sets;
  for (const std::string& set : wanted) {
    if (std::find(known.begin(), known.end(), set) == known.end()) {
      refuse(fmt::format("evaluate: size set '{}' is unknown here; the sets are {}", excerpt(set, 40), fmt::join(known, ", ")));
    }
    if (std::find(sets.begin(), sets.end(), set) == sets.end()) {
      sets.push_back(set);
    }
  }
  return sets;
}

EvaluateRequest parse_evaluate(const Json& message, const std::vector<std::string>& sets) {
  require_members(message, {"type", "sources", "main", "flags", "cases", "profile"});
  EvaluateRequest request;
  request.candidate.sources = sources_of(member(message, "sources"));
  request.candidate.main_source = main_of(member(message, "main"), request.candidate.sources);
  request.candidate.flags = texts(member(message, "flags"), "evaluate: 'flags'");
  request.sets = sets_of(member(message, "cases"), sets);
  const Json& profile = member(message, "profile");
  if (!profile.is_null() && !profile.is_boolean()) {
    refuse("evaluate: 'profile' must be true or false");
  }
  request.profile = profile.is_boolean() && profile.get<bool>();
  return request;
}

// A figure that may be unknown (null or missing).
std::optional<double> figure(const Json& value, const std::string& where) {
  if (value.is_null()) {
    return std::nullopt;
  }
  constexpr double most = 1e15;
  if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= most)) {
    refuse(where + " must be a number from 0 to 1e15, or null when unknown");
  }
  return value.get<double>();
}

NoteMessage parse_note(const Json& message) {
  NoteMessage note;
  note.cost = figure(member(message, "cost"), "note: 'cost'");
  const Json& tokens = member(message, "tokens");
  if (!tokens.is_null() && !tokens.is_object()) {
    refuse("note: 'tokens' must be an object with input and output, or null when unknown");
  }
  if (tokens.is_object()) {
    const auto input = figure(member(tokens, "input"), "note: 'tokens.input'");
    const auto output = figure(member(tokens, "output"), "note: 'tokens.output'");
    if (input || output) {
      note.tokens = input.value_or(0) + output.value_or(0);
    }
  }
  const Json& show = member(message, "show");
  if (!show.is_null() && !(show.is_boolean() && member(message, "text").is_string())) {
    refuse("note: 'show' must be true or false, beside a 'text'");
  }
  if (show.is_boolean() && show.get<bool>()) {
    note.shown = visible_line(excerpt(message["text"].get<std::string>(), 300));
  }
  return note;
}

SubmitMessage parse_submit(const Json& message) {
  require_members(message, {"type", "id", "reason"});
  SubmitMessage submit;
  if (!message.contains("id") || !(message["id"].is_string() || message["id"].is_null())) {
    refuse("submit: 'id' must be the id of an evaluated candidate, or null for no proposal");
  }
  if (message["id"].is_string()) {
    submit.id = message["id"].get<std::string>();
  }
  const Json& reason = member(message, "reason");
  if (!reason.is_null() && !reason.is_string()) {
    refuse("submit: 'reason' must be a string");
  }
  submit.reason = reason.is_string() ? reason.get<std::string>() : "";
  return submit;
}

SuspendMessage parse_suspend(const Json& message) {
  require_members(message, {"type", "reason", "awaits"});
  SuspendMessage suspend;
  for (const auto& [name, text] : {std::pair("reason", &suspend.reason), std::pair("awaits", &suspend.awaits)}) {
    const Json& value = member(message, name);
    if (!value.is_null() && !value.is_string()) {
      refuse(fmt::format("suspend: '{}' must be a string", name));
    }
    *text = value.is_string() ? value.get<std::string>() : "";
  }
  return suspend;
}

}  // namespace

OptimizerMessage parse_message(const Json& message, const std::vector<std::string>& sets) {
  if (!message.is_object() || !member(message, "type").is_string()) {
    refuse("a message must be a JSON object with a 'type'");
  }
  const std::string type = message["type"].get<std::string>();
  if (type == "evaluate") {
    return parse_evaluate(message, sets);
  }
  if (type == "note") {
    return parse_note(message);
  }
  if (type == "submit") {
    return parse_submit(message);
  }
  if (type == "suspend") {
    return parse_suspend(message);
  }
  refuse(fmt::format("message type '{}' is unknown; send evaluate, note, suspend or submit", excerpt(type, 40)));
}

}  // namespace mskb
