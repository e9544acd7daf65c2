#include <fmt/format.h>

#include <sstream>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "model/task_reader.hpp"

namespace mskb {

namespace {

// What a line's mark asks for; empty when it holds none.
std::string_view asked_for(std::string_view line) {
  constexpr std::string_view mark = "FILL: ";
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || (line[start] != '#' && !line.substr(start).starts_with("//"))) {
    return {};
  }
  const std::size_t text = line.find_first_not_of(" \t#/", start);
  return text != std::string_view::npos && line.substr(text).starts_with(mark) ? line.substr(text + mark.size()) : std::string_view{};
}

}  // namespace

void refuse_unfilled(const Task& task) {
  for (const char* name : {"task.yaml", "oracle.hpp", "reference.cu"}) {
    if (!std::filesystem::exists(task.directory / name)) {
      continue;
    }
    std::istringstream lines(read_file(task.directory / name));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (const std::string_view what = asked_for(line); !what.empty()) {
        throw InputError(fmt::format("{}:{}: to be filled in: {}; write it and delete the mark", task.file(name), number, what));
      }
    }
  }
}

}  // namespace mskb
