#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mskb {

// Figures as published, from a CSV file whose first line is a comment with the source and whose second line names the columns.
struct PublishedTable {
  std::string source;
  std::vector<std::map<std::string, std::string>> rows;  // by column

  // Rows whose columns have these values.
  std::vector<std::map<std::string, std::string>> where(const std::map<std::string, std::string>& values) const;
};

// Throws InputError "<file>:<line>: ..." for a row with too many or too few cells, or without a source.
PublishedTable read_published_table(const std::filesystem::path& file);

}  // namespace mskb
