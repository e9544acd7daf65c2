#include "report/page.hpp"

#include <fmt/format.h>

#include "page_assets.hpp"
#include "base/characters.hpp"
#include "report/escape.hpp"
#include "report/figures.hpp"
#include "report/page_parts.hpp"

namespace mskb {

namespace {

std::string shown(const std::string& text) { return escape_html(visible_text(text)); }

// Nothing is ever fetched: a browser that meets a reference to elsewhere refuses it.
constexpr const char* policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

PageJson curves(const ReportData& data) {
  PageJson list = PageJson::array();
  for (const Summary& summary : data.summaries) {
    PageJson speedups = PageJson::array();
    for (const ProblemScore& problem : data.problems) {
      if (author_of(problem.origin) == summary.origin && problem.set == summary.set && problem.is_success()) {
        speedups.push_back(rounded(problem.weighted_speedup));
      }
    }
    list.push_back({{"origin", visible_text(origin_text(summary.origin))},
                    {"set", summary.set},
                    {"problems", summary.problems},
                    {"speedups", std::move(speedups)}});
  }
  return list;
}

PageJson page_data(const ReportData& data) {
  const Run& run = data.stored.run;
  PageSources sources(data.stored);
  PageJson json;
  json["run"] = {{"id", run.id},
                 {"clock", data.scoring.clock},
                 {"time_clock", time_clock(data.stored.evaluations, data.scoring)},
                 {"protocol", data.scoring.protocol},
                 {"cpu", data.scoring.cpu},
                 {"device", visible_text(run.environment.device)},
                 {"bandwidth", data.scoring.memory_bandwidth},
                 {"flops", data.scoring.fp32_flops},
                 {"several_sets", data.several_sets}};
  json["curves"] = curves(data);
  json["problems"] = page_problems(data, sources);
  json["sources"] = sources.take();
  return json;
}

std::string filters() {
  return "<form id=\"filters\" class=\"filters\" aria-label=\"Filters of the table\">"
         "<label>Search <input type=\"search\" id=\"search\" autocomplete=\"off\"></label>"
         "<label>Precision <select id=\"precision\"><option value=\"\">all</option></select></label>"
         "<label>Candidate <select id=\"origin\"><option value=\"\">all but originals</option><option value=\"*\">all</option></select></label>"
         "<label>Verdict <select id=\"verdict\"><option value=\"\">all</option></select></label>"
         "<button type=\"reset\">Reset</button><output id=\"shown\" aria-live=\"polite\"></output></form>\n";
}

}  // namespace

std::string page_json(const PageJson& json) {
  const std::string text = json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
  std::string safe;
  for (const char c : text) {
    c == '<' ? static_cast<void>(safe += "\\u003c") : safe.push_back(c);
  }
  return safe;
}

std::string render_page(const ReportData& data) {
  const Run& run = data.stored.run;
  const std::string clock = time_clock(data.stored.evaluations, data.scoring);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>Run {} on {}</title>\n<style>\n{}</style>\n</head>\n",
      policy, shown(run.id), shown(run.environment.device), page_style);
  html += fmt::format(
      "<body>\n<a class=\"skip\" href=\"#main\">Skip to content</a>\n<header><div class=\"bar\"><p class=\"brand\">MSKernelBench</p>"
      "<nav aria-label=\"Sections\"><a href=\"#overview\">Overview</a><a href=\"#table\">Problems</a><a href=\"#environment\">Environment</a></nav>"
      "<button type=\"button\" id=\"theme\" aria-pressed=\"false\">Dark</button></div>\n"
      "<h1>Run {}</h1>\n<p class=\"about\">{} · protocol <b>{}</b>{} · {}</p></header>\n",
      shown(run.id), shown(run.environment.device), shown(run.protocol),
      data.scoring.cpu ? std::string() : fmt::format(" · speedups on the clock <b>{}</b>", shown(data.scoring.clock)), shown(run.started));
  html += "<main id=\"main\" tabindex=\"-1\">\n<noscript><p class=\"notice part\">The tables below are complete without scripts; charts and the pages of "
          "single problems need them.</p></noscript>\n<div id=\"all\">\n<section id=\"overview\" aria-labelledby=\"h-overview\"><h2 id=\"h-overview\">"
          "Overview</h2>\n" +
          page_overview(data) + "</section>\n";
  html += "<section id=\"table\" aria-labelledby=\"h-table\"><h2 id=\"h-table\">Problems</h2>\n" + filters() +
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of problems\">" + page_problem_table(data) + "</div>\n" +
          (data.scoring.cpu ? "" : fmt::format("<p class=\"fine\">P: mean speedup over the original, weighted by size; times at the largest case, {0}: {1}. "
                                               "The picture shows P and its interval from 1/8 to 128, the line stands at 1.</p>\n",
                                               clock, shown(clock_meaning(clock)))) +
          "</section>\n<section id=\"environment\" aria-labelledby=\"h-environment\"><h2 id=\"h-environment\">Environment</h2>\n" +
          page_environment(data) + "</section>\n</div>\n<article id=\"one\" hidden aria-labelledby=\"h-one\"></article>\n</main>\n";
  html += fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
                      page_json(page_data(data)), page_script);
  return html;
}

}  // namespace mskb
