// Markdown must not be broken by what stands in users' files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/renderers.h"
#include "tests/report/sample_report.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RenderMarkdown, ListsFindingsWithCostAndFix) {
  EXPECT_THAT(RenderMarkdown(SampleReport(), {}),
              HasSubstr("- **warning** train.py:2:5: prefetch stands before "
                        "batch, expected it last (IP002 prefetch-not-last)\n"
                        "  - cost: 12.0 ms per step (30 % of the device step)\n"
                        "  - fix (safe): move .prefetch() to the end\n"));
}

TEST(RenderMarkdown, EscapesMarkupInNames) {
  Report report = SampleReport();
  report.workload = "<img>_x_.py";
  report.findings[0].message = "layer `a`\nb";
  const std::string text = RenderMarkdown(report, {});
  EXPECT_THAT(text, HasSubstr("\\<img\\>\\_x\\_.py"));
  EXPECT_THAT(text, HasSubstr("layer \\`a\\`\\\\x0ab"));
  EXPECT_THAT(text, Not(HasSubstr("<img>")));
}

TEST(RenderMarkdown, SaysWhatFixesSaveAndReach) {
  const std::string text = RenderMarkdown(LintSample(), {});
  EXPECT_THAT(text, HasSubstr("  - op: conv1: f32\\[128,600\\] dot(x, w)\n"));
  EXPECT_THAT(text, HasSubstr("  - saves 2.00 ms per step (20 % of the device "
                              "step) and 1.00 MiB of HBM if applied\n"));
  EXPECT_THAT(text, HasSubstr("fix (unsafe, changes numerics): widen"));
  EXPECT_THAT(text, HasSubstr("## Not linted\n\n- broken.json"));
  EXPECT_THAT(text, HasSubstr("## Programs\n\n| program | findings |"));
  EXPECT_THAT(text, HasSubstr("## Statistics\n\n| rule |"));
  EXPECT_THAT(text, HasSubstr("With the one safe fix a step takes"));
}

}  // namespace
}  // namespace tilewise
