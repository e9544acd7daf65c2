#pragma once
#include <string>
#include <vector>

#include "evaluate/published_check.hpp"
#include "report/format.hpp"

namespace mskb::cli {

// What the published rule accepts, as docs/published-checks.md or as text: a summary of the rows and the rows.
std::string published_page(const std::vector<PublishedRow>& rows, Format format);

}  // namespace mskb::cli
