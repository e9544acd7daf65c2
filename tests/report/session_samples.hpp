#pragma once
#include <filesystem>

#include <fmt/format.h>

#include "base/files.hpp"

// Transcripts of invented sessions, as an optimization leaves them in its run's directory.
namespace mskb::samples {

inline void write_transcript(const std::filesystem::path& run, const std::string& problem, const std::string& text) {
  const std::filesystem::path file = run / "transcripts" / (problem + ".jsonl");
  std::filesystem::create_directories(file.parent_path());
  write_file_atomically(file, text);
}

inline std::string transcript_head(const std::string& problem, const std::string& optimizer) {
  return fmt::format(R"({{"schema":1,"run":"0123456789ab","problem":"{}","optimizer":"{}"}})"
                     "\n"
                     R"({{"n":1,"t":0,"from":"harness","message":{{"type":"start","reference":{{"main":"a.cu","sources":{{"a.cu":"one\ntwo\n"}}}},)"
                     R"("measuring":{{"protocol":"strict","clock":"span"}},"budget":{{"evaluations":20,"tokens":null}},"options":{{"rounds":"3"}}}}}})"
                     "\n",
                     problem, optimizer);
}

// An evaluation of a source, timed at two cases of `paper` with weights 1 and 3.
inline std::string transcript_evaluation(int number, const std::string& source, const std::string& verdict, double small, double large,
                                         const std::string& bottleneck = "") {
  const std::string profile = bottleneck.empty() ? "null" : fmt::format(R"({{"kind":"filtered","class":"{}"}})", bottleneck);
  const auto one = [&](const char* set, double weight, double speedup) {
    return fmt::format(R"({{"case":"c","set":"{}","weight":{},"timing":{}}})", set, weight,
                       verdict == "passed" ? fmt::format(R"({{"speedup":{{"span":{{"value":{}}}}}}})", speedup) : "null");
  };
  return fmt::format(R"({{"n":2,"t":{0},"from":"optimizer","message":{{"type":"evaluate","sources":{{"kernel.cu":"{1}"}}}}}})"
                     "\n"
                     R"({{"n":3,"t":{0},"from":"harness","message":{{"type":"evaluation","id":"id{0}","number":{0},"verdict":"{2}","detail":"","cases":[{3},{4}],"profile":{5}}}}})"
                     "\n",
                     number, source, verdict, one("paper", 1, small), one("paper", 3, large), profile);
}

inline std::string transcript_note(const std::string& role, const std::string& text, double tokens, double cost) {
  return fmt::format(R"({{"n":4,"t":1,"from":"optimizer","message":{{"type":"note","role":"{}","model":"a model","text":"{}","tokens":{{"input":{},"output":0}},"cost":{}}}}})"
                     "\n", role, text, tokens, cost);
}

inline std::string transcript_end(const std::string& id, int evaluations, double tokens, double money) {
  return fmt::format(R"({{"n":5,"t":2,"from":"optimizer","message":{{"type":"submit","id":"{0}"}}}})"
                     "\n"
                     R"({{"n":6,"t":2,"from":"session","end":{{"ending":"submitted","detail":"","spent":{{"evaluations":{1},"tokens":{2},"money":{3},"device_s":1,"wall_s":2}},"id":"{0}"}}}})"
                     "\n", id, evaluations, tokens, money);
}

}  // namespace mskb::samples
