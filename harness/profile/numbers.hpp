#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace mskb {

// How a report writes its numbers: 9,504.5 or 9.504,5.
enum class DecimalMark { point, comma };

// Whether the cell can only be read with a comma for the decimal mark ("27,08", "1.234,5"), not as a point's thousands ("9,504").
bool needs_decimal_comma(std::string_view cell);

struct CellNumber {
  double value = 0;
  std::string unit;  // what stood behind the number in the cell; may be empty
};

// The number of a cell, without its thousands separators. Nothing for text, "n/a", "no data", nan and inf.
std::optional<CellNumber> cell_number(std::string_view cell, DecimalMark mark);

}  // namespace mskb
