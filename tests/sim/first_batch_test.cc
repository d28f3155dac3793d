// The wait for the first batch.

#include "sim/first_batch.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

Stage Made(StageKind kind, int64_t amount = 0, double seconds_per_example = 0) {
  Stage stage;
  stage.kind = kind;
  if (amount > 0) stage.amount = {Count::Kind::kValue, amount};
  stage.function.resolved = true;
  if (seconds_per_example > 0) stage.measured.per_example = Seconds{seconds_per_example};
  return stage;
}

Pipeline Of(int64_t buffer, int64_t items) {
  Pipeline pipeline;
  pipeline.stages = {Made(StageKind::kRecordFiles), Made(StageKind::kMap, 0, 1e-3)};
  if (buffer > 0) pipeline.stages.push_back(Made(StageKind::kShuffle, buffer));
  pipeline.stages.push_back(Made(StageKind::kBatch, 100));
  pipeline.source_items = items;
  return pipeline;
}

FirstBatch Time(const Pipeline& pipeline) {
  return TimeToFirstBatch(pipeline, Framework::kKeras, 100, Bytes{100}, *MakeTarget("v3", 8, ""));
}

TEST(FirstBatchTime, IsThatOfOneBatchWithoutABuffer) {
  const FirstBatch first = Time(Of(0, 100'000));
  EXPECT_NEAR(first.time.value, 0.1, 0.02);
  EXPECT_EQ(first.shuffles, Seconds{});
}

TEST(FirstBatchTime, WaitsUntilTheShuffleBufferIsFull) {
  const FirstBatch first = Time(Of(5'000, 100'000));
  EXPECT_NEAR(first.time.value, 5.1, 0.5);
  EXPECT_GT(first.shuffles.value, 4.9);
}

TEST(FirstBatchTime, ABufferHoldsNoMoreThanThereIs) {
  EXPECT_NEAR(Time(Of(50'000, 1'000)).time.value, 1.1, 0.2);
}

TEST(FirstBatchTime, AHostFillsItsBufferWithThePartThatItReads) {
  const auto time = [](HostShare share) {
    Pipeline pipeline = Of(50'000, 4'000);
    pipeline.host_share = share;
    return TimeToFirstBatch(pipeline, Framework::kKeras, 400, Bytes{100},
                            *MakeTarget("v3", 32, "tpu-vm"));
  };
  EXPECT_NEAR(time(HostShare::kPart).time.value, 1.1, 0.2);
  EXPECT_NEAR(time(HostShare::kAll).time.value, 4.1, 0.5);
}

}  // namespace
}  // namespace tilewise
