#include "optimize/session_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/errors.hpp"
#include "optimize/session.hpp"
#include "optimize/transcript.hpp"

namespace mskb {

namespace {

namespace fs = std::filesystem;

bool is_of_a_session(const std::string& origin) {
  const std::size_t number = origin.find('#');
  return number != std::string::npos && origin.substr(number) != "#0";  // 0: nothing was submitted
}

std::string transcript_of(const std::string& problem) { return "transcripts/" + problem + ".jsonl"; }

// What the harness told of evaluations: their candidates, in order.
std::vector<std::string> evaluated_in(const StoredTranscript& transcript) {
  std::vector<std::string> candidates;
  for (const TranscriptLine& line : transcript.lines) {
    if (line.from_harness && line.message.is_object() && line.message.value("type", "") == "evaluation") {
      candidates.push_back(line.message.value("id", ""));
    }
  }
  return candidates;
}

// A session's end against its conversation and what was measured of it (null: nothing).
std::vector<std::string> faults_of_end(const StoredTranscript& transcript, const SessionOutcome& outcome, const Evaluation* measured) {
  std::vector<std::string> faults;
  const std::vector<std::string> evaluated = evaluated_in(transcript);
  if (static_cast<double>(evaluated.size()) != outcome.spending.evaluations) {
    faults.push_back(fmt::format("ends with {} evaluations, its conversation has {}", outcome.spending.evaluations, evaluated.size()));
  }
  const bool submitted = outcome.ending == SessionEnding::submitted;
  if (submitted != outcome.submitted.has_value()) {
    faults.push_back(submitted ? "is said to submit, but holds no candidate" : "holds a candidate, but is not said to submit one");
  }
  const std::string id = outcome.submitted ? outcome.submitted->id() : "";
  if (const Json& said = transcript.end->at("id"); outcome.submitted && said != id) {
    faults.push_back(fmt::format("submits {}, whose sources are those of {}", said.dump(), id));
  }
  if (outcome.submitted && std::find(evaluated.begin(), evaluated.end(), id) == evaluated.end()) {
    faults.push_back(fmt::format("submits {}, which its conversation did not evaluate", id));
  }
  if (measured != nullptr && is_of_a_session(measured->origin) && measured->candidate != id) {
    faults.push_back(fmt::format("submits {}, measured was {}", id.empty() ? "nothing" : id, measured->candidate));
  }
  return faults;
}

// By problem, what was measured in the end.
std::map<std::string, const Evaluation*> submissions(const StoredRun& stored) {
  std::map<std::string, const Evaluation*> found;
  for (const Evaluation& evaluation : stored.evaluations) {
    if (evaluation.origin.starts_with("optimizer:")) {
      found[evaluation.task + "/" + evaluation.precision] = &evaluation;
    }
  }
  return found;
}

}  // namespace

std::vector<AuditFinding> audit_sessions(const StoredRun& stored) {
  std::vector<AuditFinding> findings;
  std::map<std::string, int> endings;  // by the figure that counts them
  const auto submitted = submissions(stored);
  std::error_code none;
  bool any = false;
  for (const auto& entry : fs::recursive_directory_iterator(stored.directory / "transcripts", none)) {
    if (entry.path().extension() != ".jsonl") {
      continue;
    }
    any = true;
    const std::string problem = entry.path().lexically_relative(stored.directory / "transcripts").replace_extension().generic_string();
    const auto find = [&](std::string what) { findings.push_back({transcript_of(problem), std::move(what)}); };
    try {
      const StoredTranscript transcript = read_transcript(entry.path());
      if (transcript.head.value("run", "") != stored.run.id || transcript.head.value("problem", "") != problem) {
        find(fmt::format("is of run {}, problem {}", transcript.head.value("run", "?"), transcript.head.value("problem", "?")));
      }
      const auto measured = submitted.find(problem);
      if (!transcript.end) {  // it waits, or was cut off
        if (measured != submitted.end()) {
          find("has no end, but what it submitted was measured");
        }
        continue;
      }
      const SessionOutcome outcome = outcome_from_json(*transcript.end);
      ++endings[std::string("sessions_") + to_string(outcome.ending)];
      for (std::string& what : faults_of_end(transcript, outcome, measured == submitted.end() ? nullptr : measured->second)) {
        find(std::move(what));
      }
    } catch (const InputError& error) {
      find(error.what());
    } catch (const fs::filesystem_error& error) {
      find(error.code().message());
    } catch (const Json::exception& error) {
      find(fmt::format("holds what this program does not write ({})", error.what()));
    }
  }
  for (const auto& [problem, evaluation] : submitted) {
    std::error_code error;
    if (is_of_a_session(evaluation->origin) && !fs::exists(stored.directory / transcript_of(problem), error)) {
      findings.push_back({transcript_of(problem), "is not there, but what its session submitted was measured"});
    }
  }
  const auto& figures = stored.run.figures;
  if (!any || !figures.contains("wall_s")) {  // an optimizer without a process has no transcripts; a run that was cut off no closing figures
    return findings;
  }
  for (const auto& [name, value] : figures) {
    if (name.starts_with("sessions_")) {
      endings.try_emplace(name, 0);
    }
  }
  for (const auto& [name, there] : endings) {
    const std::string told = figures.contains(name) ? figures.at(name) : "not there";
    if (told != std::to_string(there)) {
      findings.push_back({"run.yaml", fmt::format("{} is {}, the transcripts have {}", name, told, there)});
    }
  }
  return findings;
}

}  // namespace mskb
