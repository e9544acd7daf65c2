#include "optimize/transcript.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "optimize/messages.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

// The first <file>.cut-<n> that is free.
fs::path name_aside(const fs::path& file) {
  for (int n = 1;; ++n) {
    const fs::path aside = fmt::format("{}.cut-{}", file.string(), n);
    if (!fs::exists(aside)) {
      return aside;
    }
  }
}

fs::path prepare(const fs::path& file) {
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) {
    throw InputError(fmt::format("{}: cannot be created ({}); choose another --out", file.parent_path().string(),
                                 failed.message()));
  }
  if (fs::exists(file)) {
    fs::rename(file, name_aside(file));
  }
  return file;
}

}  // namespace

Transcript::Transcript(const fs::path& file, const Json& head) : path_(file), file_(AppendFile::open(prepare(file))) {
  Json first{{"schema", transcript_schema}};
  first.update(head);
  file_.append(one_line(first) + "\n");
}

Transcript Transcript::go_on(const fs::path& file, const StoredTranscript& stored) {
  Transcript transcript;
  transcript.path_ = file;
  transcript.file_ = AppendFile::open(file);
  transcript.count_ = stored.count;
  transcript.suspended_ = stored.suspended;
  if (transcript.file_.size() > stored.bytes) {
    transcript.file_.truncate(stored.bytes);
  }
  transcript.start_ -= std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(stored.seconds));
  return transcript;
}

void Transcript::branch(std::uint64_t bytes) {
  const std::string all = read_file(path_);
  write_file_atomically(name_aside(path_), all);
  file_ = AppendFile();
  write_file_atomically(path_, std::string_view(all).substr(0, bytes));
  file_ = AppendFile::open(path_);
}

void Transcript::append(const std::string& from, const std::string& members) {
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
  file_.append(fmt::format("{{\"n\":{},\"t\":{:.3f},\"from\":\"{}\",{}}}\n", ++count_, since.count(), from, members));
  suspended_.clear();
}

void Transcript::from_harness(const std::string& message) { append("harness", "\"message\":" + message); }

void Transcript::evaluation(const std::string& message, double device_s) {
  append("harness", fmt::format("\"device_s\":{:.6g},\"message\":{}", device_s, message));
}

void Transcript::suspended(const std::string& why, const Json& more) {
  if (why == suspended_) {
    return;
  }
  Json members{{"suspended", why}};
  members.update(more);
  const std::string text = one_line(members);
  append("session", text.substr(1, text.size() - 2));
  suspended_ = why;
}

void Transcript::from_optimizer(const std::string& message) { append("optimizer", "\"message\":" + message); }

void Transcript::malformed(const std::string& line) {
  append("optimizer", fmt::format("\"text\":{},\"bytes\":{}", one_line(excerpt(line, malformed_kept)), line.size()));
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
    Json line;
    try {
      line = parse_shallow(text.substr(start, newline - start), Nested::most + 1);
    } catch (const Nested&) {
    } catch (const Json::exception&) {
    }
    start = newline + 1;
    if (!line.is_object() || (number == 1 && line.value("schema", Json()) != transcript_schema)) {
      throw InputError(fmt::format("{}:{}: is not a line of a transcript of schema {}; give a file of a run's transcripts/",
                                   file.string(), number, transcript_schema));
    }
    const auto wrong = [&](const std::string& what) {
      return InputError(fmt::format("{}:{}: {}; it was changed by hand, move it aside to begin the session again", file.string(), number, what));
    };
    if ((line.contains("message") && !line["message"].is_object()) || (line.contains("end") && !line["end"].is_object())) {
      throw wrong("'message' and 'end' are objects");
    }
    try {
      transcript.bytes = start;
      transcript.count = line.value("n", transcript.count);
      transcript.seconds = line.value("t", transcript.seconds);
      transcript.suspended = line.value("suspended", "");
      const std::string from = line.value("from", "");
      if (number == 1) {
        transcript.head = line;
      } else if (line.contains("end")) {
        transcript.end = line["end"];
      } else if (from != "session") {
        transcript.lines.push_back(
            {from == "harness", line.value("message", Json()), line.value("text", ""), line.value("device_s", 0.0), start});
      }
    } catch (const Json::exception& error) {
      throw wrong(error.what());
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
