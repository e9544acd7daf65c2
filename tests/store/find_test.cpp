#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "samples.hpp"
#include "store/run_reader.hpp"
#include "store/run_writer.hpp"

namespace mskb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FindTest : public testing::Test {
 protected:
  FindTest() {
    add("one", {"aaaa1111", "aaaa2222"});
    add("two", {"bbbb3333", "aaaa2222"});
  }
  void add(const char* name, std::vector<std::string> ids) {
    RunWriter writer = RunWriter::create(root_.path() / "device" / name, samples::run());
    auto group = samples::group("alpha", 0, 2);
    group[0].id = ids[0];
    group[1].id = ids[1];
    writer.append(group);
  }
  std::string fault(const std::filesystem::path& where, const std::string& id) {
    try {
      find_evaluation(where, id);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }
  TemporaryDirectory root_;
};

TEST_F(FindTest, FindsRunsBelowARoot) {
  EXPECT_THAT(find_runs(root_.path()), ElementsAre(root_.path() / "device/one", root_.path() / "device/two"));
  EXPECT_THAT(find_runs(root_.path() / "device/two"), ElementsAre(root_.path() / "device/two"));
}

TEST_F(FindTest, FindsAnEvaluationByIdOrItsFirstDigits) {
  const FoundEvaluation found = find_evaluation(root_.path(), "bbbb");
  EXPECT_EQ(found.evaluation.id, "bbbb3333");
  EXPECT_EQ(found.directory, root_.path() / "device/two");
  EXPECT_EQ(found.run.id, samples::run().id);
  EXPECT_EQ(find_evaluation(root_.path() / "device/one", "aaaa2222").evaluation.origin, "file:1");
}

TEST_F(FindTest, SaysWhyNothingIsFound) {
  EXPECT_THAT(fault(root_.path(), "cccc0000"), HasSubstr("none in the 2 runs"));
  EXPECT_THAT(fault(root_.path(), "aaaa"), HasSubstr("give more digits or one run"));
  EXPECT_THAT(fault(root_.path(), "aaaa2222"), HasSubstr("give more digits or one run"));
  EXPECT_THAT(fault(root_.path(), "bb"), HasSubstr("4 digits at least"));
  EXPECT_THAT(fault(root_.path() / "missing", "bbbb"), HasSubstr("no such directory"));
}

}  // namespace
}  // namespace mskb
