#pragma once
#include <string>

#include "report/report_data.hpp"

namespace mskb {

// A run as one HTML file that needs no other file and no network: the same bytes on every machine. Tables stand in it as they are; the pages of
// single problems and the charts are drawn by its scripts from figures inside the file.
std::string render_page(const ReportData& data);

}  // namespace mskb
