// What is right and too small to be a finding is handed on with the reason, so that a report can
// name it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advice/worth_saying.h"
#include "tests/program/analysed.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

std::vector<std::string> WhySmall(const Analysed& analysed, Finding finding) {
  std::vector<Finding> findings = {std::move(finding)};
  std::vector<std::string> reasons;
  const std::vector<TooSmall> small = LeaveOutSmall(
      analysed.facts(), [](const Finding&) { return false; }, findings);
  for (const TooSmall& each : small) reasons.push_back(each.why);
  return reasons;
}

Finding Costs(std::string rule, Seconds time) {
  Finding finding;
  finding.rule = std::move(rule);
  finding.severity = Severity::kWarning;
  finding.cost.time_per_step = time;
  return finding;
}

TEST(SmallFindings, AFetchOfAThousandthOfTheStepIsOne) {
  const auto analysed = Dense();
  const Seconds step = analysed->facts().StepTime();
  EXPECT_THAT(WhySmall(*analysed, Costs("HL006", step * 0.001)), ElementsAre("little of the step"));
  EXPECT_THAT(WhySmall(*analysed, Costs("HL006", step * 0.5)), IsEmpty());
}

TEST(SmallFindings, WhatAFixSavesTooLittleOfIsOne) {
  const auto analysed = Dense();
  Finding finding = Costs("PR001", analysed->facts().StepTime() * 0.1);
  finding.fix.changes_numerics = true;
  finding.saving = Saving{.share_of_step = 0.03};
  EXPECT_THAT(WhySmall(*analysed, finding), ElementsAre("a fix saves little"));
  finding.saving = Saving{};
  EXPECT_THAT(WhySmall(*analysed, finding), ElementsAre("hidden behind the input"));
}

TEST(SmallFindings, APartOfTheDevicesStepThatNobodyWouldLookForIsNone) {
  const auto analysed = Dense();
  EXPECT_THAT(WhySmall(*analysed, Costs("OP001", analysed->facts().StepTime() * 0.00001)),
              IsEmpty());
}

TEST(SmallFindings, AStageThatCostsNothingIsOne) {
  const auto analysed = Dense();
  Finding finding = Costs("IP003", {});
  finding.saving = Saving{};
  EXPECT_EQ(WhySmall(*analysed, finding).size(), 1U);
}

TEST(SmallFindings, WhatASummaryStandsForIsNamedOneByOne) {
  const auto analysed = Dense();
  const Finding one = Costs("HL006", analysed->facts().StepTime() * 0.001);
  Finding summary = one;
  summary.folded = {one, one, one};
  EXPECT_EQ(WhySmall(*analysed, summary).size(), 3U);
}

TEST(SmallFindings, WhatATestDoesIsNone) {
  const auto analysed = Dense();
  Finding finding = Costs("HL006", analysed->facts().StepTime() * 0.001);
  finding.location.file = "benchmark_layers.py";
  EXPECT_THAT(WhySmall(*analysed, finding), IsEmpty());
}

TEST(SmallFindings, WhatARuleItselfTakesForTooLittleIsNamedInItsPlaceAlone) {
  const auto analysed = Dense();
  Finding seen = Costs("ME002", {});
  seen.cost.bytes = Bytes{int64_t{1} << 20};
  seen.too_small = "little of the HBM";
  std::vector<Finding> findings;
  const auto never = [](const Finding&) { return false; };
  const std::vector<TooSmall> small = LeaveOutSmall(analysed->facts(), never, findings, {seen});
  ASSERT_EQ(small.size(), 1U);
  EXPECT_EQ(small[0].why, "little of the HBM");
  seen.location.file = "benchmark_layers.py";
  EXPECT_TRUE(LeaveOutSmall(analysed->facts(), never, findings, {seen}).empty());
}

}  // namespace
}  // namespace tilewise
