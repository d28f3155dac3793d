// The text report: what it says first, where the caret points, what is left
// out, and that colours and width are as asked.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/renderers.h"
#include "report/text.h"
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

// A third of published peaks lie below 0.9 of the simulated one, a third above
// 1.1 of it.
Report SampleWithPeak(double gib) {
  Report report = SampleReport();
  report.memory_range = ErrorRange{.low = 0.8, .high = 1.3, .lower_third = 0.9, .upper_third = 1.1};
  report.program->memory.peak = {static_cast<int64_t>(gib * (1 << 30))};
  return report;
}

TEST(RenderText, SaysThatAVerdictIsTooCloseToTellNearTheLimit) {
  const RenderOptions options = {.width = 400};
  EXPECT_THAT(RenderText(SampleWithPeak(7.2), options), HasSubstr("per core (fits)"));
  EXPECT_THAT(RenderText(SampleWithPeak(7.5), options), HasSubstr("per core (too close to tell)"));
  EXPECT_THAT(RenderText(SampleWithPeak(8.5), options), HasSubstr("Whether it fits is too close"));
  EXPECT_THAT(RenderText(SampleWithPeak(9), options), HasSubstr("per core (does not fit)"));
}

TEST(RenderText, TheReasonThatNoModelWasReadStandsAlone) {
  Report report = SampleReport();
  report.command = "lint";
  const auto note = [](const char* rule, const char* message) {
    Diagnostic made;
    made.rule = rule;
    made.severity = Severity::kWarning;
    made.location.file = "a.py";
    made.message = message;
    return made;
  };
  report.notes = {note("RD002", "the size of a weight is not known")};
  EXPECT_THAT(RenderText(report, {.width = 400}), HasSubstr("the size of a weight"));
  report.notes.push_back(note("RD005", "no model was read: nothing in it trains"));
  const std::string text = RenderText(report, {.width = 400});
  EXPECT_THAT(text, HasSubstr("nothing in it trains"));
  EXPECT_THAT(text, Not(HasSubstr("the size of a weight")));
  EXPECT_THAT(text, HasSubstr("and 1 more (--verbose)"));
  EXPECT_THAT(RenderText(report, {.width = 400, .verbose = true}),
              HasSubstr("the size of a weight"));
}

TEST(RenderText, WhatIsTooLittleIsNamedAfterTheTotals) {
  Report report = SampleReport();
  report.command = "lint";
  TooSmall small;
  small.finding.rule = "HL006";
  small.finding.name = "per-step-fetch";
  small.finding.location = {.file = "train.py", .line = 75};
  small.finding.cost.time_per_step = Seconds{150e-6};
  small.why = "under 0.5 % of the step";
  report.too_small = {small};
  Diagnostic note;
  note.rule = "RD006";
  note.location.file = "train.py";
  report.notes = {note};
  const std::string text = RenderText(report, {.width = 400});
  EXPECT_THAT(text, Not(HasSubstr("Not read or not resolved")));
  const std::string named =
      "\n  under 0.5 % of the step: HL006 per-step-fetch at line 75 (150 us a step)\n";
  EXPECT_THAT(text, HasSubstr(named));
  EXPECT_LT(text.find("Found 1 warning"), text.find("Also seen, and not worth a change here"));
}

TEST(RenderText, SaysHowSureAStepIsThatIsMadeToFit) {
  Report report = SampleWithPeak(8);
  const std::string fits = "Such a step fits with";
  EXPECT_THAT(RenderText(report, {.width = 400}), Not(HasSubstr(fits)));
  Memory& memory = report.program->memory;
  memory.least = {int64_t{7} << 30};
  memory.freed_early = {int64_t{2} << 30};
  const std::string text = RenderText(report, {.width = 400});
  EXPECT_THAT(text, HasSubstr("end early to make it fit: the step would need 9.00 GiB of HBM"));
  EXPECT_THAT(text, HasSubstr(fits));
  memory.without_rematerialization = {int64_t{9} << 30};
  EXPECT_THAT(RenderText(report, {.width = 400}), Not(HasSubstr("end early")));
  EXPECT_THAT(RenderText(report, {.width = 400}), HasSubstr(fits));
}

TEST(RenderText, TellsTheRangeOfPublishedPeaks) {
  EXPECT_THAT(RenderText(SampleWithPeak(5), {.width = 400}),
              HasSubstr("HBM peak 5.00 GiB (4.00 GiB to 6.50 GiB) of 8.00 GiB"));
}

TEST(RenderText, NamesTheBatchesThatMayRunOutOfMemory) {
  Report report = SampleWithPeak(2);
  report.tuning->curve[1].certainty = 0.8;
  report.tuning->curve[1].sure = false;
  EXPECT_THAT(RenderText(report, {.width = 400}), HasSubstr("best, fits with 80 % certainty"));
}

TEST(RenderText, NamesTheGambleBesideTheBest) {
  Report report = SampleWithPeak(2);
  Trial gamble = *report.tuning->best;
  gamble.global_batch *= 2;
  gamble.batch_per_core *= 2;
  gamble.examples_per_epoch = gamble.examples_per_epoch * 11 / 10;
  gamble.loop.examples_per_second *= 1.1;
  gamble.certainty = 0.7;
  gamble.sure = false;
  report.tuning->gamble = gamble;
  EXPECT_THAT(RenderText(report, {.width = 400}),
              HasSubstr("Batch 16,384 (2,048 per core) would be 10 % faster, but fits with 70 % "
                        "certainty."));
}

