#pragma once
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// What an optimizer in C++ is written with. It derives from mskb::Optimizer, and its program is one line more:
//
//   class Mine : public mskb::Optimizer {
//     mskb::optimizer::Submission optimize(const mskb::optimizer::Start& start, mskb::optimizer::Harness& harness) override {
//       mskb::optimizer::Proposal proposal;
//       proposal.sources["kernel.cu"] = rewrite(start.reference);
//       return harness.evaluate(proposal).submission();
//     }
//   };
//   MSKB_OPTIMIZER_MAIN(Mine)
//
// Link mskb_optimizer_sdk. The optimizer never measures itself: it asks the harness. Standard output belongs to the conversation; what is
// printed to standard error is kept as its log. docs/optimizer-protocol.md defines every field.
namespace mskb {

namespace optimizer {

struct Argument {
  std::string name;
  std::string role;                // in, out, inout, dim, scalar
  std::string type;                // f32, bf16, i32
  std::vector<std::string> shape;  // extents of a buffer, as expressions over the dims
  bool has_default = false;        // may be missing at the end of the parameter list
  std::string contents = {};       // what an integer input holds, in words; else empty
};

// A number that sizes are made of, or that follows from those; a case's size lists the former in this order.
struct Dimension {
  std::string name, meaning;
};

// What an output must satisfy against truth in FP64. elementwise: |got - want| <= rel |want| + mag (sum of |terms|); normwise: the
// error's L2 norm <= l2 times that of want, and every error <= peak times want's root mean square.
struct Acceptance {
  std::string output, kind;        // exact, order (sorted, and nothing lost), elementwise, normwise
  double rel = 0, mag = 0, l2 = 0, peak = 0;
};

struct Case {
  std::string name, size;
  std::map<std::string, double> dims;
  double weight = 0;               // its share of the score
};

struct Device {
  std::string backend;             // cuda or cpu; the CPU gives verdicts and no times
  std::string name, compute_capability, driver, toolkit, compiler;
  int multiprocessors = 0;
  double l2_bytes = 0, memory_bytes = 0;
  double memory_bandwidth = 0;     // peak, bytes per second; 0 unknown
};

// Absent: without limit.
struct Budget {
  std::optional<double> evaluations, tokens, money, device_s, wall_s;
};

// The problem, and how far one may go with it.
struct Start {
  std::string task, precision, summary;
  std::string entry, declaration;  // a candidate may also export the entry point with "_optimized" appended
  std::vector<Argument> signature;
  std::vector<Dimension> dims;
  std::vector<std::string> valid;  // conditions that all sizes meet
  std::string reset;               // what the caller guarantees on entry
  std::vector<Acceptance> accept;
  std::vector<std::string> decisions;
  std::string reference_file, reference;             // the original, as one file
  std::map<std::string, std::vector<Case>> cases;    // by size set
  Device device;
  std::string clock;               // the clock that scores; empty where nothing is timed
  Budget budget;
  std::map<std::string, std::string> options;
};

// What a session is going to be about, before it is led.
struct Check {
  std::string task, precision;
  std::map<std::string, std::string> options;
};

struct Proposal {
  std::map<std::string, std::string> sources;        // relative name -> text
  std::string main;                                  // the file that defines the entry point; may be empty when there is one file
  std::vector<std::string> flags;
  std::vector<std::string> cases{"smoke"};           // size sets; `check` always comes before them
  bool profile = false;
};

struct Submission {
  std::string id;                  // of an evaluated candidate; empty: no proposal
  std::string reason;
};

struct OutputError {
  std::string output;
  double checked = 0, refused = 0, unwritten = 0, not_finite = 0;
  double worst_ratio = 0;          // error over its bound; above 1 it is refused
};

// Ratio reference / candidate.
struct Speedup {
  double value = 1, low = 1, high = 1;
  std::string verdict;             // faster, slower, same, undecided
};

struct CaseReport {
  std::string name, set, size, verdict, detail;
  double weight = 0;
  std::vector<OutputError> errors;
  std::map<std::string, double> median_us, reference_median_us;  // by clock; empty where nothing was timed
  std::map<std::string, Speedup> speedup;                        // by clock
  double null_kernel_us = 0;       // span of a kernel that does nothing; 0 unknown
};

// What the compiler says of a kernel.
struct Kernel {
  std::string name;
  int registers = 0, static_shared = 0, stack = 0, spill_stores = 0, spill_loads = 0;
};

struct Report {
  std::string id;
  std::string verdict, detail;     // over all cases: the first failure's
  std::vector<CaseReport> cases;
  std::vector<Kernel> kernels;
  std::string build_log;
  std::string profile, profile_reason;  // JSON text, or why there is none
  Budget left;

  bool passed() const { return verdict == "passed"; }
  // Weighted mean speedup on a clock over the cases that have one; nothing when none has.
  std::optional<double> weighted_speedup(const std::string& clock) const;
  Submission submission() const { return {id, ""}; }
};

// What an agent did and what it cost. Unknown figures stay absent: unknown is not zero.
struct Note {
  std::string role, text, model;
  std::optional<double> input_tokens, output_tokens, cached_tokens;
  std::optional<double> cost;      // US dollars
  std::map<std::string, std::string> more;  // any other fields, as JSON by name
};

// The budget is spent. Where it leaves optimize(), the fastest candidate that passed so far is submitted.
struct Stopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The harness refused a message: what was wrong with it.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The optimizer cannot go on now, and will where it stands when the session is led again: thrown out of optimize().
struct Suspended : std::runtime_error {
  explicit Suspended(const std::string& reason, std::string awaited = "") : std::runtime_error(reason), awaits(std::move(awaited)) {}
  std::string awaits;              // the file that has to appear, where it is one
};

class Harness {
 public:
  virtual ~Harness() = default;
  virtual Report evaluate(const Proposal& proposal) = 0;  // throws Stopped, Refused
  virtual void note(const Note& note) = 0;
  // The best report that passed so far: by weighted speedup where there are times, else the first.
  virtual std::optional<Report> best() const = 0;
};

}  // namespace optimizer

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual optimizer::Submission optimize(const optimizer::Start& start, optimizer::Harness& harness) = 0;
  // Throws std::exception with one line where options, or the files that they name, are wrong: no session begins then. Asked of an optimizer whose
  // optimizer.yaml says `checks: true`; must change nothing.
  virtual void check(const optimizer::Check&) {}
};

// Holds the conversation on standard input and output; the program's exit code.
int run_optimizer(Optimizer& optimizer);

}  // namespace mskb

#define MSKB_OPTIMIZER_MAIN(type)         \
  int main() {                            \
    type optimizer_of_main;               \
    return mskb::run_optimizer(optimizer_of_main); \
  }
