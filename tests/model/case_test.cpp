#include "model/case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task_fixture.hpp"

namespace mskb {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view from, std::string_view to, const std::string& set = "paper") {
  const TaskHome home(from, to);
  try {
    const Task task = home.load();  // makes every case once
    make_cases({&task, Precision::fp32}, set);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Case, EvaluatesEverything) {
  const TaskHome home;
  const Task task = home.load();
  const std::vector<Case> cases = make_cases({&task, Precision::bf16}, "check");
  ASSERT_EQ(cases.size(), 1u);
  const Case& one = cases[0];
  EXPECT_EQ(one.name(), "scale/bf16/check/0");
  EXPECT_EQ(one.size_text(), "3x5");
  EXPECT_EQ(one.weight, 15);
  EXPECT_EQ(one.bytes, 60);
  EXPECT_EQ(one.flops, 15);
  EXPECT_EQ(one.why, "a few elements");
  ASSERT_EQ(one.arguments.size(), 5u);
  EXPECT_EQ(one.arguments[0].elements, 15u);
  EXPECT_EQ(one.arguments[0].type, ElementType::bf16);
  EXPECT_EQ(one.arguments[0].accept.kind, AcceptKind::normwise);
  EXPECT_EQ(one.arguments[0].fill.kind, FillKind::none);
  EXPECT_EQ(one.arguments[1].fill.kind, FillKind::spike);
  EXPECT_EQ(one.arguments[1].fill.b, 5);
  EXPECT_EQ(one.arguments[1].fill.c, 3);
  EXPECT_EQ(one.arguments[2].type, ElementType::i32);
  EXPECT_EQ(one.arguments[3].value, 3);
  EXPECT_EQ(one.arguments[4].value, 2);
}

TEST(Case, DerivedDimsFollowFromTheStatedOnes) {
  const TaskHome home("valid:", "derived:\n  width: ceil(cols/2)\n  slots: rows*width\nvalid:");
  const Task task = home.load();
  const Case one = make_cases({&task, Precision::fp32}, "check")[0];
  EXPECT_EQ(one.dims, (std::vector<double>{3, 5}));
  EXPECT_EQ(one.derived, (std::vector<double>{3, 9}));
  EXPECT_EQ(one.size_text(), "3x5");
  EXPECT_NE(refusal("valid:", "derived:\n  width: cols/3\nvalid:").find("width is 5.33"), std::string::npos);
}

TEST(Case, ADerivedDimIsAnArgument) {
  const char* scalar = "  - {name: a, role: scalar, value: 0.1, default: true}\n";
  const TaskHome home(std::string("{name: rows, role: dim}\n") + scalar,
                      std::string("{name: width, role: dim}\n") + scalar + "derived: {width: ceil(cols/2)}\n");
  const Task task = home.load();
  EXPECT_EQ(make_cases({&task, Precision::fp32}, "check")[0].arguments[3].value, 3);
}

TEST(Case, CostFollowsThePrecision) {
  const TaskHome home;
  const Task task = home.load();
  EXPECT_EQ(make_cases({&task, Precision::fp32}, "paper")[1].bytes, 2 * make_cases({&task, Precision::bf16}, "paper")[1].bytes);
}

TEST(Case, ScalarsAreWhatAFloatParameterHolds) {
  const TaskHome home;
  const Task task = home.load();
  EXPECT_EQ(make_cases({&task, Precision::fp32}, "paper")[0].arguments[4].value, static_cast<double>(0.1f));
}

TEST(Case, AnEmptySetHasNoCases) {
  const TaskHome home;
  const Task task = home.load();
  EXPECT_TRUE(make_cases({&task, Precision::fp32}, "large").empty());
}

TEST(Case, RefusesAnUnknownSet) {
  EXPECT_EQ(refusal("", "", "huge"), "unknown size set 'huge'; write paper, check, smoke or large");
}

TEST(Case, RefusesADivisionByZero) {
  EXPECT_EQ(refusal("weight: rows*cols", "weight: rows/abs(cols - 32)"),
            "tasks/scale/task.yaml:19: case paper/1: expression 'rows/abs(cols - 32)': division by zero at position 20");
}

TEST(Case, RefusesASizeOutsideTheDomain) {
  EXPECT_EQ(refusal("valid:\n  - rows >= 1", "valid:\n  - rows >= 9"),
            "tasks/scale/task.yaml:18: case paper/0: size 8x16 is outside `valid: rows >= 9 and cols >= 1`; choose another size");
}

TEST(Case, RefusesTwoToThe31Elements) {
  EXPECT_EQ(refusal("[16, 32]", "[65536, 32768]"),
            "tasks/scale/task.yaml:19: case paper/1: 'y' would hold 2147483648 elements; a buffer holds fewer than 2^31, so choose a "
            "smaller size");
  EXPECT_EQ(refusal("[16, 32]", "[65536, 32767]"), "accepted");
}

TEST(Case, RefusesEmptyBuffersAndBrokenSizes) {
  EXPECT_EQ(refusal("shape: [rows]", "shape: [rows - 8]"),
            "tasks/scale/task.yaml:18: case paper/0: 'order' would be empty; choose a larger size");
  EXPECT_EQ(refusal("shape: [rows]", "shape: [rows/16]"),
            "tasks/scale/task.yaml:18: case paper/0: expression 'rows/16' gives 0.5, which is not a count");
  EXPECT_EQ(refusal("[8, 16]", "[8.5, 16]"),
            "tasks/scale/task.yaml:18: case paper/0: rows is 8.5, which is not a whole number below 2^31; choose another size");
  EXPECT_EQ(refusal("[8, 16]", "[2^31, 16]"),
            "tasks/scale/task.yaml:18: case paper/0: rows is 2147483648, which is not a whole number below 2^31; choose another size");
}

TEST(Case, RefusesWhatGivesNoNumber) {
  EXPECT_EQ(refusal("weight: rows*cols", "weight: rows - 16"),
            "tasks/scale/task.yaml:18: case paper/0: weight: expression 'rows - 16' gives -8; write one that gives a number from 0 on");
  EXPECT_THAT(refusal("flops: rows*cols", "flops: 10^(rows*cols)"), HasSubstr("cost.flops: expression '10^(rows*cols)' gives inf; write"));
  EXPECT_THAT(refusal("oracle_work: 1", "oracle_work: 0"), HasSubstr("oracle_work: expression '0' gives 0; write one that gives a number from 1 on"));
  EXPECT_THAT(refusal("weight: rows*cols", "weight: rows % (cols - 16)"),
              HasSubstr("task.yaml:18: case paper/0: expression 'rows % (cols - 16)': division by zero at position"));
  EXPECT_THAT(refusal("[8, 16]", "[-8, 16]"), HasSubstr("task.yaml:18: case paper/0: rows is -8, which is not a whole number below 2^31"));
  EXPECT_THAT(refusal("shape: [rows]", "shape: [2^53, 2^53, 2^53, rows]"), HasSubstr("elements; a buffer holds fewer than 2^31"));
  EXPECT_THAT(refusal("valid:", "valid:\n  - sqrt(rows - 100)"), HasSubstr("is outside `valid: sqrt(rows - 100)`"));
}

// What would divide by zero, shift too far or leave the type where contents are made.
TEST(Case, RefusesFillsThatCannotBe) {
  const auto fill = [](const std::string& text) { return refusal("fill: {uniform: [-1, 1]}", "fill: " + text); };
  const auto order = [](const std::string& text) { return refusal("fill: {indices: [rows]}", "fill: " + text); };
  const std::string x = "tasks/scale/task.yaml:", of = ": case paper/0: fill ";
  EXPECT_EQ(fill("{uniform: [1, -1]}"), x + "18" + of + "'uniform' of 'x': a = 1 is above b = -1; write the smaller one first");
  EXPECT_EQ(fill("{mantissa: [1, 24]}"), x + "18" + of + "'mantissa' of 'x': b is 24; write a whole number from 1 to 23");
  EXPECT_EQ(fill("{mantissa: [1, 2.5]}"), x + "18" + of + "'mantissa' of 'x': b is 2.5; write a whole number from 1 to 23");
  EXPECT_EQ(fill("{alternating: [1e39, -1e39]}"), "accepted");  // infinity and its opposite
  EXPECT_EQ(fill("{constant: -(10^400)}"), "accepted");
  EXPECT_THAT(fill("{ramp: [10^400, 0]}"), HasSubstr("a is inf; write a finite number"));
  EXPECT_THAT(fill("{constant: sqrt(0 - 1)}"), HasSubstr("nan; write a finite number"));
  EXPECT_THAT(fill("{spike: [0, 0, 1]}"), HasSubstr("b is 0; write a whole number from 1 to 2147483647"));
  EXPECT_THAT(fill("{upper_triangle: [-1, 0, 1]}"), HasSubstr("a is -1; write a whole number from 1"));
  EXPECT_THAT(fill("{padded_uniform: [1, 200, 5]}"), HasSubstr("the 128 elements are no whole rows of b = 200 slots; write a divisor"));
  EXPECT_THAT(fill("{padded_uniform: [1, 16, 129]}"), HasSubstr("c = 129 entries do not fit into 128 elements; write fewer"));
  EXPECT_THAT(order("{indices: [0]}"), HasSubstr("fill 'indices' of 'order': a is 0; write a whole number from 1"));
  EXPECT_THAT(order("{constant: 1e10}"), HasSubstr("elements from 10000000000 to 10000000000 do not fit i32; write smaller ones"));
  EXPECT_THAT(order("{ramp: [0, -1e9]}"), HasSubstr("elements from -7000000000 to 0 do not fit i32"));
  EXPECT_THAT(order("{integers: [-1, 2^31]}"), HasSubstr("b is 2147483648; write a whole number from -2147483648 to 2147483647"));
  EXPECT_THAT(order("{offsets_dense_row: [5, 7]}"), HasSubstr("row b = 7 is not one of the 7 rows, which count from 0"));
  EXPECT_THAT(order("{offsets_even: [-1]}"), HasSubstr("a is -1; write a whole number from 0"));
  EXPECT_EQ(order("{offsets_dense_row: [5, 1]}"), "accepted");
}

TEST(Candidate, IdFollowsItsContents) {
  Candidate one;
  one.main_source = "a.cu";
  one.sources["a.cu"] = "text";
  Candidate other = one;
  EXPECT_EQ(one.id().size(), 16u);
  other.origin = "somebody else";
  EXPECT_EQ(one.id(), other.id());
  other.flags.push_back("-O2");
  EXPECT_NE(one.id(), other.id());
  Candidate moved = one;
  moved.flags.clear();
  moved.libraries.push_back("-O2");
  EXPECT_NE(moved.id(), other.id());
}

TEST(Candidate, ComesFromAFile) {
  const TemporaryDirectory folder;
  write_file_atomically(folder.path() / "mine.cu", "text");
  const Candidate candidate = candidate_from_file(folder.path() / "mine.cu", "file:mine.cu");
  EXPECT_EQ(candidate.main_source, "mine.cu");
  EXPECT_EQ(candidate.sources.at("mine.cu"), "text");
  EXPECT_THROW(candidate_from_file(folder.path() / "absent.cu", "file:absent.cu"), InputError);
}

}  // namespace
}  // namespace mskb
