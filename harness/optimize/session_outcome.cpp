#include "optimize/session.hpp"

namespace mskb {

const char* to_string(SessionEnding ending) {
  switch (ending) {
    case SessionEnding::submitted: return "submitted";
    case SessionEnding::nothing_submitted: return "nothing_submitted";
    case SessionEnding::died: return "died";
    case SessionEnding::timed_out: return "timed_out";
    case SessionEnding::failed: return "failed";
    case SessionEnding::suspended: return "suspended";
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

}  // namespace mskb
