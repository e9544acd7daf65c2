#pragma once
#include <string>
#include <vector>

#include "model/verdict.hpp"

namespace mskb::test {

enum Where : unsigned { on_cpu = 1, on_cuda = 2, anywhere = 3 };

// A candidate that deserves no speedup, or that tries something which must not matter: candidates/<task>/<file>.cu.
struct Cheat {
  const char* task;
  const char* file;
  const char* exploit;            // what it tries
  Where where;                    // on which backends it means something
  std::vector<Verdict> verdicts;  // one of these ...
  enum Share { every, some } share;  // ... at every case, or at some while the others pass
  const char* guard;              // what catches it, or keeps it from gaining
  bool needs_full_sandbox = false;
  const char* open = "";          // why it cannot be caught yet: then nothing is expected
};

const std::vector<Cheat>& cheats();

inline std::string candidate_file(const Cheat& cheat) {
  return std::string(MSKB_SOURCE_DIR) + "/tests/cheats/candidates/" + cheat.task + "/" + cheat.file + ".cu";
}

}  // namespace mskb::test
