#include "cli/published_page.hpp"

#include <fmt/format.h>

#include <sstream>

#include "report/grid.hpp"

namespace mskb::cli {

namespace {

constexpr std::size_t columns = std::size(published_columns);

struct Count {
  std::size_t hits = 0, of = 0;

  void add(bool hit) {
    hits += hit ? 1 : 0;
    ++of;
  }
  std::string text() const { return fmt::format("{} of {}", hits, of); }
};

// Rows in which the published rule accepts the column's output, or refuses it where that is wrong.
Count wrong(const std::vector<PublishedRow>& rows, std::size_t column) {
  Count count;
  for (const PublishedRow& row : rows) {
    if (row.answers[column].applies) {
      count.add(row.answers[column].published != published_columns[column].honest);
    }
  }
  return count;
}

// Rows in which any honest output is refused, by precision or in both.
Count refuses_honest(const std::vector<PublishedRow>& rows, Precision precision) {
  Count count;
  for (const PublishedRow& row : rows) {
    if (row.problem.precision == precision) {
      bool refused = false;
      for (std::size_t i = 0; i < columns; ++i) {
        refused = refused || (published_columns[i].honest && row.answers[i].applies && !row.answers[i].published);
      }
      count.add(refused);
    }
  }
  return count;
}

// Of a single rule over a row: whether every output gets the right answer.
template <class Accepted>
bool all_right(const PublishedRow& row, const Accepted& accepted) {
  for (std::size_t i = 0; i < columns; ++i) {
    if (row.answers[i].applies && accepted(row.answers[i]) != published_columns[i].honest) {
      return false;
    }
  }
  return true;
}

std::string summary(const std::vector<PublishedRow>& rows) {
  Count right, ours;
  for (const PublishedRow& row : rows) {
    right.add(all_right(row, [](const PublishedAnswer& answer) { return answer.published; }));
    ours.add(all_right(row, [](const PublishedAnswer& answer) { return answer.ours; }));
  }
  const auto named = [&](wire::Damage damage) {
    std::size_t column = 0;
    while (published_columns[column].damage != damage) {
      ++column;
    }
    return wrong(rows, column).text();
  };
  using wire::Damage;
  return fmt::format(
      "The published rule accepts an output of zeros in {} problems, the mean of the right output everywhere in {}, zeros behind a right "
      "first element in {}, memory that was never written in {}, and the output of other inputs in {}. It refuses the exact result, "
      "rounded once to the output's type, in {}; and an honest result (exact, or FP32 sums in one of three orders) in {} FP32 and {} "
      "BF16 problems. It gives all of these outputs the right answer in {} problems; the acceptance of this repository does in {}. Each "
      "count is of the problems where the output can be told from the right one.",
      named(Damage::zeros), named(Damage::constant), named(Damage::first_only), named(Damage::unwritten), named(Damage::stale),
      named(Damage::none), refuses_honest(rows, Precision::fp32).text(), refuses_honest(rows, Precision::bf16).text(), right.text(), ours.text());
}

// Lines of at most 150 characters.
std::string wrapped(const std::string& text) {
  constexpr std::size_t width = 150;
  std::string lines, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + line;
}

std::string rule_text(const PaperRule& rule) {
  return fmt::format("{:g} {}{}", rule.bound, rule.kind == PaperRuleKind::relative ? "relative" : "absolute",
                     rule.share > 0 ? fmt::format(", {:g} % may fail", 100 * rule.share) : "");
}

std::string cell(const PublishedAnswer& answer, bool honest) {
  if (!answer.applies) {
    return "-";
  }
  return answer.published == honest ? (honest ? "accepts" : "refuses") : (honest ? "REFUSES" : "ACCEPTS");
}

// What our own acceptance gets wrong, by column.
std::string ours_text(const PublishedRow& row) {
  std::string text;
  for (std::size_t i = 0; i < columns; ++i) {
    const PublishedAnswer& answer = row.answers[i];
    if (answer.applies && answer.ours != published_columns[i].honest) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", answer.ours ? "accepts" : "refuses", published_columns[i].name);
    }
  }
  return text.empty() ? "right" : text;
}

std::string table(const std::vector<PublishedRow>& rows, Format format) {
  std::vector<Grid::Column> titles{{"problem"}, {"size"}, {"rule"}};
  for (const PublishedColumn& column : published_columns) {
    titles.push_back({column.name});
  }
  titles.push_back({"ours"});
  Grid grid(titles);
  for (const PublishedRow& row : rows) {
    std::vector<std::string> cells{row.problem.name(), row.size, rule_text(row.problem.task->paper_rule)};
    for (std::size_t i = 0; i < columns; ++i) {
      cells.push_back(cell(row.answers[i], published_columns[i].honest));
    }
    cells.push_back(ours_text(row));
    grid.row(std::move(cells));
  }
  return grid.render(format);
}

static_assert(affordable_terms == 1 << 26);  // as the page says
constexpr const char* explanation =
    R"(Outputs are made from the FP64 oracle and put in a candidate's place; the published rule compares them with the output of the original, run on
the CPU backend on the same inputs. The rule is taken at its word, `paper_accept` of each task: every element of every output is compared. Where
the published driver looks at one element only, or at buffers that nobody wrote, it is weaker still; the decisions in [tasks.md](tasks.md) say so.

| output | is |
|---|---|
| zeros | zero everywhere |
| mean | the mean of the right output everywhere |
| first | the first element is right, the others are zero |
| unwritten | what the memory held before: ordinary numbers with magnitudes from 0.5 to 4; integers below 1024 |
| stale | the right output of other inputs; accepted where it is with three pairs of inputs |
| exact | the oracle's value, rounded once to the output's type |
| ascending | FP32 sums, one term after the other |
| blocks | FP32 sums of 256 terms each, then their sum |
| lanes | 32 interleaved FP32 sums, then a tree |

Each problem stands at the largest published size whose oracle takes at most 2^26 terms for one look at all outputs, or else at the one that takes
fewest. The first five outputs are wrong, the last four are honest; an answer that is wrong is in capitals. `-`: the output is no other than the
right one there, the operation has no sums, or that order would add more than 65,536 terms one after the other. The last column is the acceptance of this
repository.
)";

}  // namespace

std::string published_page(const std::vector<PublishedRow>& rows, Format format) {
  if (format != Format::markdown) {
    return table(rows, format) + "\n" + wrapped(summary(rows)) + "\n";
  }
  return fmt::format(
      "# What the published checks accept\n\nPrinted by `build/bin/mskb check --published --format markdown`, which needs no GPU.\n\n{}\n\n{}\n{}",
      wrapped(summary(rows)), explanation, table(rows, format));
}

}  // namespace mskb::cli
