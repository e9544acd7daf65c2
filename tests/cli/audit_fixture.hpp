#pragma once
#include <functional>

#include "program.hpp"
#include "store/record.hpp"

namespace mskb::test {

// A run of one kernel that is right and one that is not, made once: every test edits its own copy.
class Audit : public Program {
 protected:
  void SetUp() override {
    static const TemporaryDirectory made;
    const std::filesystem::path run = made.path() / "run";
    if (!std::filesystem::exists(run)) {
      ASSERT_EQ(mskb(run_words(run.string(), {"--candidate", kernel("right"), "--candidate", kernel("writes_nan")})).exit_code, 1);
    }
    std::filesystem::copy(run, path("run"), std::filesystem::copy_options::recursive);
  }

  Ended audit(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"audit", "run", "--device", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    return mskb(words);
  }

  void replace(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = read_file(path(file));
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_file_atomically(path(file), text.replace(at, from.size(), to));
  }

  // Writes the records anew after `edit` has had each of them; a record for which it says false is left out.
  void edit_records(const std::function<bool(Evaluation&)>& edit) const {
    const StoredRun stored = read_run(path("run"));
    std::string text = lines_of(read_file(path("run/evaluations.jsonl"))).front() + "\n";
    for (Evaluation evaluation : stored.evaluations) {
      if (edit(evaluation)) {
        text += record_line(evaluation) + "\n";
      }
    }
    write_file_atomically(path("run/evaluations.jsonl"), text);
  }

  // The records alone show it.
  void expect_found(const std::string& what) const {
    const Ended ended = audit({"--records-only"});
    EXPECT_EQ(ended.exit_code, 1) << ended.errors;
    EXPECT_THAT(ended.output, ::testing::AllOf(::testing::HasSubstr("  DOES NOT HOLD  "), ::testing::ContainsRegex(what), ::testing::ContainsRegex("\n([02-9]|[0-9][0-9]+) things do not hold\n$|\n1 thing does not hold\n$")));
  }
};

}  // namespace mskb::test
