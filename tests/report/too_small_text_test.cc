// What is too small to be a finding, in words.

#include "report/too_small_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using ::testing::ElementsAre;

TooSmall Seen(std::string rule, int32_t line, double time, std::string why) {
  TooSmall small;
  small.finding.rule = std::move(rule);
  small.finding.name = "name";
  small.finding.location = {.file = "train.py", .line = line};
  small.finding.cost.time_per_step = Seconds{time};
  small.why = std::move(why);
  return small;
}

TEST(TooSmallInWords, ARuleIsNamedOnceForEachReasonWithItsLinesAndItsSum) {
  const std::vector<TooSmall> all = {Seen("AL005", 9, 2e-6, "under 1 % of the step"),
                                     Seen("AL005", 3, 1e-6, "under 1 % of the step"),
                                     Seen("PR001", 5, 4e-6, "hidden behind the input")};
  EXPECT_THAT(TooSmallInWords(all, "train.py"),
              ElementsAre("hidden behind the input: PR001 name at line 5 (4.00 us a step)",
                          "under 1 % of the step: AL005 name at lines 3 and 9 (3.00 us a step)"));
}

TEST(TooSmallInWords, WhatCostsNothingIsFreeHere) {
  const std::vector<TooSmall> all = {Seen("IP003", 4, 0, "the input is 12x faster than the step")};
  EXPECT_THAT(
      TooSmallInWords(all, "train.py"),
      ElementsAre("the input is 12x faster than the step: IP003 name at line 4 (free here)"));
}

TEST(TooSmallInWords, BytesAndWhatIsPaidOnceStandWhereThereIsNoTime) {
  TooSmall bytes = Seen("ME002", 4, 0, "under 5 % of a core's HBM");
  bytes.finding.cost = {.bytes = Bytes{int64_t{3} << 20}};
  TooSmall once = Seen("DY002", 0, 0, "paid once");
  once.finding.location = {};
  once.finding.cost = {.once_per_run = Seconds{0.5}};
  EXPECT_THAT(TooSmallInWords(std::vector{bytes, once}, "train.py"),
              ElementsAre("under 5 % of a core's HBM: ME002 name at line 4 (3.00 MiB)",
                          "paid once: DY002 name (500 ms once)"));
}

TEST(TooSmallInWords, PlacesOfOtherFilesAreNamedAndManyAreCounted) {
  TooSmall other = Seen("AL001", 7, 1e-6, "why");
  other.finding.location.file = "model.py";
  std::vector<TooSmall> all = {other};
  EXPECT_THAT(TooSmallInWords(all, "train.py"),
              ElementsAre("why: AL001 name at line 7 of model.py (1.00 us a step)"));
  for (int32_t line = 1; line < 5; ++line) all.push_back(Seen("AL001", line, 1e-6, "why"));
  EXPECT_THAT(
      TooSmallInWords(all, "train.py"),
      ElementsAre("why: AL001 name at line 7 of model.py and 4 more places (5.00 us a step)"));
}

TEST(TooSmallInWords, TheDearestRulesAreNamedAndTheOthersCounted) {
  const std::vector<TooSmall> all = {Seen("AL001", 1, 1e-6, "one"), Seen("AL002", 2, 3e-6, "two"),
                                     Seen("AL003", 3, 2e-6, "one")};
  EXPECT_THAT(
      TooSmallInWords(all, "train.py", 2),
      ElementsAre("two: AL002 name at line 2 (3.00 us a step)",
                  "one: AL003 name at line 3 (2.00 us a step)", "1 more (--verbose names them)"));
}

}  // namespace
}  // namespace tilewise
