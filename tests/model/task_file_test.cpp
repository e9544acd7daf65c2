#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "task_fixture.hpp"

namespace mskb {
namespace {

using testing::ElementsAre;

const std::string fmt_nan = fmt::format("{}", std::sqrt(0.0 - 1));  // with the sign that this machine gives it

std::string refusal(std::string_view from, std::string_view to) { return TaskHome(from, to).refusal(); }

TEST(TaskFile, ReadsEveryKey) {
  const TaskHome home;
  const Task task = home.load();
  EXPECT_EQ(task.name, "scale");
  EXPECT_EQ(task.summary, "Scaling: y[i] = a * x[i]");
  EXPECT_EQ(task.scenario, "algebra");
  EXPECT_EQ(task.family, "element_wise");
  ASSERT_EQ(task.dims.size(), 2u);
  EXPECT_EQ(task.dims[1].name, "cols");
  EXPECT_EQ(task.dims[1].meaning, "number of columns");
  EXPECT_THAT(task.valid, ElementsAre("rows >= 1 and cols >= 1"));
  ASSERT_EQ(task.signature.size(), 5u);
  EXPECT_EQ(task.signature[0].role, Role::out);
  EXPECT_TRUE(task.signature[0].real);
  EXPECT_THAT(task.signature[0].shape, ElementsAre("rows", "cols"));
  EXPECT_EQ(task.signature[1].fill.kind, FillKind::uniform);
  EXPECT_THAT(task.signature[1].fill.parameters, ElementsAre("-1", "1"));
  EXPECT_EQ(task.signature[2].type, ElementType::i32);
  EXPECT_EQ(task.signature[4].value, 0.1);
  EXPECT_TRUE(task.signature[4].has_default);
  EXPECT_EQ(task.cases.at("paper").size(), 2u);
  EXPECT_EQ(task.cases.at("check")[0].why, "a few elements");
  EXPECT_EQ(task.cases.at("check")[0].scalars.at("a"), 2);
  EXPECT_EQ(task.empty_sets.at("large"), "none larger");
  EXPECT_EQ(task.weight, "rows*cols");
  EXPECT_TRUE(task.flops_are_fixed);
  EXPECT_EQ(task.accept.at("y").at(Precision::fp32).kind, AcceptKind::elementwise);
  EXPECT_EQ(task.accept.at("y").at(Precision::fp32).mag, 0x1p-20);
  EXPECT_EQ(task.accept.at("y").at(Precision::bf16).kind, AcceptKind::normwise);
  EXPECT_EQ(task.accept.at("y").at(Precision::bf16).peak, 0.02);
  EXPECT_EQ(task.origin_error.at(Precision::bf16), 1.5);
  EXPECT_EQ(task.paper_rule.kind, PaperRuleKind::relative);
  EXPECT_EQ(task.paper_rule.share, 0.01);
  EXPECT_EQ(task.paper_prologue, PrologueKind::copy_zero);
  EXPECT_EQ(task.paper_prologue_argument, "y");
  EXPECT_EQ(task.baselines.at(0).library, "mathlib");
  EXPECT_THAT(task.decisions, ElementsAre("The output comes first."));
  EXPECT_EQ(task.mended, "nothing was");
}

TEST(TaskFile, AcceptsOneWordForBothPrecisions) {
  const TaskHome home("y:\n    fp32: {elementwise: {rel: 1e-6, mag: 2^-20}}\n    bf16: {normwise: {l2: 0.004, peak: 0.02}}", "y: exact");
  EXPECT_EQ(home.load().accept.at("y").at(Precision::bf16).kind, AcceptKind::exact);
}

TEST(TaskFile, RefusesMalformedYaml) {
  // The reason in the middle is the YAML library's own wording.
  EXPECT_THAT(refusal("  - {name: y, role: out,", "  - {name: y role: out,"),
              testing::AllOf(testing::StartsWith("tasks/scale/task.yaml:11: malformed YAML: "),
                             testing::EndsWith("; mend the syntax near column 18")));
}

TEST(TaskFile, RefusesWhatIsStillToBeFilledIn) {
  EXPECT_EQ(refusal("weight: rows*cols\n", "# FILL: the complexity\nweight: rows*cols\n"),
            "tasks/scale/task.yaml:28: to be filled in: the complexity; write it and delete the mark");
  EXPECT_EQ(refusal("  - [16, 32]\n", "  #FILL: more sizes\n"),
            "tasks/scale/task.yaml:19: to be filled in: more sizes; write it and delete the mark");
  EXPECT_EQ(refusal("mended: nothing was", "mended: \"# FILL: in the text, not a comment\""), "accepted");
  for (const char* name : {"oracle.hpp", "reference.cu"}) {
    const TaskHome home;
    write_file_atomically(home.home() / "tasks/scale" / name, "\n  // FILL: the formula\n");
    EXPECT_EQ(home.refusal(), "tasks/scale/" + std::string(name) + ":2: to be filled in: the formula; write it and delete the mark");
  }
}

TEST(TaskFile, RefusesAMissingKey) {
  EXPECT_EQ(refusal("weight: rows*cols\n", ""),
            "tasks/scale/task.yaml:1: key 'weight' is missing in the task; add it (docs/task-format.md says what it holds)");
  EXPECT_EQ(refusal("{name: y, role: out, type: real, shape: [rows, cols]}", "{name: y, role: out, shape: [rows, cols]}"),
            "tasks/scale/task.yaml:11: key 'type' is missing in an argument; add it (docs/task-format.md says what it holds)");
}

TEST(TaskFile, RefusesAnUnknownKey) {
  EXPECT_EQ(refusal("decisions:", "wieght: 3\ndecisions:"),
            "tasks/scale/task.yaml:40: unknown key 'wieght' in the task; did you mean 'weight'?");
  EXPECT_EQ(refusal("value: 0.1,", "value: 0.1, values: 3,"),
            "tasks/scale/task.yaml:15: unknown key 'values' in an argument; did you mean 'value'?");
}

TEST(TaskFile, RefusesADoubledKey) {
  EXPECT_EQ(refusal("reset: nothing", "reset: nothing\nreset: something"),
            "tasks/scale/task.yaml:39: key 'reset' appears twice in one map; keep one");
}

TEST(TaskFile, RefusesANameThatIsNotTheDirectorys) {
  EXPECT_EQ(TaskHome("", "", "scaling").refusal(),
            "tasks/scaling/task.yaml:1: task 'scale' lies in the directory 'scaling'; rename one of them");
}

TEST(TaskFile, RefusesBadExpressions) {
  EXPECT_EQ(refusal("weight: rows*cols", "weight: rows*columns"),
            "tasks/scale/task.yaml:28: weight: expression 'rows*columns': unknown name 'columns' at position 6");
  EXPECT_EQ(refusal("shape: [rows]", "shape: [rows*]"),
            "tasks/scale/task.yaml:13: shape of 'order': expression 'rows*': a value is missing at position 6");
  EXPECT_EQ(refusal("{indices: [rows]}", "{indices: [rows/0]}"),
            "tasks/scale/task.yaml:13: fill 'indices': expression 'rows/0': division by zero at position 7");
  EXPECT_EQ(refusal("rel: 1e-6", "rel: tiny"),
            "tasks/scale/task.yaml:33: rel must be a number: expression 'tiny': unknown name 'tiny' at position 1");
}

TEST(TaskFile, RefusesBadSignatures) {
  EXPECT_EQ(refusal("{name: order,", "{name: x,"),
            "tasks/scale/task.yaml:13: argument 'x' appears twice; give it another name");
  EXPECT_EQ(refusal("{name: order,", "{name: cols,"),
            "tasks/scale/task.yaml:13: argument 'cols' has the name of a dim; rename one of them or make its role dim");
  EXPECT_EQ(refusal("{name: rows, role: dim}", "{name: count, role: dim}"),
            "tasks/scale/task.yaml:14: argument 'count' has role dim but is not listed under dims; add it there");
  EXPECT_EQ(refusal("role: out", "role: output"),
            "tasks/scale/task.yaml:11: unknown role 'output'; write in, out, inout, dim or scalar");
  EXPECT_EQ(refusal("type: i32", "type: int"),
            "tasks/scale/task.yaml:13: unknown type 'int'; write real (follows the precision), f32 or i32");
  EXPECT_EQ(refusal("role: out, type: real, shape: [rows, cols]}", "role: in, type: real, shape: [rows], fill: {constant: 0}}"),
            "tasks/scale/task.yaml:11: no argument has role out or inout; say which one holds the result");
}

TEST(TaskFile, RefusesADerivedDimOfATakenName) {
  EXPECT_EQ(refusal("valid:", "derived: {cols: 3}\nvalid:"),
            "tasks/scale/task.yaml:8: 'cols' has another meaning already; rename it");
  EXPECT_EQ(refusal("valid:", "derived: {width: later, later: 2}\nvalid:"),
            "tasks/scale/task.yaml:8: derived 'width': expression 'later': unknown name 'later' at position 1");
}

TEST(TaskFile, RefusesBadFills) {
  EXPECT_EQ(refusal("{uniform: [-1, 1]}", "{unifrom: [-1, 1]}"),
            "tasks/scale/task.yaml:12: unknown fill 'unifrom'; did you mean 'uniform'?");
  EXPECT_EQ(refusal("{uniform: [-1, 1]}", "{uniform: [-1]}"),
            "tasks/scale/task.yaml:12: fill 'uniform' takes 2 parameters, not 1: uniform in [a, b), in steps of (b - a) * 2^-24");
}

TEST(TaskFile, AScalarFollowsThePrecisionWhereItSaysSo) {
  const char* plain = "{name: a, role: scalar, value: 0.1, default: true}";
  const Task real = TaskHome(plain, "{name: a, role: scalar, type: real, value: 0.1}").load();
  EXPECT_EQ(real.signature[4].element_type(Precision::fp32), ElementType::f32);
  EXPECT_EQ(real.signature[4].element_type(Precision::bf16), ElementType::bf16);
  EXPECT_EQ(TaskHome().load().signature[4].element_type(Precision::bf16), ElementType::f32);
  EXPECT_EQ(declaration({&real, Precision::bf16}),
            "void scale_bf16(__nv_bfloat16* y, const __nv_bfloat16* x, const int* order, int rows, __nv_bfloat16 a)");
  EXPECT_EQ(refusal(plain, "{name: a, role: scalar, type: i32, value: 1}"),
            "tasks/scale/task.yaml:15: scalar 'a' cannot be i32; write real (follows the precision) or f32, or make its "
            "role dim");
}

TEST(TaskFile, RefusesBadCases) {
  EXPECT_EQ(refusal("[16, 32]", "[16]"), "tasks/scale/task.yaml:19: a size lists one number for each dim: [rows, cols]");
  EXPECT_EQ(refusal("      why: \"a few elements\"\n", ""),
            "tasks/scale/task.yaml:21: key 'why' is missing in a case; add it (docs/task-format.md says what it holds)");
  EXPECT_EQ(refusal("fills: {x:", "fills: {y:"),
            "tasks/scale/task.yaml:22: fills: 'y' is not an argument of role in or inout");
  EXPECT_EQ(refusal("scalars: {a: 2}", "scalars: {x: 2}"),
            "tasks/scale/task.yaml:23: scalars: 'x' is not an argument of role scalar");
  EXPECT_EQ(refusal("  smoke:\n    - [4, 4]\n", "  smoke: []\n"),
            "tasks/scale/task.yaml:25: cases.smoke must be a list of cases, or {empty: reason}");
}

TEST(TaskFile, RefusesBadAcceptance) {
  EXPECT_EQ(refusal("accept:\n  y:", "accept:\n  z:"),
            "tasks/scale/task.yaml:32: key 'y' is missing in accept; add it (docs/task-format.md says what it holds)");
  EXPECT_EQ(refusal("{normwise: {l2: 0.004, peak: 0.02}}", "close"),
            "tasks/scale/task.yaml:34: an acceptance is exact, order, {elementwise: {rel, mag}} or {normwise: {l2, peak}}");
  EXPECT_EQ(refusal("{copy_zero: y}", "{copy_zero: a}"),
            "tasks/scale/task.yaml:37: paper_prologue: 'a' is not a buffer of the signature");
  EXPECT_EQ(refusal("origin_error: {bf16: 1.5}", "origin_error: {bf16: 0.2}"),
            "tasks/scale/task.yaml:35: origin_error is the original's error over the bound; leave it out at 0.5 or less");
}

// What would become a name of C++, of a file or of an expression and cannot.
TEST(TaskFile, RefusesBadNames) {
  const std::string argument = "' cannot be the name of a dim or an argument, because the oracle has a variable of that name; ";
  for (const char* name : {"2x", "a-b", "a b", "a/b", "'a\"b'", "float", "Case", "outputs", "mskb_x", "\xC3\xA4", "../x"}) {
    EXPECT_THAT(refusal("{name: order,", "{name: " + std::string(name) + ","),
                testing::AllOf(testing::StartsWith("tasks/scale/task.yaml:13: '"), testing::HasSubstr(argument)))
        << name;
  }
  EXPECT_THAT(refusal("{name: order,", "{name: " + std::string(65, 'a') + ","), testing::HasSubstr(argument));
  EXPECT_THAT(refusal("  rows: number of rows", "  int: a number\n  rows: number of rows"),
              testing::AllOf(testing::StartsWith("tasks/scale/task.yaml:6: 'int"), testing::HasSubstr(argument)));
  EXPECT_EQ(refusal("valid:", "derived: {max: 3}\nvalid:"),
            "tasks/scale/task.yaml:8: 'max' cannot be the name of a dim, because it has a meaning in expressions; choose another name");
  EXPECT_EQ(refusal("family: element_wise", "family: two words"),
            "tasks/scale/task.yaml:4: family 'two words' is not one word of letters, digits and _; write one");
  EXPECT_THAT(refusal("{mathlib: the same}", "{../mathlib: the same}"),
              testing::StartsWith("tasks/scale/task.yaml:39: '../mathlib' is no folder of baselines/"));
  for (const char* name : {"switch", "scale_bf16", "scale_optimized", "mskb", "a b"}) {
    EXPECT_THAT(TaskHome("task: scale", "task: " + std::string(name), name).refusal(),
                testing::StartsWith("tasks/" + std::string(name) + "/task.yaml:1: '" + name + "' cannot be the name of a task, because "));
  }
}

TEST(TaskFile, RefusesMoreThanTheMessagesHold) {
  std::string dims, arguments;
  for (int i = 0; i < 7; ++i) dims += "  d" + std::to_string(i) + ": one more\n";
  EXPECT_EQ(refusal("  rows: number of rows\n", "  rows: number of rows\n" + dims),
            "tasks/scale/task.yaml:14: 'cols' is one more than the 8 dims, stated and derived, that a task may have; leave one out");
  for (int i = 0; i < 12; ++i) arguments += "  - {name: a" + std::to_string(i) + ", role: scalar, value: 1, default: true}\n";
  EXPECT_EQ(refusal("cases:\n", arguments + "cases:\n"),
            "tasks/scale/task.yaml:11: signature has 17 arguments; at most 16 are supported, so leave some out");
}

TEST(TaskFile, RefusesNumbersThatAreNone) {
  const auto rel = [](const std::string& value) { return refusal("rel: 1e-6", "rel: " + value); };
  const std::string place = "tasks/scale/task.yaml:33: rel ";
  EXPECT_EQ(rel("-1e-6"), place + "is -1e-06; write a number from 0 on");
  EXPECT_EQ(rel("1e308*10"), place + "is inf, which is no finite number; write another");
  EXPECT_EQ(rel("sqrt(0-1)"), place + "is " + fmt_nan + ", which is no finite number; write another");
  EXPECT_EQ(rel("1e999"), place + "must be a number: expression '1e999': a number that a double cannot hold at position 1");
  for (const char* word : {".nan", ".inf", "nan", "inf", "0x10", "1_000", "yes", "~", "''", "[1]"}) {
    EXPECT_THAT(rel(word), testing::StartsWith(place + "must be ")) << word;
  }
  EXPECT_EQ(refusal("share: 0.01", "share: 1.5"), "tasks/scale/task.yaml:36: share is 1.5; write a number from 0 to 1");
  EXPECT_EQ(refusal("{relative: 1e-3,", "{relative: -1,"),
            "tasks/scale/task.yaml:36: the bound of paper_accept is -1, below which no error lies; write a number above 0");
  EXPECT_THAT(refusal("value: 0.1", "value: 1e39"), testing::StartsWith("tasks/scale/task.yaml:15: value of 'a' is 1e+39; write a number from "));
  EXPECT_THAT(refusal("scalars: {a: 2}", "scalars: {a: -1e39}"), testing::StartsWith("tasks/scale/task.yaml:23: value of 'a' is -1e+39; "));
  EXPECT_EQ(refusal("rel: 1e-6", "rel: " + std::string(1000, '(') + "1" + std::string(1000, ')')),
            place + "must be a number: expression '" + std::string(200, '(') + "...': nested more than 100 deep; write fewer brackets and signs at position 51");
}

TEST(TaskFile, RefusesTextThatNoLineCanShow) {
  EXPECT_EQ(refusal("\"Scaling: y[i] = a * x[i]\"", "\"\\e[31mred\""),
            "tasks/scale/task.yaml:2: summary holds the character U+001B, which one line cannot show; write one line without it");
  EXPECT_THAT(refusal("reset: nothing", "reset: |\n  two\n  lines"), testing::HasSubstr("task.yaml:38: reset holds the character U+000A"));
  EXPECT_THAT(refusal("{uniform: [-1, 1]}", "{\"\\u202e\": [-1, 1]}"), testing::HasSubstr("a fill holds the character U+202E"));
  EXPECT_EQ(refusal("reset: nothing", "reset: " + std::string(4001, 'x')),
            "tasks/scale/task.yaml:38: reset has more than 4000 characters; write less");
  EXPECT_EQ(TaskHome("reset: nothing", "reset: \xE2\x86\x92 nothing").load().reset, "\xE2\x86\x92 nothing");
}

TEST(TaskFile, RefusesOrderWithoutContentsOnEntry) {
  EXPECT_EQ(refusal("y:\n    fp32: {elementwise: {rel: 1e-6, mag: 2^-20}}\n    bf16: {normwise: {l2: 0.004, peak: 0.02}}", "y: order"),
            "tasks/scale/task.yaml:32: order compares with the contents on entry, which 'y' has not; make its role inout");
}

TEST(TaskFile, RefusesAnUnknownScenario) {
  EXPECT_EQ(refusal("scenario: algebra", "scenario: graphics"),
            "tasks/scale/task.yaml:3: unknown scenario 'graphics'; write algebra, llm, sparse or scientific");
}

TEST(TaskFile, AHomeWithoutTasksIsRefused) {
  const TemporaryDirectory empty;
  try {
    load_tasks(empty.path());
    FAIL() << "an absent tasks directory was read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::EndsWith("No such file or directory; set MSKB_HOME to the checkout of MSKernelBench"));
  }
}

}  // namespace
}  // namespace mskb
