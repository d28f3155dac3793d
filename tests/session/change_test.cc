// Joining changes, and the edits of pipelines that they are made of.

#include "session/change.h"

#include <array>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advice/pipeline_change.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

OpId Same(GraphBuilder& /*builder*/, const Op& /*op*/, std::span<const OpId> operands) {
  return operands[0];
}

absl::StatusOr<Change> Combine(const Change& a, const Change& b) {
  const std::array<const Change*, 2> both = {&a, &b};
  return CombineChanges(both);
}

Change Batch(int64_t batch) {
  Change change;
  change.batch_per_core = batch;
  return change;
}

Change Width(int64_t size) {
  Change change;
  change.widths.push_back({3, 1, size});
  return change;
}

TEST(CombineChanges, KeepsWhatEachWants) {
  Change one = Batch(512);
  one.replace[4] = Same;
  Change other = Width(128);
  other.steps_per_execution = 50;
  const auto sum = Combine(one, other);
  ASSERT_TRUE(sum.ok()) << sum.status();
  EXPECT_EQ(sum->batch_per_core, 512);
  EXPECT_EQ(sum->steps_per_execution, 50);
  EXPECT_EQ(sum->replace.count(4), 1u);
  EXPECT_EQ(sum->widths.size(), 1u);
}

TEST(CombineChanges, RefusesTwoBatches) {
  EXPECT_THAT(Message(Combine(Batch(512), Batch(1024)).status()), HasSubstr("another batch"));
  EXPECT_TRUE(Combine(Batch(512), Batch(512)).ok());
}

TEST(CombineChanges, RefusesTwoSizesOfOneDim) {
  EXPECT_THAT(Message(Combine(Width(128), Width(256)).status()), HasSubstr("sizes 128 and 256"));
  EXPECT_TRUE(Combine(Width(128), Width(128)).ok());
}

TEST(CombineChanges, RefusesTwoReplacementsOfOneOp) {
  Change change;
  change.replace[4] = Same;
  EXPECT_FALSE(Combine(change, change).ok());
}

TEST(Change, IsEmptyWithoutParts) {
  EXPECT_TRUE(Change{}.empty());
  EXPECT_FALSE(Batch(8).empty());
  EXPECT_FALSE(Width(8).empty());
  EXPECT_TRUE(Width(8).edits_graph());
  EXPECT_FALSE(Batch(8).edits_graph());
}

Pipeline Chain(const std::vector<StageKind>& kinds) {
  Pipeline pipeline;
  for (const StageKind kind : kinds) {
    Stage& stage = pipeline.stages.emplace_back();
    stage.kind = kind;
    stage.location.file = "train.py";
    stage.location.line = static_cast<int>(pipeline.stages.size());
  }
  return pipeline;
}

std::vector<StageKind> Kinds(const Pipeline& pipeline) {
  std::vector<StageKind> kinds;
  kinds.reserve(pipeline.stages.size());
  for (const Stage& stage : pipeline.stages) kinds.push_back(stage.kind);
  return kinds;
}

const std::vector<StageKind> kChain = {StageKind::kFromTensorSlices, StageKind::kPrefetch,
                                       StageKind::kMap, StageKind::kCache, StageKind::kBatch};

TEST(PipelineChange, FindsItsStageAfterAnotherChangeMovedIt) {
  const Pipeline pipeline = Chain(kChain);
  Change last;
  last.pipeline = MovingStage(pipeline, 1, 5);
  Change parallel;
  parallel.pipeline = EditingStage(
      pipeline, 2, [](Stage& map) { map.parallel_calls = {.kind = Count::Kind::kAutotune}; });
  const auto both = Combine(last, parallel);
  ASSERT_TRUE(both.ok());
  Pipeline edited = pipeline;
  both->pipeline(edited);
  EXPECT_THAT(Kinds(edited),
              ElementsAre(StageKind::kFromTensorSlices, StageKind::kMap, StageKind::kCache,
                          StageKind::kBatch, StageKind::kPrefetch));
  EXPECT_TRUE(edited.stages[1].parallel_calls.present());
}

TEST(PipelineChange, Inserts) {
  const Pipeline pipeline = Chain({StageKind::kMap, StageKind::kBatch});
  const Pipeline cached = With(pipeline, InsertingStage(pipeline, 1, StageKind::kCache));
  EXPECT_THAT(
      Kinds(With(cached, EndingInPrefetch(cached))),
      ElementsAre(StageKind::kMap, StageKind::kCache, StageKind::kBatch, StageKind::kPrefetch));
}

TEST(PipelineChange, LeavesAPipelineWithoutItsStageAlone) {
  const Pipeline pipeline = Chain(kChain);
  Pipeline edited = Chain({StageKind::kFromTensorSlices, StageKind::kBatch});
  MovingStage(pipeline, 3, 1)(edited);
  RunningInParallel(pipeline, 2)(edited);
  EXPECT_EQ(edited.stages.size(), 2u);
}

TEST(PipelineChange, TellsTwoStagesOfOnePlaceApart) {
  Pipeline pipeline = Chain({StageKind::kMap, StageKind::kMap});
  for (Stage& stage : pipeline.stages) stage.location.line = 7;
  Pipeline edited = pipeline;
  EditingStage(pipeline, 1, [](Stage& map) { map.text = "second"; })(edited);
  EXPECT_EQ(edited.stages[0].text, "");
  EXPECT_EQ(edited.stages[1].text, "second");
}

}  // namespace
}  // namespace tilewise
