// The sentences that a report begins with.

#include "report/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/sample_report.h"

namespace tilewise {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(VerdictSentences, SayHowLongARunOfCountedStepsTakes) {
  Report report = SampleReport();
  EXPECT_THAT(VerdictSentences(report), Not(Contains(HasSubstr("of the run"))));
  report.run_steps = 1'000;
  EXPECT_THAT(VerdictSentences(report), Contains("All 1,000 steps of the run take 40.0 s."));
  report.run_steps = 900'000;
  EXPECT_THAT(VerdictSentences(report), Contains("All 900,000 steps of the run take 10.0 h."));
}

}  // namespace
}  // namespace tilewise
