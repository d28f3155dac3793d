// What is simulated with changes made where the batch is in parts, written into
// the graph, or that of a compiled module.

#include <array>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advice/saving.h"
#include "rules/rule.h"
#include "tests/program/analysed.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Images of `n` examples; "N": the batch is free.
std::string Pooling(std::string_view n, bool with_max) {
  const std::string images = fmt::format("f32[{},32,32,128]", n);
  const std::string halves = fmt::format("f32[{},16,16,128]", n);
  const std::string pool = with_max ? fmt::format(
                                          "p = {} reduce-window(c1), reducer=max, "
                                          "window={{size=2x2 stride=2x2}}",
                                          halves)
                                    : fmt::format(
                                          "q = {0} reduce-window(c1), reducer=sum, "
                                          "window={{size=2x2 stride=2x2}}\n"
                                          "  quarter = f32[] constant(), value=0.25\n"
                                          "  all = {0} broadcast(quarter)\n"
                                          "  p = {0} multiply(q, all)",
                                          halves);
  return fmt::format(R"(graph "pooling" {{
  x = {1} parameter()
  k1 = f32[3,3,128,128] variable()
  c1 = {1} convolution(x, k1), window={{size=3x3 pad=1_1x1_1}}
  {3}
  k2 = f32[3,3,128,128] variable()
  c2 = {2} convolution(p, k2), window={{size=3x3 pad=1_1x1_1}}
  s = f32[{0},128] reduce(c2), dims={{1,2}}, reducer=sum
  output result s
}})",
                     n, images, halves, pool);
}

SessionOptions InParts(int64_t parts) {
  SessionOptions options;
  options.global_batch = 512;
  options.spec = TrainingSpec{};
  options.spec->accumulation_steps = parts;
  return options;
}

Change WithMean(const Graph& graph) {
  Change change;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kReduceWindow) continue;
    change.replace[op.id] = [](GraphBuilder& builder, const Op& pool,
                               std::span<const OpId> operands) {
      const OpId sum =
          builder.ReduceWindow(Reducer::kSum, operands[0], pool.as<PoolAttrs>().window, false);
      return builder.BinaryScalar(OpKind::kMultiply, sum, 0.25);
    };
  }
  return change;
}

Change BatchOf(int64_t batch_per_core) {
  Change change;
  change.batch_per_core = batch_per_core;
  return change;
}

TEST(Outcome, OfAccumulatedGradientsIsThatOfTheChangedParts) {
  const auto was = AnalyseGraph(Pooling("N", true), InParts(4));
  const auto then = AnalyseGraph(Pooling("N", false), InParts(4));
  const auto whole = AnalyseGraph(Pooling("N", false), InParts(1));
  ASSERT_TRUE(was->facts().model && then->facts().model);
  const Outcome outcome = was->With(WithMean(*was->facts().source));
  EXPECT_DOUBLE_EQ(outcome.step.value, then->facts().StepTime().value);
  EXPECT_NE(outcome.step, whole->facts().StepTime());
}

TEST(Outcome, OfAccumulatedGradientsAtAnotherBatchHasAsManyParts) {
  const auto was = AnalyseGraph(Pooling("N", true), InParts(4));
  SessionOptions twice = InParts(4);
  twice.global_batch *= 2;
  const auto then = AnalyseGraph(Pooling("N", true), twice);
  EXPECT_DOUBLE_EQ(was->With(BatchOf(128)).step.value, then->facts().StepTime().value);
}

TEST(Outcome, OfAnotherBatchThanTheWrittenOneIsThatOfAFreeGraph) {
  SessionOptions options;
  options.global_batch = 64 * 8;
  const auto written = AnalyseGraph(Pooling("64", true), options);
  const auto free = AnalyseGraph(Pooling("N", true), options);
  const Outcome outcome = written->With(BatchOf(128));
  EXPECT_EQ(outcome.global_batch, 128 * 8);
  EXPECT_DOUBLE_EQ(outcome.step.value, free->With(BatchOf(128)).step.value);
  EXPECT_GT(outcome.step, written->facts().StepTime());
}

TEST(Outcome, OfAnotherBatchAndGraphIsThatOfBoth) {
  SessionOptions options;
  options.global_batch = 64 * 8;
  const auto written = AnalyseGraph(Pooling("64", true), options);
  const auto free = AnalyseGraph(Pooling("N", false), options);
  Change both = WithMean(*written->facts().source);
  both.batch_per_core = 128;
  EXPECT_DOUBLE_EQ(written->With(both).step.value, free->With(BatchOf(128)).step.value);
}

TEST(Outcome, OfABatchThatCannotBeToldApartSaysWhyOnce) {
  SessionOptions options;
  options.global_batch = 16 * 8;
  options.training = false;
  const auto analysed = AnalyseGraph(R"(graph "fixed" {
  x = f32[16,128] parameter()
  w = f32[128,128] variable()
  y = f32[16,128] dot(x, w), lhs_contract={1}, rhs_contract={0}
  b = f32[16,128] variable()
  z = f32[16,128] add(y, b)
  output result z
})",
                                     options);
  std::array<Finding, 2> findings;
  for (Finding& finding : findings) {
    finding.fix.text = "use a batch of 32";
    finding.change = BatchOf(32);
  }
  AddSavings(analysed->facts(), findings, 1);
  EXPECT_FALSE(findings[0].saving || findings[1].saving);
  EXPECT_THAT(findings[0].fix.text,
              HasSubstr("no saving simulated: the batch is written into the graph"));
  EXPECT_THAT(findings[1].fix.text, Not(HasSubstr("no saving")));
}

constexpr int64_t kGiB = int64_t{1} << 30;

TEST(Outcome, OfAReportWithItsModelIsThatOfTheBatchThatFits) {
  SessionOptions options;
  options.global_batch = 512 * 8;
  const auto analysed = AnalyseGraph(Pooling("N", true), options);
  MemoryReport report;
  report.location.file = "train.log";
  report.used = {20 * kGiB};
  report.capacity = {14 * kGiB};
  report.exceeded = {6 * kGiB};
  report.temporaries = {16 * kGiB};
  analysed->workload.memory_reports.push_back(report);
  Sink sink(FindRule("ME008")->info, analysed->facts());
  FindRule("ME008")->check(analysed->facts(), sink);
  const std::deque<Finding> found = sink.Take();
  ASSERT_EQ(found.size(), 1u);
  // 4 GiB stay, so that 10 of 16 GiB are left.
  EXPECT_EQ(found[0].change.batch_per_core, 320);
  const Outcome now = analysed->With({});
  EXPECT_LT(analysed->With(found[0].change).peak, now.peak);
}

}  // namespace
}  // namespace tilewise
