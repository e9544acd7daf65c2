#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

// Members keep the order in which the original sent them.
using Json = nlohmann::ordered_json;

struct Sent {
  Json message;            // of the original optimizer
  Json evaluation = {};    // what an `evaluate` was answered; null where it was stopped or cut off
};

// A stored session as it is sent again.
struct Recording {
  Json start;              // what the harness told the original optimizer
  std::vector<Sent> sent;  // in order, without what the harness refused
};

// The transcript of a problem: `chosen` is a transcript, a run's directory, or empty for those in `folder`. Throws std::runtime_error when there is
// none.
std::filesystem::path find_transcript(const std::filesystem::path& folder, const std::string& chosen, const std::string& task,
                                      const std::string& precision);

// Throws std::runtime_error "file:line: what is wrong" for a file that is no transcript of this problem. An incomplete last line is left out.
Recording read_recording(const std::filesystem::path& file, const std::string& task, const std::string& precision);
