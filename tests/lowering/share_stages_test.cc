// Pipeline parallelism: what one core has of the layers.

#include "sim/lowering/partition/share_stages.h"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>

#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

// Layers with a residual between two other matmuls.
std::string Layers(int count) {
  std::string text =
      "tokens = f32[2,16] parameter()\n"
      "in = f32[16,8] variable()\n"
      "x0 = f32[2,8] dot(tokens, in), lhs_contract={1}, rhs_contract={0}\n";
  for (int i = 1; i <= count; ++i) {
    const std::string n = std::to_string(i), x = "x" + std::to_string(i - 1);
    text += "layer" + n + "/w = f32[8,8] variable()\n";
    text += "layer" + n + "/y = f32[2,8] dot(" + x + ", layer" + n +
            "/w), lhs_contract={1}, rhs_contract={0}\n";
    text += "x" + n + " = f32[2,8] add(" + x + ", layer" + n + "/y)\n";
  }
  return text + "out = f32[8,4] variable()\nlogits = f32[2,4] dot(x" + std::to_string(count) +
         ", out), lhs_contract={1}, rhs_contract={0}\noutput result logits\n";
}

StagedGraph Staged(int64_t stages, int64_t microbatches, int64_t repeats = 1) {
  auto staged = ShareStages(ParsedGraph(Layers(8)), {stages, microbatches, repeats});
  EXPECT_TRUE(staged.ok()) << staged.status();
  return staged.ok() ? *std::move(staged) : StagedGraph();
}

TEST(ShareStages, ACoreRunsItsLayersInEveryRound) {
  const StagedGraph staged = Staged(4, 4);
  // Seven rounds of two layers, and what stands before and after them.
  EXPECT_EQ(CountKind(staged.graph, OpKind::kDot), 7 * 2 + 2);
  EXPECT_EQ(CountKind(staged.graph, OpKind::kCollectivePermute), 6);
  EXPECT_EQ(CountKind(staged.graph, OpKind::kVariable), 2 + 2);
  EXPECT_EQ(staged.graph.outputs().size(), 1);
}

TEST(ShareStages, MoreMicrobatchesTakeMoreRounds) {
  const StagedGraph staged = Staged(4, 8);
  EXPECT_EQ(CountKind(staged.graph, OpKind::kDot), 11 * 2 + 2 * 2);
  EXPECT_EQ(CountKind(staged.graph, OpKind::kParameter), 2);
  EXPECT_EQ(staged.graph.outputs().size(), 2);
}

// Each of two stages has four of eight layers in two groups; four parts pass them twice.
TEST(ShareStages, GroupsOfLayersAreTripsThroughAllStages) {
  const StagedGraph staged = Staged(2, 4, 2);
  EXPECT_EQ(CountKind(staged.graph, OpKind::kDot), (2 * 4 + 1) * 2 + 2 * 2);
  EXPECT_EQ(CountKind(staged.graph, OpKind::kVariable), 4 + 2);
  EXPECT_EQ(staged.graph.outputs().size(), 2);
  // Two parts are taken in and four wait for their second trip: selects between two values.
  EXPECT_EQ(CountKind(staged.graph, OpKind::kAdd), (2 * 4 + 1) * 2 + 1 + 4);
}

TEST(ShareStages, OnlyWeightsOfLayersBelongToAStage) {
  const StagedGraph staged = Staged(2, 2);
  for (const Op& op : staged.graph.ops()) {
    if (op.kind != OpKind::kVariable) continue;
    EXPECT_EQ(op.as<VariableAttrs>().of_stage, op.name.starts_with("layer")) << op.name;
  }
}

TEST(ShareStages, OriginsAreOpsOfTheWholeGraph) {
  const Graph whole = ParsedGraph(Layers(8));
  const StagedGraph staged = Staged(4, 8);
  ASSERT_EQ(staged.origins.size(), size_t(staged.graph.size()));
  for (const Op& op : staged.graph.ops()) {
    if (op.kind != OpKind::kDot) continue;
    const Op& origin = whole.op(staged.origins[op.id]);
    EXPECT_EQ(origin.kind, OpKind::kDot) << op.name;
    EXPECT_EQ(op.name.substr(0, origin.name.size()), origin.name);
  }
}

TEST(ShareStages, WhatCannotBeSharedIsNamed) {
  const auto error = [](const std::string& text, int64_t stages, int64_t microbatches) {
    const auto staged = ShareStages(ParsedGraph(text), {stages, microbatches});
    return std::string(staged.status().message());
  };
  EXPECT_THAT(error(Layers(8), 3, 3), HasSubstr("found 8 layers that are alike, expected a mult"));
  EXPECT_THAT(error("x = f32[2,8] parameter()\noutput result x", 2, 2),
              HasSubstr("found no layers"));
  EXPECT_THAT(error(Layers(8), 4, 6), HasSubstr("found 6 microbatches, expected a multiple of"));
}

}  // namespace
}  // namespace tilewise
