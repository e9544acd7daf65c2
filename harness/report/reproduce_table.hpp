#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mskb {

// What is measured for a row of a published table.
enum class Measure {
  success,      // percent of the problems that are correct and have P > tau, for several tau
  speedup,      // P of one candidate on one problem
  transitions,  // number of problems whose bottleneck class is, or changes, as published
};

// One row of a published table and how to measure it.
struct ReproduceRow {
  std::string name;
  std::string run;                           // directory below the folder of reproductions; rows may share one
  std::map<std::string, std::string> where;  // its rows in the published file
  std::string column;                        // of the figure there
  std::vector<std::string> command;          // words behind `mskb`, without --out and --resume; empty: published only, nothing to run
  std::string needs;                         // environment variable with a key, or empty
  std::string problem, origin;               // speedup: "task/precision" and the candidate's origin without a number
  std::string before, after;                 // transitions: classes; empty: any
  std::map<std::string, std::string> cost;   // rows of the file of costs; empty: not published
  std::string note;
};

// configs/paper/<name>.yaml (docs/reproduce.md).
struct ReproduceTable {
  std::string name, title, published;  // published: file in baselines/paper
  Measure measure = Measure::success;
  std::string device, protocol;        // as published
  int problems = 0;                    // the published denominator; 0: none
  std::string costs;                   // file in baselines/paper with usd_per_problem and tokens_per_problem, or empty
  std::vector<std::string> command;    // words that every command of the table ends in
  std::vector<ReproduceRow> rows;
};

// Throws InputError "<name>.yaml:<line>: what; how to mend"; for an unknown name with the names that there are.
ReproduceTable load_reproduce_table(const std::filesystem::path& home, const std::string& name);
std::vector<std::string> reproduce_table_names(const std::filesystem::path& home);

}  // namespace mskb
