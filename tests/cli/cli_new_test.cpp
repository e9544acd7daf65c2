// mskb new: what it writes is refused until it is filled in, and is a task once its marks are gone; what it refuses leaves no trace.
#include "program.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class NewTask : public test::Program {
 protected:
  NewTask() {
    fs::create_directories(path("home/tasks"));
    for (const char* name : {"harness", "baselines", "optimizers"}) {
      fs::create_directory_symlink(fs::path(MSKB_SOURCE_DIR) / name, path("home") / name);
    }
    set_variable("MSKB_HOME", path("home"));
  }

  fs::path task(const std::string& name) const { return path("home/tasks") / name; }
};

TEST_F(NewTask, EveryMarkIsRefusedInItsTurnAndWithoutMarksItIsATask) {
  const test::Ended made = mskb({"new", "halve", "--scenario", "scientific", "--family", "halving"});
  ASSERT_EQ(made.exit_code, 0) << made.errors;
  EXPECT_THAT(test::lines_of(read_file(task("halve/task.yaml"))).front(), "# yaml-language-server: $schema=../../docs/task.schema.json");
  int marks = 0;
  for (const char* name : {"task.yaml", "oracle.hpp", "reference.cu"}) {
    const std::string file = std::string("tasks/halve/") + name;
    for (std::string text = read_file(path("home") / file); text.find("FILL:") != std::string::npos; ++marks) {
      const std::size_t mark = text.find("FILL:"), start = text.rfind('\n', mark) + 1, end = text.find('\n', mark);
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(start), '\n');
      const std::string what = text.substr(mark + 6, end - mark - 6);
      const std::string refusal = "mskb: " + file + ":" + std::to_string(line) + ": to be filled in: " + what + "; write it";
      for (const char* command : {"check", "list"}) {
        expect_refused({command}, StartsWith(refusal));
      }
      write_file_atomically(path("home") / file, text.erase(start, end + 1 - start));
    }
  }
  EXPECT_GE(marks, 10);
  EXPECT_THAT(mskb({"show", "halve"}).output, StartsWith("halve (scientific, halving)\n"));
  const test::Ended checked = mskb({"check", "--task", "halve"});
  EXPECT_EQ(checked.exit_code, 0) << checked.output << checked.errors;
}

TEST_F(NewTask, WithoutOptions) {
  ASSERT_EQ(mskb({"new", "_x9"}).exit_code, 0);
  EXPECT_THAT(read_file(task("_x9/task.yaml")), AllOf(HasSubstr("\nscenario: algebra\n"), HasSubstr("\nfamily: element_wise\n")));
}

TEST_F(NewTask, NamesThatAreNoFunctionsOfC) {
  for (const char* name :
       {"9lives", "a-b", "../a", "a/b", "a b", ".a", "a.b", "na\xc3\xafve", "a\nb", "float", "template", "main", "stages", "mskb_x"}) {
    expect_refused({"new", "--", name}, HasSubstr("' cannot be the name of a task, because the entry point is a C function of that name"));
  }
  expect_refused({"new", "--", ""}, HasSubstr("name: the value is empty"));
  expect_refused({"new", std::string(65, 'a')}, HasSubstr("write at most 64 letters"));
  for (const char* name : {"sum_bf16", "sum_optimized"}) {
    expect_refused({"new", name}, HasSubstr("because entry points of other tasks end in _"));
  }
}

TEST_F(NewTask, NamesThatExist) {
  ASSERT_EQ(mskb({"new", "twice"}).exit_code, 0);
  expect_refused({"new", "twice"}, HasSubstr("tasks/twice: exists already; choose another name"));
  write_file_atomically(task("file"), "");
  expect_refused({"new", "file"}, HasSubstr("tasks/file: exists already"));
  fs::create_symlink("nowhere", task("link"));
  EXPECT_EQ(mskb({"new", "link"}).exit_code, 2);
  EXPECT_TRUE(fs::is_symlink(task("link")));
}

TEST_F(NewTask, WrongWords) {
  expect_refused({"new"}, HasSubstr("name is required"));
  expect_refused({"new", "a", "b"}, HasSubstr("see mskb --help"));
  expect_refused({"new", "a", "--scenario", "graphics"}, HasSubstr("--scenario: graphics not in {"));
  expect_refused({"new", "a", "--family", "two words"}, HasSubstr("--family 'two words': give one word"));
}

TEST_F(NewTask, NoFolderOfTasks) {
  fs::remove(path("home/tasks"));
  expect_refused({"new", "a"}, AllOf(HasSubstr("home/tasks: is no directory"), HasSubstr("set MSKB_HOME")));
}

// Whoever runs the tests may write anywhere; /proc stands in for a disk that refuses.
TEST_F(NewTask, DirectoryThatCannotBeMade) {
  fs::remove_all(path("home/tasks"));
  fs::create_directory_symlink("/proc", path("home/tasks"));
  expect_refused({"new", "a"}, HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace mskb
