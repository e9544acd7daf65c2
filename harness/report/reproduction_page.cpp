#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/counted.hpp"
#include "report/document.hpp"
#include "report/figures.hpp"
#include "report/reproduction.hpp"

namespace mskb {

namespace {

// A figure as the paper prints its like.
std::string figure_text(const std::optional<double>& value, const ReproducedFigure& figure) {
  if (!value) {
    return "missing";
  }
  if (figure.unit == "%") {
    return fmt::format("{:.0f}%", *value);
  }
  return figure.unit == "x" ? ratio_text(*value) : fmt::format("{:.6g}", *value);
}

// Points for percentages, a ratio for all others.
std::string drift_text(const ReproducedFigure& figure) {
  if (!figure.expected || !figure.measured) {
    return "-";
  }
  if (figure.unit == "%") {
    return fmt::format("{:+.0f} points", *figure.measured - *figure.expected);
  }
  return *figure.expected == 0 ? "-" : fmt::format("x{}", ratio_text(*figure.measured / *figure.expected));
}

std::string expected_text(const ReproducedFigure& figure) { return figure.expected ? figure_text(figure.expected, figure) : "none known"; }

std::string quoted(const std::vector<std::string>& words) {
  std::vector<std::string> shown{"mskb"};
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" '\"$`\\*?;&|<>()") == std::string::npos;
    shown.push_back(plain ? word : "'" + word + "'");
  }
  return fmt::format("{}", fmt::join(shown, " "));
}

std::optional<double> option_value(const std::vector<std::string>& command, const std::string& name) {
  for (std::size_t i = 0; i + 1 < command.size(); ++i) {
    if (command[i] == name) {
      return std::strtod(command[i + 1].c_str(), nullptr);
    }
  }
  return std::nullopt;
}

// What a row costs, each figure with where it comes from.
std::string cost_text(const Reproduction& reproduction, const ReproduceRow& row) {
  const bool sessions = row.command.front() == "optimize";
  std::vector<std::string> parts;
  const double problems = reproduction.table.problems;
  if (!row.needs.empty()) {
    const auto rows = reproduction.costs && !row.cost.empty() ? reproduction.costs->where(row.cost) : std::vector<std::map<std::string, std::string>>{};
    if (rows.empty()) {
      parts.push_back("the model's price is not published for this row");
    } else {
      const auto figure = [&](const char* column) {
        const auto found = rows.front().find(column);
        return found == rows.front().end() ? 0 : std::strtod(found->second.c_str(), nullptr);
      };
      std::string which;
      for (const auto& [column, value] : row.cost) {
        which += fmt::format("{}{} {}", which.empty() ? "" : ", ", column, value);
      }
      parts.push_back(fmt::format("as published for {}: {:.2f} US dollars and {:.0f} thousand tokens for {} ({})", which,
                                  problems * figure("usd_per_problem"), problems * figure("tokens_per_problem") / 1e3,
                                  counted(static_cast<long>(problems), "problem"), reproduction.table.costs));
    }
  }
  if (const auto evaluations = option_value(row.command, "--evaluations"); sessions && evaluations) {
    parts.push_back(fmt::format("at most {:.0f} evaluations on the device", problems * *evaluations));
    if (reproduction.seconds_per_problem) {
      const double minutes = problems * *evaluations * *reproduction.seconds_per_problem / 60;
      parts.push_back(fmt::format("about {:.0f} minutes of it for so many, at the {:.1f} s a problem of run {}", minutes,
                                  *reproduction.seconds_per_problem, reproduction.seconds_from));
    }
  } else if (!sessions && reproduction.seconds_per_problem) {
    parts.push_back(fmt::format("about {:.0f} s of the device, as a problem took in run {}", *reproduction.seconds_per_problem, reproduction.seconds_from));
  }
  return parts.empty() ? "cost unknown" : fmt::format("{}", fmt::join(parts, "; "));
}

