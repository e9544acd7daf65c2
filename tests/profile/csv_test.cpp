#include "profile/csv.hpp"

#include <gmock/gmock.h>

#include "base/errors.hpp"

namespace mskb {
namespace {

using ::testing::ElementsAre;

TEST(Csv, KeepsCommasQuotesAndLineEndsInsideQuotes) {
  EXPECT_THAT(parse_csv("\"f<int, float>(T1 *, int)\",\"9,504\"\n\"a \"\"b\"\"\",\"two\nlines\"\n"),
              ElementsAre(ElementsAre("f<int, float>(T1 *, int)", "9,504"), ElementsAre("a \"b\"", "two\nlines")));
}

TEST(Csv, ReadsEmptyFieldsBothLineEndsAndALastLineWithoutOne) {
  EXPECT_THAT(parse_csv("a,,\"\"\r\n\r\nb,c,d"), ElementsAre(ElementsAre("a", "", ""), ElementsAre("b", "c", "d")));
}

TEST(Csv, RefusesAQuoteThatIsNotClosed) { EXPECT_THROW(parse_csv("a,\"b"), InputError); }

}  // namespace
}  // namespace mskb
