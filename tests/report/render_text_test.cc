// The text report: what it says first, where the caret points, what is left
// out, and that colours and width are as asked.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/renderers.h"
#include "report/text_layout.h"
#include "tests/report/sample_report.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RenderText, StartsWithTheVerdict) {
  const std::string text = RenderText(SampleReport(), {.width = 400});
  const size_t verdict = text.find(
      "v2-8: a training step takes 40.0 ms at "
      "batch 4,096 (512 per core), 10.0 ms of it "
      "on the device");
  ASSERT_NE(verdict, std::string::npos) << text;
  EXPECT_LT(verdict, text.find("Findings"));
}

TEST(RenderText, RecommendsWithBatchPerCoreAndGain) {
  EXPECT_THAT(RenderText(SampleReport(), {.width = 400}),
              HasSubstr("Train with batch 8,192 (1,024 per core) and "
                        "steps_per_execution=6: 2x the examples per second"));
}

TEST(RenderText, SaysThatFiguresAreEstimates) {
  EXPECT_THAT(RenderText(SampleReport(), {}), HasSubstr("docs/accuracy.md"));
}

TEST(RenderText, PointsACaretAtTheColumn) {
  EXPECT_THAT(RenderText(SampleReport(), {}),
              HasSubstr("        2 |     ds.prefetch(1)\n"
                        "          |     ^\n"));
}

TEST(RenderText, LeavesTheExcerptOutWhenTheFileIsUnknown) {
  Report report = SampleReport();
  report.files.clear();
  EXPECT_THAT(RenderText(report, {}), Not(HasSubstr("ds.prefetch(1)")));
}

TEST(RenderText, ShowsTwelveOpsUnlessVerbose) {
  const Report report = SampleReport();
  const std::string brief = RenderText(report, {});
  EXPECT_THAT(brief, HasSubstr("layer11"));
  EXPECT_THAT(brief, Not(HasSubstr("layer12 ")));
  EXPECT_THAT(brief, HasSubstr("and 8 more rows, 4.00 ms together"));
  EXPECT_THAT(RenderText(report, {.verbose = true}), HasSubstr("layer19"));
}

TEST(RenderText, NamesTheCauseOfAnOutOfMemoryPoint) {
  EXPECT_THAT(RenderText(SampleReport(), {}),
              HasSubstr("out of memory, conv1/activation 4.00 MiB"));
}

TEST(RenderText, ColoursOnlyWhenAsked) {
  const Report report = SampleReport();
  EXPECT_THAT(RenderText(report, {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(RenderText(report, {.color = true}),
              HasSubstr("\x1b[1;33mwarning\x1b[0m: prefetch"));
}

TEST(RenderText, ControlCharactersOfFilesDoNotReachTheTerminal) {
  Report report = SampleReport();
  report.workload = "a\x1b[2Jb";
  report.findings[0].message = "layer \x1b]0;x\x07";
  report.ops[0].name = "\x1b[31mred";
  report.largest[0].name = "\rconv";
  report.files[0].text = "\n\x1b[2Jevil line\n";
  EXPECT_THAT(RenderText(report, {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(RenderText(report, {}), Not(HasSubstr("\r")));
}

TEST(RenderText, WrapsSentencesToTheWidth) {
  const std::string text = RenderText(SampleReport(), {.width = 60});
  const std::string verdict = text.substr(0, text.find("Findings"));
  size_t begin = 0;
  while (begin < verdict.size()) {
    const size_t end = verdict.find('\n', begin);
    EXPECT_LE(end - begin, 62u) << verdict.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(RenderText, SaysWhenThereIsNothingToSay) {
  Report report;
  report.command = "lint";
  report.workload = "a.py";
  EXPECT_THAT(RenderText(report, {}), HasSubstr("Findings: no findings"));
}

TEST(Wrap, KeepsAWordThatIsLongerThanTheWidth) {
  EXPECT_EQ(Wrap("aa bbbbbbbbbb cc", 6, "", "  "), "aa\n  bbbbbbbbbb\n  cc\n");
}

TEST(DisplayWidth, CountsCharactersAndNotBytes) {
  EXPECT_EQ(DisplayWidth("\xC3\xA9"), 1u);
}

}  // namespace
}  // namespace tilewise