// Rows whose run is missing or unfinished, each run once.
std::vector<const ReproducedRow*> open_rows(const Reproduction& reproduction) {
  std::vector<const ReproducedRow*> open;
  std::set<std::string> runs;
  for (const ReproducedRow& each : reproduction.rows) {
    if (reproduction.is_open(*each.row) && runs.insert(each.row->run).second) {
      open.push_back(&each);
    }
  }
  return open;
}

void add_open(Document& page, const Reproduction& reproduction, const ReproduceOptions& options) {
  const auto open = open_rows(reproduction);
  page.title("To run");
  if (open.empty()) {
    page.line("nothing: every row is on record");
  }
  for (const ReproducedRow* each : open) {
    const ReproduceRow& row = *each->row;
    const std::string key = row.needs.empty() ? "" : fmt::format(", needs {} ({})", row.needs, key_is_set(row) ? "set" : "not set");
    page.line(fmt::format("{}: {}{}", row.name, each->run.empty() ? "missing" : each->skipped ? "all skipped in " + each->run_id : "unfinished in " + each->run_id, key));
    page.line("  " + quoted(row_command(row, options)));
    page.line("  " + cost_text(reproduction, row));
  }
}

std::string reproduction_json(const Reproduction& reproduction, const ReproduceOptions& options) {
  using Json = nlohmann::ordered_json;
  const auto figure = [](const std::optional<double>& value) { return value ? Json(rounded(*value)) : Json(nullptr); };
  Json json{{"table", reproduction.table.name}, {"title", reproduction.table.title}, {"source", reproduction.published.source},
            {"device", reproduction.table.device}, {"protocol", reproduction.table.protocol}, {"notes", reproduction.notes}};
  json["rows"] = Json::array();
  for (const ReproducedRow& each : reproduction.rows) {
    Json row{{"name", each.row->name}, {"run", each.run_id}, {"device", each.device}, {"protocol", each.protocol},
             {"eligible", each.reasons.empty()}, {"reasons", each.reasons}, {"finished", each.finished}};
    row["command"] = each.row->command.empty() ? Json(nullptr) : Json(row_command(*each.row, options));
    row["figures"] = Json::array();
    for (const ReproducedFigure& one : each.figures) {
      row["figures"].push_back({{"what", one.what}, {"unit", one.unit}, {"expected", figure(one.expected)},
                                {"measured", figure(one.measured)}, {"remark", one.remark}});
    }
    json["rows"].push_back(std::move(row));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string render_reproduction(const Reproduction& reproduction, const ReproduceOptions& options, Format format) {
  if (format == Format::json) {
    return reproduction_json(reproduction, options);
  }
  Document page(format);
  page.title(reproduction.table.title);
  page.line("published: " + reproduction.published.source);
  page.line(fmt::format("published on {}, protocol {}", reproduction.table.device, reproduction.table.protocol));
  for (const std::string& note : reproduction.notes) {
    page.line("left out: " + note);
  }
  if (format != Format::csv) {
    add_open(page, reproduction, options);
    page.title("Expected against measured");
  }
  Grid grid({{"row"}, {"figure"}, {"expected", true}, {"measured", true}, {"drift", true}, {"of"}, {"run"}, {"protocol"}, {"eligible"}});
  for (const ReproducedRow& each : reproduction.rows) {
    for (const ReproducedFigure& figure : each.figures) {
      grid.row({each.row->name, figure.what, expected_text(figure), figure_text(figure.measured, figure), drift_text(figure),
                figure.remark.empty() ? "-" : figure.remark, each.run_id.empty() ? "-" : each.run_id, each.protocol.empty() ? "-" : each.protocol,
                each.reasons.empty() ? "yes" : "no"});
    }
  }
  page.grid(grid);
  if (format == Format::csv) {
    return page.take();
  }
  page.title("Why a row is not eligible");
  for (const ReproducedRow& each : reproduction.rows) {
    if (!each.reasons.empty()) {
      page.line(fmt::format("{}{}: {}", each.row->name, each.run_id.empty() ? "" : " in " + each.run_id, fmt::join(each.reasons, "; ")));
    }
  }
  return page.take();
}

}  // namespace mskb
