// Conditions on rows of tables.

#include "accuracy/row_condition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using ::testing::HasSubstr;

Csv Table() { return *Csv::Parse("t.csv", "m,op\n8,add\n1024,mul\n-,add\n"); }

bool Holds(const std::string& text, size_t row) {
  const auto condition = ParseRowCondition(text);
  EXPECT_TRUE(condition.ok()) << Message(condition.status());
  const auto holds = condition->Holds(Table(), row);
  EXPECT_TRUE(holds.ok()) << Message(holds.status());
  return holds.ok() && *holds;
}

TEST(RowCondition, ComparesNumbersAsNumbers) {
  EXPECT_TRUE(Holds("m<=8", 0));
  EXPECT_FALSE(Holds("m<8", 0));
  EXPECT_TRUE(Holds("m>9", 1));
  EXPECT_TRUE(Holds("m>=1024", 1));
  EXPECT_TRUE(Holds("m=8.0", 0));
}

TEST(RowCondition, ComparesOtherCellsAsText) {
  EXPECT_TRUE(Holds("op=add", 0));
  EXPECT_FALSE(Holds("op=add", 1));
  EXPECT_TRUE(Holds("op!=add", 1));
}

TEST(RowCondition, WhatCannotBeComparedIsNamed) {
  const auto number = ParseRowCondition("m<=9")->Holds(Table(), 2);
  EXPECT_THAT(Message(number.status()), HasSubstr("line 4: column 'm'"));
  const auto column = ParseRowCondition("x=1")->Holds(Table(), 0);
  EXPECT_THAT(Message(column.status()), HasSubstr("found columns m,op"));
  for (const char* wrong : {"", "m", "<=3", "m<=abc", "m~3"}) {
    EXPECT_FALSE(ParseRowCondition(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace tilewise
