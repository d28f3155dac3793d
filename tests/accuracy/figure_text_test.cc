// Metrics and units against the step that they are made of.

#include "accuracy/figure_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using ::testing::HasSubstr;

FigureWords Words(const std::string& metric, const std::string& unit,
                  const std::string& details = "") {
  return {.metric = TextMatch(metric),
          .unit = unit,
          .details = TextMatch(details),
          .global_batch = 100,
          .devices = 8,
          .chips = 4};
}

Figure Read(const FigureWords& words) {
  const absl::StatusOr<Figure> figure = ReadFigure(words);
  EXPECT_TRUE(figure.ok()) << Message(figure.status());
  return figure.ok() ? *figure : Figure{};
}

TEST(Figure, StepTimesInTheirUnit) {
  EXPECT_EQ(Read(Words("step time", "ms")).scale, 1e3);
  EXPECT_EQ(Read(Words("time", "us")).scale, 1e6);
  EXPECT_EQ(Read(Words("time for 1000 steps", "s")).steps, 1000);
}

TEST(Figure, RatesPerMachineChipAndDevice) {
  const Figure all = Read(Words("images/s", "img/s"));
  EXPECT_EQ(all.quantity, Quantity::kRate);
  EXPECT_EQ(all.scale, 100);
  EXPECT_EQ(Read(Words("images/s per device", "img/s")).scale, 12.5);
  EXPECT_EQ(Read(Words("samples/s/chip", "samples/s")).scale, 25);
}

TEST(Figure, TokensNeedTheirNumber) {
  FigureWords words = Words("tokens/s", "tok/s");
  EXPECT_THAT(Message(ReadFigure(words).status()), HasSubstr("tokens"));
  words.seq = 2048;
  EXPECT_EQ(Read(words).scale, 204800);
}

TEST(Figure, EpochsAndTotalsAreManySteps) {
  EXPECT_EQ(Read(Words("epoch time", "s", "5000 images")).steps, 50);
  EXPECT_EQ(Read(Words("total time", "h", "125100 steps (100 epochs)")).steps, 125100);
  EXPECT_EQ(Read(Words("total time", "min", "28.15k steps")).steps, 28150);
  EXPECT_NEAR(Read(Words("total time", "h", "ImageNet, 90 epochs")).steps, 90 * 12811.67, 0.01);
}

TEST(Figure, TotalsContainTheEvaluationsThatTheyName) {
  const char* each = "ImageNet, 125100 steps (100 epochs), eval every epoch";
  EXPECT_EQ(Read(Words("total time", "h", each)).evaluations, 100 * 500);
  EXPECT_EQ(Read(Words("total time", "h", "ImageNet, 90 epochs")).evaluations, 0);
  EXPECT_EQ(Read(Words("epoch time", "s", each)).evaluations, 0);
}

TEST(Figure, RatesOfAWholeRunHaveItsSteps) {
  FigureWords words = Words("images/s", "img/s");
  words.steps = 20;
  EXPECT_EQ(Read(words).scale, 2000);
}

TEST(Figure, BlocksEndWithAnEvaluation) {
  const Figure block = Read(Words("block time", "s",
                                  "block = 12 training steps (1200 sequences) plus forward-only "
                                  "eval of 250 sequences"));
  EXPECT_EQ(block.steps, 12);
  EXPECT_EQ(block.evaluations, 2.5);
  const Figure images =
      Read(Words("images/s (4-epoch block)", "img/s", "1000 images; 4 epochs + one 5k-image eval"));
  EXPECT_EQ(images.steps, 40);
  EXPECT_EQ(images.evaluations, 50);
  EXPECT_EQ(images.scale, 4000);
}

TEST(Figure, StepsOfAColumnNeedNoSentence) {
  FigureWords words = Words("block time", "s", "no steps here");
  words.steps = 12;
  EXPECT_EQ(Read(words).steps, 12);
}

TEST(Figure, SharesOfPeakAndFlopRates) {
  EXPECT_EQ(Read(Words("MFU", "%")).quantity, Quantity::kModelUse);
  EXPECT_EQ(Read(Words("percent of peak FLOPS (profiler)", "%")).quantity, Quantity::kDeviceUse);
  EXPECT_EQ(Read(Words("TFLOP/s/chip", "TFLOP/s")).scale, 2e-12);
  EXPECT_EQ(Read(Words("TFLOP/s per device", "TFLOP/s")).scale, 1e-12);
}

TEST(Figure, BandwidthNeedsBytes) {
  FigureWords words = Words("bandwidth per core", "GB/s");
  EXPECT_FALSE(ReadFigure(words).ok());
  words.moved_bytes = 3e9;
  EXPECT_EQ(Read(words).scale, 3);
}

TEST(Figure, WhatIsNoStepIsRefused) {
  EXPECT_FALSE(ReadFigure(Words("XLA compile time", "s")).ok());
  EXPECT_FALSE(ReadFigure(Words("init time", "s")).ok());
  EXPECT_THAT(Message(ReadFigure(Words("elegance", "points")).status()),
              HasSubstr("found metric 'elegance' in 'points'"));
}

}  // namespace
}  // namespace tilewise