TEST(RenderText, RecommendsWithBatchPerCoreAndGain) {
  EXPECT_THAT(RenderText(SampleReport(), {.width = 400}),
              HasSubstr("Train with batch 8,192 (1,024 per core) and "
                        "steps_per_execution=6: 2.0x the examples per second"));
}

TEST(RenderText, SaysThatFiguresAreEstimates) {
  EXPECT_THAT(RenderText(SampleReport(), {}), HasSubstr("docs/accuracy.md"));
}

TEST(RenderText, PointsACaretAtTheColumn) {
  EXPECT_THAT(RenderText(SampleReport(), {}), HasSubstr("        2 |     ds.prefetch(1)\n"
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
              HasSubstr("\x1b[1;33mwarning\x1b[0m: IP002 prefetch-not-last: "));
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

TEST(RenderText, SaysOnceWhenThereIsNothingToSay) {
  Report report;
  report.command = "lint";
  report.workload = "a.py";
  const std::string text = RenderText(report, {});
  EXPECT_THAT(text, HasSubstr("Found no findings."));
  EXPECT_THAT(text, Not(HasSubstr("Findings")));
}

TEST(RenderText, PutsPlaceSeverityAndRuleBeforeTheMessage) {
  EXPECT_THAT(RenderText(SampleReport(), {}),
              HasSubstr("\ntrain.py:2:5: warning: IP002 prefetch-not-last: "
                        "prefetch stands before batch"));
}

TEST(RenderText, MarksTheBadDimOfAnOp) {
  EXPECT_THAT(RenderText(LintSample(), {.width = 200, .verbose = true}),
              HasSubstr("m.onnx: block/conv1: error: AL001 tile-pad-waste: dim "
                        "3 of 600 is padded to 640, expected no padding\n"
                        "          | conv1: f32[128,600] dot(x, w)\n"
                        "          |        ^^^\n"
                        "    cost: 3.00 MiB of HBM\n"
                        "    saves 2.00 ms per step (20 % of the device step) "
                        "and 1.00 MiB of HBM if applied\n"
                        "    fix (unsafe, changes numerics): widen it to "
                        "640\n"));
}

TEST(RenderText, LeavesOutACostThatIsTheSaving) {
  const std::string text = RenderText(LintSample(), {.width = 200, .verbose = true});
  EXPECT_THAT(text, Not(HasSubstr("cost: 12.0 ms")));
  EXPECT_THAT(text, HasSubstr("    saves 12.0 ms per step (30 % of the device "
                              "step) if applied\n"));
}

TEST(RenderText, EndsWithCountsAndWhatFixesReach) {
  const std::string text = RenderText(LintSample(), {.width = 400, .verbose = true});
  EXPECT_THAT(
      text, testing::EndsWith("Found 1 error, 1 warning, 1 info; 1 suppressed, 1 in the baseline, "
                              "2 fixed; 2 can be fixed by --fix.\n"
                              "With the one safe fix a step takes 8.00 ms instead of 10.0 ms "
                              "(1.25x faster), the MXU does useful work 25 % of the device time "
                              "instead of 20 %.\n"
                              "With all 2 fixes that help a step takes 5.00 ms instead of 10.0 ms "
                              "(2.00x faster), the MXU does useful work 40 % of the device time "
                              "instead of 20 %, the HBM peak is 3.00 MiB instead of 4.00 MiB.\n"
                              "(simulated; fixes that overlap are counted once)\n"));
}

TEST(RenderText, SaysWhatAveragesOfStepsAreOver) {
  Report report = LintSample();
  report.reachable->now.wall_step = {0.020};
  report.reachable->all.wall_step = {0.010};
  const std::string text = RenderText(report, {.width = 400, .verbose = true});
  EXPECT_THAT(text, HasSubstr("a step takes 10.0 ms on average instead of "
                              "20.0 ms (2.00x faster)"));
  EXPECT_THAT(text, HasSubstr("(simulated; averages are over all steps, "));
}

TEST(RenderText, ShowsProgramsFailuresAndStatistics) {
  const std::string text = RenderText(LintSample(), {.width = 200, .verbose = true});
  EXPECT_THAT(text, HasSubstr("\nPrograms: 3\n"));
  EXPECT_THAT(text, HasSubstr("8.00 ms, 1.25x faster"));
  EXPECT_THAT(text, HasSubstr("\nerror: broken.json: found the end"));
  EXPECT_THAT(text, HasSubstr("\nStatistics\n"));
  Report silent = LintSample();
  silent.statistics = false;
  EXPECT_THAT(RenderText(silent, {}), Not(HasSubstr("Statistics")));
  EXPECT_THAT(RenderText(LintSample(), {.width = 200, .verbose = true}), HasSubstr("  clean.py"));
}

TEST(Wrap, KeepsAWordThatIsLongerThanTheWidth) {
  EXPECT_EQ(Wrap("aa bbbbbbbbbb cc", 6, "", "  "), "aa\n  bbbbbbbbbb\n  cc\n");
}

TEST(DisplayWidth, CountsCharactersAndNotBytes) { EXPECT_EQ(DisplayWidth("\xC3\xA9"), 1u); }

}  // namespace
}  // namespace tilewise
