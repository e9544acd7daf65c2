#include "model/task.hpp"

#include "model/task_reader.hpp"

namespace mskb {

int Task::argument_index(std::string_view argument) const {
  for (std::size_t i = 0; i < signature.size(); ++i) {
    if (signature[i].name == argument) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::string Task::file(std::string_view file_name) const {
  return (directory.parent_path().filename() / directory.filename() / file_name).string();
}

std::vector<std::string> dim_names(const Task& task) {
  std::vector<std::string> names;
  for (const Dimension& dim : task.dims) {
    names.push_back(dim.name);
  }
  for (const DerivedDimension& dim : task.derived) {
    names.push_back(dim.name);
  }
  return names;
}

}  // namespace mskb
