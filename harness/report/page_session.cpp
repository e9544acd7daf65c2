#include "base/characters.hpp"
#include "report/figures.hpp"
#include "report/page_parts.hpp"
#include "report/text_diff.hpp"

namespace mskb {

namespace {

PageJson figure(const std::optional<double>& value) { return value ? PageJson(rounded(*value)) : PageJson(nullptr); }

// All files of a proposal as one text.
std::string joined(const std::map<std::string, std::string>& sources) {
  if (sources.size() == 1) {
    return sources.begin()->second;
  }
  std::string text;
  for (const auto& [name, source] : sources) {
    text += "// file " + name + "\n" + source + (source.ends_with('\n') ? "" : "\n");
  }
  return text;
}

const char* kind_name(SessionEvent::Kind kind) {
  switch (kind) {
    case SessionEvent::Kind::note: return "note";
    case SessionEvent::Kind::evaluation: return "evaluation";
    case SessionEvent::Kind::stop: return "stop";
    default: return "error";
  }
}

}  // namespace

PageJson page_session(const Session& session, const std::string& reference_text, PageSources& sources) {
  PageJson json{{"optimizer", visible_text(session.optimizer)}, {"model", visible_text(session.model())},
                {"ended", session.ended},                       {"ending", session.ending},
                {"detail", visible_text(session.detail)},       {"submitted", session.submitted},
                {"class_before", session.bottleneck_before},    {"class_after", session.bottleneck_after},
                {"evaluations", figure(session.evaluations)},   {"tokens", figure(session.tokens)},
                {"money", figure(session.money)},               {"wall_s", figure(session.wall_s)}};
  json["events"] = PageJson::array();
  std::string before = reference_text;
  for (const SessionEvent& event : session.events) {
    PageJson entry{{"kind", kind_name(event.kind)}, {"t", rounded(event.seconds)}};
    if (event.kind != SessionEvent::Kind::evaluation) {
      entry["role"] = visible_text(event.role);
      entry["text"] = sources.limited(event.text);
      entry["input"] = figure(event.input_tokens);
      entry["output"] = figure(event.output_tokens);
      entry["cost"] = figure(event.cost);
    } else {
      const std::string text = joined(event.sources);
      entry["number"] = event.number;
      entry["candidate"] = event.candidate;
      entry["verdict"] = event.verdict;
      entry["detail"] = visible_text(event.detail);
      entry["class"] = event.bottleneck;
      entry["sets"] = event.sets;
      entry["flags"] = event.flags;
      entry["speedups"] = PageJson::object();
      for (const auto& [set, speedup] : event.speedups) {
        entry["speedups"][set] = rounded(speedup);
      }
      entry["same"] = text == before;
      entry["diff"] = text.empty() ? PageJson(nullptr) : sources.limited(text_diff(before, text));
      before = text.empty() ? before : text;
    }
    json["events"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace mskb
