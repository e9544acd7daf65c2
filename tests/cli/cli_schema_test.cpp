// docs/task.schema.json against a validator that knows nothing of ours: it takes every task, and refuses what the reader refuses.
#include "../model/task_fixture.hpp"
#include "program.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path home = MSKB_SOURCE_DIR;

class Schema : public test::Program {
 protected:
  // The distribution's interpreter, for which scripts/packages.sh installs the validator.
  test::Ended validate(const std::vector<std::string>& files) const {
    std::vector<std::string> words{"/usr/bin/python3", (home / "tests/cli/validate_task_files.py").string(),
                                   (home / "docs/task.schema.json").string()};
    words.insert(words.end(), files.begin(), files.end());
    return test::Running(words, folder_.path()).wait();
  }

  std::string file(const std::string& name, const std::string& text) const {
    write_file_atomically(path(name), text);
    return path(name);
  }
};

TEST_F(Schema, TakesEveryTask) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(home / "tasks")) {
    if (fs::exists(entry.path() / "task.yaml")) {
      files.push_back(entry.path() / "task.yaml");
    }
  }
  ASSERT_GE(files.size(), 50u);
  const test::Ended ended = validate(files);
  EXPECT_EQ(ended.exit_code, 0) << ended.output << ended.errors;
}

TEST_F(Schema, TakesEveryKeyAndRefusesWhatTheReaderRefuses) {
  const test::Ended whole = validate({file("whole.yaml", small_task)});
  EXPECT_EQ(whole.exit_code, 0) << whole.output << whole.errors;
  const std::pair<const char*, const char*> mistakes[] = {
      {"weight: rows*cols\n", ""},
      {"decisions:", "wieght: 3\ndecisions:"},
      {"scenario: algebra", "scenario: graphics"},
      {"reset: nothing", "reset: []"},
      {"dims:\n", "dims:\n  s: a number\n"},
      {"role: out", "role: output"},
      {"role: out,", "role: in, fill: {constant: 1},"},
      {"type: i32", "type: int"},
      {"type: i32, shape: [rows]", "type: i32, shape: []"},
      {"type: i32, shape: [rows], fill: {indices: [rows]}", "type: i32, shape: [rows]"},
      {"{name: rows, role: dim}", "{name: rows, role: dim, shape: [1]}"},
      {"value: 0.1, default: true", "value: 0.1, default: maybe"},
      {"value: 0.1", "type: i32, value: 0.1"},
      {"value: 0.1, ", ""},
      {"fill: {uniform: [-1, 1]}", "fill: {uniform: [-1]}"},
      {"fill: {uniform: [-1, 1]}", "fill: {uniform: 1}"},
      {"fill: {uniform: [-1, 1]}", "fill: {even: [-1, 1]}"},
      {"fill: {uniform: [-1, 1]}", "fill: {uniform: [-1, 1], constant: 1}"},
      {"      why: \"a few elements\"\n", ""},
      {"    - size: [3, 5]\n", "    - [3, 5]\n    - size: [3, 5]\n"},
      {"  smoke:\n    - [4, 4]\n", ""},
      {"    - [4, 4]\n", "    - []\n"},
      {"{empty: \"none larger\"}", "{because: \"none larger\"}"},
      {"{empty: \"none larger\"}", "[]"},
      {"fixed: true", "fixed: perhaps"},
      {"{elementwise: {rel: 1e-6, mag: 2^-20}}", "{elementwise: {rel: 1e-6}}"},
      {"{elementwise: {rel: 1e-6, mag: 2^-20}}", "{elementwise: {rel: 1, mag: 1}, normwise: {l2: 1, peak: 1}}"},
      {"{elementwise: {rel: 1e-6, mag: 2^-20}}", "nearly"},
      {"{relative: 1e-3, share: 0.01}", "{share: 0.01}"},
      {"{relative: 1e-3, share: 0.01}", "{relative: 1e-3, absolute: 1e-3}"},
      {"{copy_zero: y}", "{copy_zero: y, set_zero: y}"},
      {"{bf16: 1.5}", "{fp64: 1.5}"},
      {"{mathlib: the same}", "{mathlib: the same, none: there is none}"},
      {"name: order,", "name: float,"},
      {"name: order,", "name: 2x,"},
      {"name: order,", "name: mskb_x,"},
      {"rows: number of rows", "a-b: a number\n  rows: number of rows"},
      {"rows: number of rows", "max: a number\n  rows: number of rows"},
      {"family: element_wise", "family: two words"},
      {"{mathlib: the same}", "{../mathlib: the same}"},
      {"reset: nothing", "reset: \"two\\nlines\""},
      {"fill: {uniform: [-1, 1]}", "fill: {mantissa: [1, 24]}"},
      {"fill: {indices: [rows]}", "fill: {indices: 0}"},
      {"fill: {indices: [rows]}", "fill: {indices: [2.5]}"},
      {"[8, 16]", "[-8, 16]"},
      {"[8, 16]", "[8.5, 16]"},
      {"[8, 16]", "[8, 2147483648]"},
      {"value: 0.1", "value: 1e39"},
      {"scalars: {a: 2}", "scalars: {a: -1e39}"},
      {"rel: 1e-6", "rel: -1"},
      {"l2: 0.004", "l2: -1"},
      {"share: 0.01", "share: 2"},
      {"{relative: 1e-3,", "{relative: 0,"},
      {"{bf16: 1.5}", "{bf16: 0.5}"},
      {"decisions:\n  - The output comes first.", "decisions: The output comes first."},
  };
  std::vector<std::string> files;
  for (const auto& [from, to] : mistakes) {
    std::string text = small_task;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    EXPECT_NE(TaskHome(from, to).refusal(), "accepted") << from << " -> " << to;
    files.push_back(file(std::to_string(files.size()) + ".yaml", text.replace(at, std::string_view(from).size(), to)));
  }
  const test::Ended ended = validate(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_THAT(ended.output, HasSubstr(files[i] + ": ")) << mistakes[i].first << " -> " << mistakes[i].second << ended.errors;
  }
}

}  // namespace
}  // namespace mskb
