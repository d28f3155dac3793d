// Tables as people and spreadsheets write them.

#include "accuracy/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using ::testing::HasSubstr;

Csv Parse(std::string_view text) {
  absl::StatusOr<Csv> csv = Csv::Parse("t.csv", text);
  EXPECT_TRUE(csv.ok()) << Message(csv.status());
  return *std::move(csv);
}

std::string ErrorOf(std::string_view text) { return Message(Csv::Parse("t.csv", text).status()); }

TEST(Csv, QuotedCellsHoldCommasQuotesAndLines) {
  const Csv csv = Parse("a,b\n\"x, \"\"y\"\"\",\"1\n2\"\n3,4\n");
  ASSERT_EQ(csv.rows(), 2u);
  EXPECT_EQ(csv.Cell(0, "a"), "x, \"y\"");
  EXPECT_EQ(csv.Cell(0, "b"), "1\n2");
  EXPECT_EQ(csv.Cell(1, "a"), "3");
  EXPECT_EQ(csv.line(1), 4);
}

TEST(Csv, ByteOrderMarkCarriageReturnsSpacesAndBlankLinesAreNoContent) {
  const Csv csv = Parse(
      "\xEF\xBB\xBF"
      "a , b\r\n\r\n 1 ,2\r\n\n");
  ASSERT_EQ(csv.rows(), 1u);
  EXPECT_TRUE(csv.Has("b"));
  EXPECT_EQ(csv.Cell(0, "a"), "1");
}

TEST(Csv, AColumnThatIsNotThereIsEmpty) { EXPECT_EQ(Parse("a\n1\n").Cell(0, "b"), ""); }

TEST(Csv, BrokenTablesAreNamedWithTheirLine) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("expected a header"));
  EXPECT_THAT(ErrorOf("a,b\n1,2\n3\n"), HasSubstr("line 3: found 1 cells, expected 2"));
  EXPECT_THAT(ErrorOf("a,b\n1,\"2\n"), HasSubstr("quote that never closes"));
  EXPECT_THAT(ErrorOf("a,b,a\n"), HasSubstr("'a' twice"));
  EXPECT_THAT(ErrorOf(std::string(1000, ',')), HasSubstr("columns"));
}

TEST(Csv, NumbersAreWholeCells) {
  const Csv csv = Parse("a,b,c\n12,1.5e3,7x\n-1,nan,2.5\n");
  EXPECT_EQ(csv.Integer(0, "a", 1).value(), 12);
  EXPECT_EQ(csv.Number(0, "b").value(), 1500);
  EXPECT_THAT(Message(csv.Number(0, "c").status()), HasSubstr("line 2: column 'c': found '7x'"));
  EXPECT_FALSE(csv.Integer(1, "a", 1).ok());
  EXPECT_FALSE(csv.Number(1, "b").ok());
  EXPECT_FALSE(csv.Integer(1, "c", 1).ok());
}

}  // namespace
}  // namespace tilewise
