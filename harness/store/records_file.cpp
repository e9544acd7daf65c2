#include "store/records_file.hpp"

#include <map>
#include <optional>

#include "base/errors.hpp"
#include "model/run.hpp"
#include "store/record.hpp"
#include "store/record_json.hpp"

namespace mskb {

std::string records_header(const std::string& run) {
  Json header;
  header["schema"] = record_schema;
  header["run"] = run;
  return header.dump() + "\n";
}

namespace {

struct Line {
  Evaluation evaluation;
  std::size_t number;
  std::uint64_t end;  // byte after its newline
};

class Scan {
 public:
  Scan(const std::string& name, const std::string& run) : name_(name), run_(run) {}

  void line(std::string_view text, std::size_t number, std::uint64_t end) {
    const std::string where = name_ + ":" + std::to_string(number) + ": ";
    if (is_header(text, where, end)) {
      return;
    }
    try {
      Line read{parse_record(text), number, end};
      if (!header_) {
        throw InputError("comes before the header {\"schema\": ..., \"run\": ...}");
      }
      if (const std::string fault = record_fault(read.evaluation); !fault.empty()) {
        throw InputError("is refused: " + fault);
      }
      if (!ids_.insert(read.evaluation.id).second) {
        throw InputError("repeats record " + read.evaluation.id);
      }
      lines_.push_back(std::move(read));
    } catch (const InputError& error) {
      file_.damage.push_back(where + error.what());
    }
  }

  RecordsFile take() {
    if (!header_ && (!lines_.empty() || !file_.damage.empty())) {
      throw InputError(name_ + ":1: no header {\"schema\": " + std::to_string(record_schema) +
                       ", \"run\": ...}; is this an evaluations.jsonl?");
    }
    std::map<std::string, int> counts;
    for (const Line& read : lines_) {
      ++counts[read.evaluation.group];
    }
    for (const Line& read : lines_) {
      if (counts[read.evaluation.group] == read.evaluation.group_size) {
        file_.groups.insert(read.evaluation.group);
        file_.intact_bytes = read.end;
      }
    }
    std::set<std::string> told;
    for (Line& read : lines_) {
      const Evaluation& evaluation = read.evaluation;
      if (const std::string fault = verdict_fault(evaluation); !fault.empty()) {
        file_.damage.push_back(name_ + ":" + std::to_string(read.number) + ": " + evaluation.id + " " + evaluation.case_name + " " + evaluation.origin + ": " +
                               fault);
      }
      if (file_.groups.contains(evaluation.group)) {
        file_.evaluations.push_back(std::move(read.evaluation));
        continue;
      }
      file_.left_out.push_back(evaluation);
      if (told.insert(evaluation.group).second) {
        const std::string text = name_ + ":" + std::to_string(read.number) + ": group " + evaluation.group + " has " +
                                 std::to_string(counts[evaluation.group]) + " of " +
                                 std::to_string(evaluation.group_size) + " records; left out";
        (read.end > file_.intact_bytes ? file_.notes : file_.damage).push_back(text);
      }
    }
    return std::move(file_);
  }

  void note(std::string text) { file_.notes.push_back(std::move(text)); }

 private:
  bool is_header(std::string_view text, const std::string& where, std::uint64_t end) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("schema")) {
      return false;
    }
    if (json["schema"] != record_schema) {
      throw InputError(where + "schema " + json["schema"].dump() + ", and this program reads schema " +
                       std::to_string(record_schema) + "; use the version of the tool that wrote the run");
    }
    if (!json.contains("run") || json["run"] != run_) {
      throw InputError(where + "records of another run; run.yaml says " + run_ + "; keep one run in one directory");
    }
    if (header_) {
      file_.damage.push_back(where + "a second header");
    } else {
      file_.intact_bytes = end;
    }
    header_ = true;
    return true;
  }

  const std::string& name_;
  const std::string& run_;
  bool header_ = false;
  std::set<std::string> ids_;
  std::vector<Line> lines_;
  RecordsFile file_;
};

}  // namespace

RecordsFile scan_records(std::string_view text, const std::string& name, const std::string& run) {
  Scan scan(name, run);
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++number;
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) {
      scan.note(name + ":" + std::to_string(number) + ": the last line is cut after " +
                std::to_string(text.size() - begin) + " bytes; left out");
      break;
    }
    scan.line(text.substr(begin, end - begin), number, end + 1);
    begin = end + 1;
  }
  return scan.take();
}

}  // namespace mskb
