// Where the files of a pipeline are read from.

#include "sim/stage_cost.h"

#include <gtest/gtest.h>

#include "hardware/target.h"

namespace tilewise {
namespace {

Pipeline Records(const std::string& path) {
  Pipeline pipeline;
  Stage source;
  source.kind = StageKind::kRecordFiles;
  source.paths = {path};
  pipeline.stages = {source};
  pipeline.source_items = 1'000'000;
  pipeline.source_item_bytes = Bytes{10'000};
  return pipeline;
}

Host TpuVm() { return MakeTarget("v3", 8, "tpu-vm")->host; }

Seconds Waits(const Pipeline& pipeline, const Host& host, CacheState caches) {
  return CostStages(pipeline, 1000, Bytes{10'000}, host, caches).front().wait;
}

TEST(CostStages, ReadsTheHostsDiskInTheFirstEpochAndItsMemoryLater) {
  const Host host = TpuVm();
  const Pipeline local = Records("data/train.tfrecord");
  const double bytes = 1e7;
  EXPECT_NEAR(Waits(local, host, CacheState::kCold).value, bytes / host.disk.stream.value, 1e-6);
  EXPECT_LT(Waits(local, host, CacheState::kWarm), Waits(local, host, CacheState::kCold) / 10);
}

TEST(CostStages, ReadsTheDiskAgainWhereMemoryHasNoRoom) {
  Pipeline large = Records("data/train.tfrecord");
  large.source_items = 100'000'000;
  const Host host = TpuVm();
  EXPECT_EQ(Waits(large, host, CacheState::kWarm), Waits(large, host, CacheState::kCold));
}

TEST(CostStages, ReadsABucketInEachEpoch) {
  const Host host = TpuVm();
  for (const char* path : {"gs://bucket/train", "/gcs/bucket/train", "/tmp/data_dir/train", ""}) {
    const Pipeline remote = Records(path);
    EXPECT_FALSE(ReadsOwnDisk(remote, host)) << path;
    EXPECT_NEAR(Waits(remote, host, CacheState::kWarm).value, 1e7 / host.store.stream.value, 1e-6);
  }
}

// What is too large for it is taken to lie in a bucket whatever its folder is.
TEST(CostStages, ANamedDataSetLiesOnTheDiskOfTheHostWhereThatHasRoom) {
  const Host host = TpuVm();
  Pipeline named = Records("~/tensorflow_datasets");
  named.stages.front().kind = StageKind::kNamedDataset;
  named.source_items = 50'000;
  named.source_item_bytes = {3'000};
  EXPECT_TRUE(ReadsOwnDisk(named, host));
  named.source_items = 1'281'167;
  named.source_item_bytes = {110'000};
  EXPECT_FALSE(ReadsOwnDisk(named, host));
  named.stages.front().paths.clear();
  named.source_items = 50'000;
  EXPECT_FALSE(ReadsOwnDisk(named, host));
}

TEST(CostStages, TakesAStoreThatTheUserStatesWhereverTheFilesLie) {
  Host host = TpuVm();
  host.store.name = kStatedStore;
  host.store.stream = host.store.total = {50e6};
  const Pipeline local = Records("data/train.tfrecord");
  EXPECT_NEAR(Waits(local, host, CacheState::kWarm).value, 1e7 / 50e6, 1e-6);
}

TEST(CostStages, WorkersOfAllProcessesOfAHostShareTheBatch) {
  Pipeline loader = Records("data");
  loader.loader = "DataLoader";
  Stage map;
  map.kind = StageKind::kMap;
  map.parallel_calls = {Count::Kind::kValue, 4};
  loader.stages.push_back(map);
  const auto parallelism = [&] {
    return CostStages(loader, 256, Bytes{10'000}, TpuVm()).back().parallelism;
  };
  EXPECT_EQ(parallelism(), 4);
  loader.processes = 8;
  EXPECT_EQ(parallelism(), 32);
}

TEST(CostStages, EachProcessTakesTheBatchOfItsOwnWorkers) {
  Pipeline loader = Records("data");
  loader.loader = "DataLoader";
  Stage take;
  take.kind = StageKind::kMap;
  take.function.calls = {"tensorflow.ipc_receive"};
  loader.stages.push_back(take);
  const auto shared = [&] {
    return CostStages(loader, 256, Bytes{600'000}, TpuVm()).back().shared.value;
  };
  const double one = shared();
  EXPECT_GT(one, 0);
  loader.processes = 8;
  EXPECT_NEAR(shared(), one / 8, one * 1e-9);
}

}  // namespace
}  // namespace tilewise
