#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "model/nearest.hpp"
#include "model/task_file.hpp"

namespace mskb {
namespace {

using testing::ElementsAre;

std::vector<Task> some_tasks() {
  std::vector<Task> tasks(3);
  tasks[0].name = "FFT";
  tasks[1].name = "matrix_mul";
  tasks[2].name = "matrix_power";
  tasks[0].scenario = "scientific";
  tasks[1].scenario = tasks[2].scenario = "algebra";
  tasks[0].family = "transform";
  tasks[1].family = tasks[2].family = "dense";
  return tasks;
}

std::vector<std::string> selected(const std::vector<std::string>& patterns) {
  const std::vector<Task> tasks = some_tasks();
  std::vector<std::string> names;
  for (const Task* task : select_tasks(tasks, patterns)) names.push_back(task->name);
  return names;
}

std::string refusal(const std::string& pattern) {
  try {
    selected({pattern});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Selection, TakesNamesGlobsScenariosAndFamilies) {
  EXPECT_THAT(selected({}), ElementsAre("FFT", "matrix_mul", "matrix_power"));
  EXPECT_THAT(selected({"matrix_mul"}), ElementsAre("matrix_mul"));
  EXPECT_THAT(selected({"matrix_*"}), ElementsAre("matrix_mul", "matrix_power"));
  EXPECT_THAT(selected({"scientific"}), ElementsAre("FFT"));
  EXPECT_THAT(selected({"dense", "FFT"}), ElementsAre("FFT", "matrix_mul", "matrix_power"));
  EXPECT_THAT(selected({"matrix_mul", "matrix_m?l"}), ElementsAre("matrix_mul"));
}

TEST(Selection, RefusesAnUnknownTask) {
  EXPECT_EQ(refusal("matrix_mull"),
            "--task matrix_mull: no task has that name, glob, scenario or family; did you mean 'matrix_mul'?");
  EXPECT_EQ(refusal("fft"), "--task fft: no task has that name, glob, scenario or family; did you mean 'FFT'?");
}

TEST(Selection, RefusesAGlobThatMatchesNothing) {
  EXPECT_EQ(refusal("matrix_mal*"),
            "--task matrix_mal*: no task has that name, glob, scenario or family; did you mean 'matrix_mul'?");
  EXPECT_EQ(refusal("zzzzzzzzzzzz*"),
            "--task zzzzzzzzzzzz*: no task has that name, glob, scenario or family; known: FFT, scientific, transform, matrix_mul, "
            "algebra, dense, matrix_power");
}

TEST(Nearest, PrefersTheSmallestDistance) {
  EXPECT_EQ(nearest_name("softmx", {"sorting", "softmax", "topk"}), "softmax");
  EXPECT_EQ(nearest_name("q", {"sorting", "softmax"}), "");
}

}  // namespace
}  // namespace mskb
