// Counts and what fixes reach, in words.

#include "report/summary_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/sample_report.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Reachable Halved() {
  Reachable reachable;
  reachable.now = {.step = {0.010}, .peak = {1 << 20}, .mxu_use = 0.2};
  reachable.safe = reachable.now;
  reachable.all = {.step = {0.005}, .peak = {1 << 20}, .mxu_use = 0.2};
  reachable.all_fixes = {0, 2, 1};
  return reachable;
}

TEST(CountsInWords, NamesOnlyWhatThereIs) {
  Report report;
  EXPECT_EQ(CountsInWords(report), "no findings");
  report.counts.baselined = 1200;
  EXPECT_EQ(CountsInWords(report), "no findings; 1,200 in the baseline");
}

TEST(CountsInWords, CountsFixesThatAreEdits) {
  Report report;
  report.findings = {SampleFinding(), SampleFinding(), SampleFinding()};
  report.findings[0].fix.applicability = Applicability::kUnsafe;
  report.findings[1].fix.edits.clear();
  EXPECT_EQ(CountsInWords(report), "3 warnings; 1 can be fixed by --fix, 1 more by --unsafe-fixes");
  report.findings.pop_back();
  EXPECT_EQ(CountsInWords(report), "2 warnings; 1 can be fixed by --fix --unsafe-fixes");
}

TEST(ReachableSentences, LeaveOutWhatDoesNotChange) {
  EXPECT_THAT(ReachableSentences(Halved()),
              ElementsAre("With all 3 fixes that help a step takes 5.00 ms "
                          "instead of 10.0 ms (2.00x faster)."));
}

TEST(ReachableSentences, SaySafeFixesOnceWhenTheyAreAll) {
  Reachable reachable = Halved();
  reachable.safe = reachable.all;
  reachable.safe_fixes = reachable.all_fixes;
  EXPECT_THAT(ReachableSentences(reachable),
              ElementsAre(HasSubstr("With the 3 safe fixes a step")));
}

TEST(ReachableSentences, CompareWallStepsWhereThereAreSome) {
  Reachable reachable = Halved();
  reachable.now.wall_step = {0.040};
  reachable.all.wall_step = {0.030};
  EXPECT_THAT(ReachableSentences(reachable),
              ElementsAre(HasSubstr("30.0 ms on average instead of 40.0 ms "
                                    "(1.33x")));
}

// A loop that waits for its input all the time is as fast with any model.
TEST(ReachableSentences, CompareTheDeviceWhereTheLoopHidesIt) {
  Reachable reachable = Halved();
  reachable.now.wall_step = reachable.all.wall_step = {5.0};
  EXPECT_THAT(ReachableSentences(reachable),
              ElementsAre(HasSubstr("a step takes 5.00 ms of device time "
                                    "instead of 10.0 ms (2.00x faster)")));
  EXPECT_EQ(ReachedInWords(reachable.now, reachable.all, true),
            "5.00 ms of device time, 2.00x faster");
  reachable.all.step = reachable.now.step;
  EXPECT_THAT(ReachableSentences(reachable),
              ElementsAre(HasSubstr("5.00 s on average instead of 5.00 s (as "
                                    "fast)")));
}

TEST(ReachableSentences, CompareExamplesWhenTheBatchChanges) {
  Reachable reachable = Halved();
  reachable.now.per_example = {10e-6};
  reachable.all.step = {0.015};
  reachable.all.per_example = {7.5e-6};
  EXPECT_THAT(ReachableSentences(reachable),
              ElementsAre(HasSubstr("an example takes 7.50 us instead of 10.0 "
                                    "us (1.33x faster)")));
}

TEST(ReachableSentences, SayWhatWasNotSimulated) {
  Reachable reachable;
  EXPECT_THAT(ReachableSentences(reachable), IsEmpty());
  reachable.not_simulated = 7;
  EXPECT_THAT(ReachableSentences(reachable),
              ElementsAre(HasSubstr("7 more fixes were not simulated")));
}

TEST(CountByRule, SumsSavingsOfTheFixesThatHelpTogether) {
  Report report;
  report.findings.resize(4, SampleFinding());
  for (Diagnostic& finding : report.findings) {
    finding.saving = Saving{.time_per_step = {0.001}, .hbm = {1024}};
  }
  report.findings[3].rule = "AL001";
  report.findings[3].fix.edits.clear();
  const std::vector<RuleCount> all = CountByRule(report);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].rule, "IP002");
  EXPECT_EQ(all[0].findings, 3);
  EXPECT_EQ(all[0].safe, 3);
  EXPECT_DOUBLE_EQ(all[0].time_per_step.value, 0.003);
  EXPECT_EQ(all[1].safe, 0);
  report.reachable = Reachable{};
  report.reachable->all_fixes = {1, 3};
  EXPECT_DOUBLE_EQ(CountByRule(report)[0].time_per_step.value, 0.001);
  EXPECT_EQ(CountByRule(report)[1].hbm, Bytes{1024});
}

TEST(CountByRule, AddsNoLosses) {
  Report report;
  report.findings = {SampleFinding()};
  report.findings[0].saving = Saving{.time_per_step = {-1}, .hbm = {-1}};
  EXPECT_EQ(CountByRule(report)[0].time_per_step, Seconds{});
  EXPECT_EQ(CountByRule(report)[0].hbm, Bytes{});
}

}  // namespace
}  // namespace tilewise
