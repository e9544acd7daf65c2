#include "optimize/session_audit.hpp"

#include <fmt/format.h>

#include <map>

#include "base/errors.hpp"
#include "optimize/session.hpp"
#include "optimize/transcript.hpp"

namespace mskb {

namespace {

namespace fs = std::filesystem;

std::string transcript_of(const std::string& problem) { return "transcripts/" + problem + ".jsonl"; }

int evaluations_in(const StoredTranscript& transcript) {
  int count = 0;
  for (const TranscriptLine& line : transcript.lines) {
    count += line.from_harness && line.message.is_object() && line.message.value("type", "") == "evaluation" ? 1 : 0;
  }
  return count;
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

bool is_of_a_session(const std::string& origin) {
  const std::size_t number = origin.find('#');
  return number != std::string::npos && origin.substr(number) != "#0";  // 0: nothing was submitted
}

}  // namespace

std::vector<AuditFinding> audit_sessions(const StoredRun& stored) {
  std::vector<AuditFinding> findings;
  std::map<std::string, int> endings;
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
      if (!transcript.end) {
        continue;  // it waits, or was cut off
      }
      const SessionOutcome outcome = outcome_from_json(*transcript.end);
      ++endings[to_string(outcome.ending)];
      if (const int there = evaluations_in(transcript); there != static_cast<int>(outcome.spending.evaluations)) {
        find(fmt::format("ends with {} evaluations, its conversation has {}", outcome.spending.evaluations, there));
      }
      if (const auto measured = submitted.find(problem);
          outcome.submitted && measured != submitted.end() && measured->second->candidate != outcome.submitted->id()) {
        find(fmt::format("submits {}, measured was {}", outcome.submitted->id(), measured->second->candidate));
      }
    } catch (const InputError& error) {
      find(error.what());
    } catch (const Json::exception& error) {
      find(fmt::format("holds what this program does not write ({})", error.what()));
    }
  }
  for (const auto& [problem, evaluation] : submitted) {
    if (is_of_a_session(evaluation->origin) && !fs::exists(stored.directory / transcript_of(problem))) {
      findings.push_back({transcript_of(problem), "is not there, but what its session submitted was measured"});
    }
  }
  for (const auto& [name, value] : stored.run.figures) {
    if (any && name.starts_with("sessions_")) {
      const int there = endings[name.substr(std::string_view("sessions_").size())];
      if (value != std::to_string(there)) {
        findings.push_back({"run.yaml", fmt::format("{} is {}, the transcripts have {}", name, value, there)});
      }
    }
  }
  return findings;
}

}  // namespace mskb
