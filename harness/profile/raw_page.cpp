#include "profile/raw_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/errors.hpp"
#include "profile/csv.hpp"
#include "profile/numbers.hpp"

namespace mskb {

namespace {

using Row = std::vector<std::string>;

// Columns that say which launch it is.
constexpr std::string_view identity[] = {"ID",     "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context",
                                         "Stream", "Block Size", "Grid Size",    "Device",    "CC"};

bool is_metric(std::string_view column) {
  return !column.empty() && column.find(' ') == std::string_view::npos &&
         std::find(std::begin(identity), std::end(identity), column) == std::end(identity);
}

// The CSV begins at the line whose first field is ID; before it, and rarely behind it, stand lines "==PROF== ...".
std::string without_remarks(std::string_view text) {
  std::string kept;
  bool begun = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
    const std::string_view line = text.substr(at, end - at + 1);
    begun = begun || line.starts_with("\"ID\",") || line.starts_with("ID,");
    if (begun && !line.starts_with("==")) {
      kept += line;
    }
    at = end + 1;
  }
  return kept;
}

bool is_launch(const Row& row) {
  return !row.empty() && !row[0].empty() && std::all_of(row[0].begin(), row[0].end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<double> LaunchProfile::duration_us() const {
  const auto found = metrics.find("gpu__time_duration.sum");
  if (found == metrics.end() || !found->second.value) {
    return std::nullopt;
  }
  static const std::map<std::string, double> in_us{{"ns", 1e-3}, {"nsecond", 1e-3}, {"us", 1},  {"usecond", 1},
                                                   {"ms", 1e3},  {"msecond", 1e3},  {"s", 1e6}, {"second", 1e6}};
  const auto factor = in_us.find(found->second.unit);
  return factor == in_us.end() ? std::nullopt : std::optional(*found->second.value * factor->second);
}

std::vector<LaunchProfile> parse_raw_page(std::string_view text) {
  const std::vector<Row> rows = parse_csv(without_remarks(text));
  if (rows.empty()) {
    return {};
  }
  const Row& header = rows[0];
  Row units(header.size());
  std::vector<const Row*> launches;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() != header.size()) {
      throw InputError(fmt::format("profiler's report, row {}: {} fields under a header of {}; it was cut off, import it again", i,
                                   rows[i].size(), header.size()));
    }
    if (is_launch(rows[i])) {
      launches.push_back(&rows[i]);
    } else if (i == 1) {
      units = rows[i];
    }
  }
  DecimalMark mark = DecimalMark::point;
  for (const Row* row : launches) {
    for (std::size_t i = 0; i < row->size(); ++i) {
      if (is_metric(header[i]) && needs_decimal_comma((*row)[i])) {
        mark = DecimalMark::comma;
      }
    }
  }
  std::vector<LaunchProfile> all;
  for (const Row* row : launches) {
    LaunchProfile launch;
    for (std::size_t i = 0; i < row->size(); ++i) {
      const std::string& cell = (*row)[i];
      if (header[i] == "Kernel Name") {
        launch.kernel = cell;
      } else if (header[i] == "Grid Size") {
        launch.grid = cell;
      } else if (header[i] == "Block Size") {
        launch.block = cell;
      } else if (header[i] == "CC") {
        launch.compute_capability = cell;
      } else if (is_metric(header[i])) {
        const auto number = cell_number(cell, mark);
        Metric& metric = launch.metrics[header[i]];
        metric.unit = number && !number->unit.empty() ? number->unit : units[i];
        number ? void(metric.value = number->value) : void(metric.text = cell);
      }
    }
    all.push_back(std::move(launch));
  }
  return all;
}

}  // namespace mskb
