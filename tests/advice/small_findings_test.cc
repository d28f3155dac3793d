// What is right and too small to be a finding is handed on, so that a report can name it.

#include <gtest/gtest.h>

#include "advice/worth_saying.h"
#include "tests/program/analysed.h"

namespace tilewise {
namespace {

constexpr std::string_view kDense = R"(graph "dense" {
  x = f32[N,512] parameter()
  w = f32[512,512] variable()
  y = f32[N,512] dot(x, w), lhs_contract={1}, rhs_contract={0}
  output result y
})";

std::unique_ptr<Analysed> Dense() {
  SessionOptions options;
  options.global_batch = 64;
  return AnalyseGraph(kDense, options);
}

std::vector<Finding> SmallOf(const Analysed& analysed, Finding finding) {
  std::vector<Finding> findings = {std::move(finding)};
  return LeaveOutSmall(
      analysed.facts(), [](const Finding&) { return false; }, findings);
}

TEST(SmallFindings, AFetchOfAThousandthOfTheStepIsOne) {
  const auto analysed = Dense();
  Finding finding;
  finding.rule = "HL006";
  finding.severity = Severity::kWarning;
  finding.cost.time_per_step = analysed->facts().StepTime() * 0.001;
  EXPECT_EQ(SmallOf(*analysed, finding).size(), 1U);
  finding.cost.time_per_step = analysed->facts().StepTime() * 0.5;
  EXPECT_TRUE(SmallOf(*analysed, finding).empty());
}

TEST(SmallFindings, WhatHasNoFigureIsNone) {
  const auto analysed = Dense();
  Finding finding;
  finding.rule = "PR001";
  finding.severity = Severity::kInfo;
  EXPECT_TRUE(SmallOf(*analysed, finding).empty());
}

TEST(SmallFindings, WhatATestDoesIsNone) {
  const auto analysed = Dense();
  Finding finding;
  finding.rule = "HL006";
  finding.location.file = "benchmark_layers.py";
  finding.cost.time_per_step = analysed->facts().StepTime() * 0.001;
  EXPECT_TRUE(SmallOf(*analysed, finding).empty());
}

}  // namespace
}  // namespace tilewise
