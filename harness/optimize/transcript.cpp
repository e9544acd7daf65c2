#include "optimize/transcript.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "optimize/messages.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

fs::path prepare(const fs::path& file) {
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) {
    throw InputError(fmt::format("{}: cannot be created ({}); choose another --out", file.parent_path().string(),
                                 failed.message()));
  }
  for (int n = 1; fs::exists(file); ++n) {
    const fs::path aside = fmt::format("{}.cut-{}", file.string(), n);
    if (!fs::exists(aside)) {
      fs::rename(file, aside);
    }
  }
  return file;
}

}  // namespace

Transcript::Transcript(const fs::path& file, const Json& head) : file_(AppendFile::open(prepare(file))) {
  Json first{{"schema", transcript_schema}};
  first.update(head);
  file_.append(one_line(first) + "\n");
}

void Transcript::append(const std::string& from, const std::string& members) {
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
  file_.append(fmt::format("{{\"n\":{},\"t\":{:.3f},\"from\":\"{}\",{}}}\n", ++count_, since.count(), from, members));
}

void Transcript::from_harness(const std::string& message) { append("harness", "\"message\":" + message); }

void Transcript::from_optimizer(const std::string& message) { append("optimizer", "\"message\":" + message); }

void Transcript::malformed(const std::string& line) {
  append("optimizer", fmt::format("\"text\":{},\"bytes\":{}", one_line(excerpt(line, 2000)), line.size()));
}

void Transcript::end(const Json& end) { append("session", "\"end\":" + one_line(end)); }

StoredTranscript read_transcript(const fs::path& file) {
  const std::string text = read_file(file);
  StoredTranscript transcript;
  std::size_t start = 0;
  for (int number = 1; start < text.size(); ++number) {
    const std::size_t newline = text.find('\n', start);
    if (newline == std::string::npos) {
      break;  // cut while it was written
    }
    const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(start),
                                  text.begin() + static_cast<std::ptrdiff_t>(newline), nullptr, false);
    start = newline + 1;
    if (!line.is_object() || (number == 1 && line.value("schema", Json()) != transcript_schema)) {
      throw InputError(fmt::format("{}:{}: is not a line of a transcript of schema {}; give a file of a run's transcripts/",
                                   file.string(), number, transcript_schema));
    }
    if (number == 1) {
      transcript.head = line;
    } else if (line.contains("end")) {
      transcript.end = line["end"];
    } else {
      transcript.lines.push_back({line.value("from", "") == "harness", line.value("message", Json())});
    }
  }
  if (transcript.head.is_null()) {
    throw InputError(file.string() + ": is empty; give a file of a run's transcripts/");
  }
  return transcript;
}

Json to_json(const Candidate& candidate) {
  return {{"origin", candidate.origin},
          {"main", candidate.main_source},
          {"flags", candidate.flags},
          {"sources", candidate.sources}};
}

Candidate candidate_from_json(const Json& json) {
  Candidate candidate;
  candidate.origin = json.at("origin").get<std::string>();
  candidate.main_source = json.at("main").get<std::string>();
  candidate.flags = json.at("flags").get<std::vector<std::string>>();
  candidate.sources = json.at("sources").get<std::map<std::string, std::string>>();
  return candidate;
}

}  // namespace mskb
