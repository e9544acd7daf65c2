#pragma once
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "report/report_data.hpp"

// Parts of the page of a run. Every text of a candidate, a task or a model passes visible_text, and escape_html or page_json.
namespace mskb {

using PageJson = nlohmann::ordered_json;

// Sources and differences for the page, up to a limit of bytes together; what is over it is left out with a note.
class PageSources {
 public:
  explicit PageSources(const StoredRun& stored) : stored_(stored) {}

  // A candidate's files once, by its id; or a note that says why they cannot be shown.
  void add(const std::string& id);
  // How a candidate differs from another one, both of the run; null without both.
  PageJson difference(const std::string& before, const std::string& after);
  // The main file's text; empty where it cannot be read.
  std::string main_text(const std::string& id) const;
  // A text that counts towards the limit, or a note in its place.
  PageJson limited(const std::string& text);
  PageJson take() { return std::move(shelf_); }

 private:
  const StoredRun& stored_;
  PageJson shelf_ = PageJson::object();
  std::size_t bytes_ = 0;
};

// Problems with their candidates, cases and session.
PageJson page_problems(const ReportData& data, PageSources& sources);
PageJson page_session(const Session& session, const std::string& reference_text, PageSources& sources);

// Sections that stand in the file as HTML.
std::string page_overview(const ReportData& data);
std::string page_problem_table(const ReportData& data);
std::string page_environment(const ReportData& data);

// JSON for a <script> element: nothing in it can end the element.
std::string page_json(const PageJson& json);

}  // namespace mskb
