// One line per finding, for people and for editors.

#include <gtest/gtest.h>

#include "report/renderers.h"
#include "tests/report/sample_report.h"

namespace tilewise {
namespace {

TEST(RenderConcise, IsALinePerFindingAndASummary) {
  EXPECT_EQ(RenderConcise(LintSample(), {}),
            "m.onnx: block/conv1: error: AL001 tile-pad-waste: dim 3 of 600 is "
            "padded to 640, expected no padding (saves 2.00 ms, 20 %)\n"
            "train.py:2:5: warning: IP002 prefetch-not-last [*]: prefetch "
            "stands before batch, expected it last (saves 12.0 ms, 30 %)\n"
            "b.ipynb:cell 2:1:3: info: HL001 steps-per-execution-one [*]: one "
            "step per execution\n"
            "error: broken.json: found the end of the file, expected }\n"
            "Found 1 error, 1 warning, 1 info; 1 suppressed, 1 in the "
            "baseline, 2 fixed; 2 can be fixed by --fix.\n");
}

TEST(RenderConcise, SaysThatThereIsNothing) {
  EXPECT_EQ(RenderConcise({}, {}), "Found no findings.\n");
}

TEST(RenderConcise, KeepsControlCharactersOffTheTerminal) {
  Report report = LintSample();
  report.findings[0].message = "a\x1b[2J\nb";
  EXPECT_EQ(RenderConcise(report, {}).find('\x1b'), std::string::npos);
}

TEST(RenderGcc, LooksLikeACompilersMessages) {
  Report report = LintSample();
  report.findings[2].location = {.file = "a.py", .line = 3, .column = 4};
  EXPECT_EQ(RenderGcc(report, {}),
            "m.onnx: block/conv1: error: dim 3 of 600 is padded to 640, "
            "expected no padding [AL001 tile-pad-waste]\n"
            "train.py:2:5: warning: prefetch stands before batch, expected it "
            "last [IP002 prefetch-not-last]\n"
            "a.py:3:4: note: one step per execution [HL001 "
            "steps-per-execution-one]\n");
}

}  // namespace
}  // namespace tilewise
