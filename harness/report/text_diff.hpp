#pragma once
#include <string>
#include <string_view>

namespace mskb {

// The lines in which two texts differ, with three lines around them, each line behind ' ', '-' or '+', hunks behind "@@ -first +first @@".
// Empty when they are equal. Texts that differ in more lines than a comparison affords are shown as replaced.
std::string text_diff(std::string_view before, std::string_view after);

}  // namespace mskb
