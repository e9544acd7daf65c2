#include "base/characters.hpp"
#include "base/errors.hpp"
#include "report/page_parts.hpp"
#include "report/text_diff.hpp"

namespace mskb {

namespace {

constexpr std::size_t limit = 5'000'000;  // bytes; keeps a page of 100 problems and 1,000 evaluations under 8 MB
const char* const too_much = "left out to keep this page small; the sources are in the run's candidates/";

}  // namespace

PageJson PageSources::limited(const std::string& text) {
  if (bytes_ + text.size() > limit) {
    return {{"note", too_much}};
  }
  bytes_ += text.size();
  return {{"text", visible_text(text)}, {"changed", visible_text(text) != text}};
}

void PageSources::add(const std::string& id) {
  if (shelf_.contains(id)) {
    return;
  }
  PageJson entry;
  try {
    const Candidate candidate = read_candidate(stored_.directory, id);
    entry["flags"] = candidate.flags;
    entry["files"] = PageJson::array();
    for (const auto& [name, text] : candidate.sources) {
      PageJson file = limited(text);
      file["name"] = visible_text(name);
      entry["files"].push_back(std::move(file));
    }
  } catch (const InputError& error) {
    entry["note"] = "The sources cannot be shown: candidates/" + id + " is missing or was changed.";
  }
  shelf_[id] = std::move(entry);
}

std::string PageSources::main_text(const std::string& id) const {
  try {
    const Candidate candidate = read_candidate(stored_.directory, id);
    const auto found = candidate.sources.find(candidate.main_source);
    return found == candidate.sources.end() ? "" : found->second;
  } catch (const InputError&) {
    return "";
  }
}

PageJson PageSources::difference(const std::string& before, const std::string& after) {
  const std::string from = main_text(before), to = main_text(after);
  if (from.empty() || to.empty()) {
    return nullptr;
  }
  return limited(text_diff(from, to));
}

}  // namespace mskb
