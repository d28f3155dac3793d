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
  EXPECT_THAT(text, HasSubstr("layer \\`a\\`?b"));
  EXPECT_THAT(text, Not(HasSubstr("<img>")));
}

}  // namespace
}  // namespace tilewise
