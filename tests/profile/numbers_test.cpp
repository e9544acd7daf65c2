#include "profile/numbers.hpp"

#include <gtest/gtest.h>

namespace mskb {
namespace {

double value(std::string_view cell, DecimalMark mark = DecimalMark::point) {
  const auto number = cell_number(cell, mark);
  return number ? number->value : -1;
}

TEST(CellNumber, DropsThousandsSeparators) {
  EXPECT_EQ(value("9,504"), 9504);
  EXPECT_EQ(value("1,234,567.25"), 1234567.25);
  EXPECT_EQ(value("0"), 0);
  EXPECT_EQ(value("-0.5"), -0.5);
  EXPECT_EQ(value("3.2e+11"), 3.2e11);
}

TEST(CellNumber, ReadsTheDecimalComma) {
  EXPECT_EQ(value("27,08", DecimalMark::comma), 27.08);
  EXPECT_EQ(value("1.234.567,25", DecimalMark::comma), 1234567.25);
  EXPECT_EQ(value("9.504", DecimalMark::comma), 9504);
}

TEST(CellNumber, TellsWhichCellsNeedTheDecimalComma) {
  for (const char* cell : {"27,08", "0,123", "1.234,5", "12,3456", "45,7 %"}) {
    EXPECT_TRUE(needs_decimal_comma(cell)) << cell;
  }
  for (const char* cell : {"9,504", "27.08", "1,234,567", "5,575.61", "12", "", "n/a", "(24, 64, 1)"}) {
    EXPECT_FALSE(needs_decimal_comma(cell)) << cell;
  }
}

TEST(CellNumber, TakesTheUnitOfTheCell) {
  EXPECT_EQ(cell_number("1.29 Tbyte/s", DecimalMark::point)->unit, "Tbyte/s");
  EXPECT_EQ(cell_number("61.2%", DecimalMark::point)->unit, "%");
  EXPECT_EQ(cell_number("61.2", DecimalMark::point)->unit, "");
}

TEST(CellNumber, IsNothingForWhatIsNoNumber) {
  for (const char* cell : {"", "n/a", "N/A", "no data", "nan", "inf", "PolicySpread", "1,2,3", "12 34", "0x10", "--"}) {
    EXPECT_FALSE(cell_number(cell, DecimalMark::point)) << cell;
  }
}

}  // namespace
}  // namespace mskb
