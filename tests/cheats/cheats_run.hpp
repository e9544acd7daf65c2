#pragma once
#include "../cli/program.hpp"
#include "cheats.hpp"

namespace mskb::test {

// Of the cheats of a task every `of`-th, from `first` on: what one run holds.
struct Batch {
  std::size_t first = 0, of = 1;
};

// Every cheat of a task that means something on a backend, and the human expert's kernel, in one run of the real program.
class CheatsRun : public Program {
 protected:
  void run_all(const std::string& task, Where where, Batch batch = {});

 private:
  // The candidate's file, in which names of places stand for the places themselves.
  std::string prepared(const Cheat& cheat) const;
};

}  // namespace mskb::test
