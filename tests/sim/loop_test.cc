// The host loop: what overlaps, what adds up, and two published series.

#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/simulate.h"

namespace tilewise {
namespace {

Target V2(std::string_view host) { return *MakeTarget("v2", 8, host); }

Timeline Device(double seconds) {
  Timeline timeline;
  timeline.step = {seconds};
  return timeline;
}

Stage MakeStage(StageKind kind) {
  Stage stage;
  stage.kind = kind;
  return stage;
}

Stage HeavyMap() {
  Stage stage = MakeStage(StageKind::kMap);
  stage.function.resolved = true;
  stage.function.nodes = 10;
  stage.function.decodes = true;
  return stage;
}

Pipeline Images(std::vector<Stage> stages) {
  Pipeline pipeline;
  pipeline.stages = std::move(stages);
  pipeline.item_bytes = Bytes{150528};
  return pipeline;
}

LoopTimeline Simulate(const Pipeline& pipeline, const Timeline& step) {
  LoopInput input;
  input.step = &step;
  input.pipeline = &pipeline;
  input.global_batch = 256;
  input.bytes_per_example = {150528};
  input.steps_per_epoch = 10;
  return SimulateLoop(input, V2("tpu-vm"));
}

TEST(SimulateLoop, HidesInputBehindTheDeviceOnlyWithAFinalPrefetch) {
  const Timeline step = Device(1);
  std::vector<Stage> stages = {MakeStage(StageKind::kFromTensorSlices), HeavyMap(),
                               MakeStage(StageKind::kBatch)};
  const LoopTimeline without = Simulate(Images(stages), step);
  stages.push_back(MakeStage(StageKind::kPrefetch));
  const LoopTimeline with = Simulate(Images(stages), step);
  EXPECT_FALSE(without.input_overlaps);
  EXPECT_TRUE(with.input_overlaps);
  EXPECT_NEAR((without.step - with.step).value, without.input.value, 1e-3);
  EXPECT_NEAR(with.step.value, 1, 0.01);
}

TEST(SimulateLoop, SpreadsAMapOverTheCoresItAsksFor) {
  const Timeline step = Device(1e-4);
  std::vector<Stage> stages = {MakeStage(StageKind::kFromTensorSlices), HeavyMap(),
                               MakeStage(StageKind::kBatch), MakeStage(StageKind::kPrefetch)};
  const LoopTimeline sequential = Simulate(Images(stages), step);
  stages[1].parallel_calls = {Count::Kind::kValue, 4};
  const LoopTimeline four = Simulate(Images(stages), step);
  stages[1].parallel_calls = {Count::Kind::kAutotune, 0};
  const LoopTimeline all = Simulate(Images(stages), step);
  EXPECT_EQ(sequential.stages[1].parallelism, 1);
  EXPECT_EQ(four.stages[1].parallelism, 4);
  EXPECT_EQ(all.stages[1].parallelism, 96);
  EXPECT_GT(sequential.step / four.step, 3.5);
  EXPECT_GT(four.step / all.step, 1.5);
}

// The rewrite acts on plain functions, in releases whose documentation says so.
TEST(SimulateLoop, AReleaseThatMakesPlainMapsParallelIsSimulatedSo) {
  const std::vector<Stage> stages = {MakeStage(StageKind::kFromTensorSlices), HeavyMap(),
                                     MakeStage(StageKind::kBatch), MakeStage(StageKind::kPrefetch)};
  const auto parallelism = [&](std::optional<RuntimeVersion> release, auto edit) {
    Pipeline pipeline = Images(stages);
    pipeline.runtime = release;
    edit(pipeline);
    return Simulate(pipeline, Device(1e-4)).stages[1].parallelism;
  };
  const auto as_it_is = [](Pipeline&) {};
  EXPECT_EQ(parallelism(RuntimeVersion{2, 15}, as_it_is), 96);
  EXPECT_EQ(parallelism(RuntimeVersion{2, 3}, as_it_is), 1);
  EXPECT_EQ(parallelism(std::nullopt, as_it_is), 1);
  EXPECT_EQ(parallelism(RuntimeVersion{2, 15},
                        [](Pipeline& pipeline) { pipeline.stages[1].function.random = true; }),
            1);
  EXPECT_EQ(parallelism(RuntimeVersion{2, 15},
                        [](Pipeline& pipeline) {
                          pipeline.options.push_back(
                              {"experimental_optimization.map_parallelization", "False", {}, {}});
                        }),
            1);
}

TEST(SimulateLoop, AReleaseThatAddsAPrefetchHidesTheInput) {
  Pipeline pipeline =
      Images({MakeStage(StageKind::kFromTensorSlices), HeavyMap(), MakeStage(StageKind::kBatch)});
  pipeline.runtime = RuntimeVersion{2, 12};
  const LoopTimeline without = Simulate(pipeline, Device(1));
  pipeline.runtime = RuntimeVersion{2, 13};
  const LoopTimeline with = Simulate(pipeline, Device(1));
  EXPECT_FALSE(without.input_overlaps);
  EXPECT_TRUE(with.input_overlaps);
  EXPECT_LT(with.step, without.step);
}

// 256 examples of 150,528 bytes at 168 MB/s; a bucket is read faster.
TEST(SimulateLoop, ACacheInAFileIsReadFromTheDiskOfTheHost) {
  Stage cache = MakeStage(StageKind::kCache);
  cache.cache_to_file = true;
  const auto input = [&] {
    return Simulate(Images({MakeStage(StageKind::kFromTensorSlices), HeavyMap(), cache,
                            MakeStage(StageKind::kBatch), MakeStage(StageKind::kPrefetch)}),
                    Device(1e-4))
        .input.value;
  };
  EXPECT_NEAR(input(), 256 * 150528 / 168e6, 0.02);
  cache.paths = {"gs://bucket/cache"};
  EXPECT_LT(input(), 0.1);
}

TEST(SimulateLoop, ChargesImageOpsForWhatTheyDoWithEachPixel) {
  const Timeline step = Device(1e-4);
  const auto map_of = [&](const std::string& call) {
    std::vector<Stage> stages = {MakeStage(StageKind::kFromTensorSlices), HeavyMap(),
                                 MakeStage(StageKind::kBatch)};
    stages[1].function.calls = {call};
    return Simulate(Images(stages), step).stages[1].per_batch;
  };
  const Seconds plain = map_of("tensorflow.image.flip_left_right");
  EXPECT_GT(map_of("tensorflow.image.random_hue"), plain);
  EXPECT_GT(map_of("tensorflow_addons.image.equalize"), map_of("tensorflow.image.random_hue"));
  EXPECT_LT(map_of("random_lighthue"), map_of("tensorflow.image.random_hue"));
}

TEST(SimulateLoop, PaysNothingAboveACacheAfterTheFirstEpoch) {
  const Timeline step = Device(1e-4);
  std::vector<Stage> stages = {MakeStage(StageKind::kFromTensorSlices), HeavyMap(),
                               MakeStage(StageKind::kCache), MakeStage(StageKind::kBatch)};
  const LoopTimeline cached = Simulate(Images(stages), step);
  EXPECT_EQ(cached.stages[1].per_batch, Seconds{});
  std::swap(stages[1], stages[2]);
  const LoopTimeline computed = Simulate(Images(stages), step);
  EXPECT_GT(computed.stages[2].per_batch, Seconds{});
  EXPECT_GT(computed.input.value, 5 * cached.input.value);
}

TEST(SimulateLoop, FillsTheCacheInTheFirstEpochOnly) {
  const Timeline step = Device(1e-4);
  std::vector<Stage> stages = {MakeStage(StageKind::kFromTensorSlices), HeavyMap(),
                               MakeStage(StageKind::kBatch)};
  const LoopTimeline computed = Simulate(Images(stages), step);
  EXPECT_EQ(computed.first_step, computed.step);
  EXPECT_EQ(computed.first_epoch, computed.epoch);
  stages.insert(stages.begin() + 2, MakeStage(StageKind::kCache));
  const LoopTimeline cached = Simulate(Images(stages), step);
  EXPECT_GT(cached.first_step.value, 5 * cached.step.value);
  EXPECT_GE(cached.first_step, computed.step);
  EXPECT_NEAR((cached.first_epoch - cached.epoch).value,
              10 * (cached.first_step - cached.step).value, 1e-9);
}

// Four hosts of a v2-32 slice send a quarter of the batch each; a notebook sends it all.
TEST(SimulateLoop, EachHostOfASliceFeedsItsOwnChips) {
  const Timeline step = Device(1e-3);
  const auto fed = [&](int64_t cores, int64_t batch, std::string_view host) {
    const Pipeline pipeline =
        Images({MakeStage(StageKind::kFromTensorSlices), HeavyMap(), MakeStage(StageKind::kBatch)});
    LoopInput input;
    input.step = &step;
    input.pipeline = &pipeline;
    input.global_batch = batch;
    input.bytes_per_example = {150528};
    return SimulateLoop(input, *MakeTarget("v2", cores, host));
  };
  const LoopTimeline one = fed(8, 256, "tpu-vm"), four = fed(32, 1024, "tpu-vm");
  EXPECT_EQ(four.transfer.value, one.transfer.value);
  EXPECT_EQ(four.input.value, one.input.value);
  EXPECT_NEAR(four.examples_per_second / one.examples_per_second, 4, 1e-9);
  EXPECT_GT(fed(32, 1024, "colab").transfer.value, 3 * fed(8, 256, "colab").transfer.value);
}

// A host that drops the batches of the others makes them, and sends its own alone.
TEST(SimulateLoop, AHostThatSharesNothingMakesAllBatches) {
  const Timeline step = Device(1e-3);
  const auto fed = [&](HostShare share, int64_t shard) {
    Pipeline pipeline;
    Stage map;
    map.kind = StageKind::kMap;
    map.measured.per_example = Seconds{1e-3};
    map.parallel_calls = {Count::Kind::kValue, 1};
    Stage source;
    source.kind = StageKind::kRange;
    Stage part;
    part.kind = StageKind::kShard;
    part.amount = {Count::Kind::kValue, shard};
    pipeline.stages = {source, map, part};
    pipeline.host_share = share;
    LoopInput input;
    input.step = &step;
    input.pipeline = &pipeline;
    input.global_batch = 1024;
    input.bytes_per_example = {1000};
    return SimulateLoop(input, *MakeTarget("v3", 32, "tpu-vm"));
  };
  const LoopTimeline own = fed(HostShare::kAll, 1), dropping = fed(HostShare::kDropping, 1);
  EXPECT_NEAR(dropping.input / own.input, 4, 0.1);
  EXPECT_EQ(dropping.transfer, own.transfer);
  EXPECT_NEAR(fed(HostShare::kPart, 4).input / own.input, 4, 0.1) << "shard() behind the work";
}

TEST(SimulateLoop, SharesOneDispatchAmongTheStepsOfAnExecution) {
  const Timeline step = Device(0.5e-3);
  LoopInput input;
  input.step = &step;
  input.global_batch = 32;
  input.bytes_per_example = {12288};
  const LoopTimeline single = SimulateLoop(input, V2("colab"));
  input.steps_per_execution = 500;
  const LoopTimeline many = SimulateLoop(input, V2("colab"));
  // Published: 14.8 ms and 13.5 ms (CIFAR-10 CNN, Colab v2-8, TF 2.3).
  EXPECT_NEAR(single.step.value, 14.8e-3, 1.5e-3);
  EXPECT_NEAR(many.step.value, 13.5e-3, 1.5e-3);
}

TEST(SimulateLoop, ALaunchOfJaxIsSharedByTheStepsThatItScans) {
  const Timeline step = Device(10e-6);
  LoopInput input;
  input.step = &step;
  input.framework = Framework::kJax;
  input.global_batch = 8;
  input.bytes_per_example = {4};
  const LoopTimeline one = SimulateLoop(input, V2("tpu-vm"));
  input.steps_per_execution = 100;
  const LoopTimeline many = SimulateLoop(input, V2("tpu-vm"));
  EXPECT_DOUBLE_EQ(many.dispatch.value, one.dispatch.value / 100);
  EXPECT_LT(many.step, one.step / 10);
}

// A document of 2020 on steps_per_execution: a CNN of 2.19 or 10.17 million weights on
// CIFAR-10, Colab v2-8, TF 2.3, 1,000 steps at batch 32 or 256. Its layers are not given,
// so the device's time of the larger network is what is left of the run at 500.
struct DocumentRun {
  int64_t batch;
  double device;       // seconds of a step
  double unset, many;  // seconds of 1,000 steps with 1 and with 500 steps per execution
};
constexpr DocumentRun kDocumentRuns[] = {{32, 0.5e-3, 14.8, 13.5},
                                         {32, 5.3e-3, 21.0, 17.7},
                                         {256, 0.5e-3, 21.5, 18.0},
                                         {256, 21.5e-3, 36.0, 33.9}};

double ThousandSteps(const DocumentRun& run, int64_t steps_per_execution) {
  const Timeline step = Device(run.device);
  LoopInput input;
  input.step = &step;
  input.global_batch = run.batch;
  input.bytes_per_example = {12288};
  input.steps_per_execution = steps_per_execution;
  return 1000 * SimulateLoop(input, V2("colab")).step.value;
}

TEST(DocumentS1, AThousandStepsTake14Point8And21And21Point5And36SecondsUnset) {
  for (const DocumentRun& run : kDocumentRuns) {
    EXPECT_NEAR(ThousandSteps(run, 1), run.unset, 0.08 * run.unset);
  }
}

TEST(DocumentS1, AThousandStepsTake13Point5And17Point7And18And33Point9SecondsAt500) {
  for (const DocumentRun& run : kDocumentRuns) {
    EXPECT_NEAR(ThousandSteps(run, 500), run.many, 0.05 * run.many);
  }
}

TEST(DocumentS1, At500TheTimeIs83Point7To94Point1PercentOfUnset) {
  for (const DocumentRun& run : kDocumentRuns) {
    const double share = ThousandSteps(run, 500) / ThousandSteps(run, 1);
    EXPECT_GT(share, 0.82);
    EXPECT_LT(share, 0.95);
  }
}

TEST(DocumentS1, TwentyStepsAnExecutionAreSlowerThanOne) {
  for (const DocumentRun& run : kDocumentRuns) {
    EXPECT_GT(ThousandSteps(run, 20), ThousandSteps(run, 1));
  }
}

// A document of 2018 on a small CNN of CIFAR-10 in tf.keras on Colab v2-8: 13 steps an
// epoch, 50 MB of float32 a step, 85 to 89 ms each. Its first epoch, 10 s, compiles.
TEST(DocumentS2, AStepOf4096FloatImagesTakes87Milliseconds) {
  const Timeline step = Device(5.4e-3);
  LoopInput input;
  input.step = &step;
  input.global_batch = 4096;
  input.bytes_per_example = {12288};
  EXPECT_NEAR(SimulateLoop(input, V2("colab")).step.value, 87e-3, 0.13 * 87e-3);
}

// A document of 2018 on AlexNet on CIFAR-10, Colab v2-8, keras_to_tpu_model; device time about
// 20 us an image of the global batch at most.
TEST(DocumentS3, AnEpochTakes20Point35SecondsAt256And9Point85And5Point75And5Point5And4Point7And4) {
  const std::pair<int64_t, double> published[] = {{256, 20.35}, {1024, 9.85}, {4096, 5.75},
                                                  {8192, 5.5},  {16384, 4.7}, {50000, 4}};
  for (const auto& [batch, seconds] : published) {
    const Timeline step = Device(4e-6 * static_cast<double>(batch));
    LoopInput input;
    input.step = &step;
    input.framework = Framework::kKerasTf1;
    input.global_batch = batch;
    input.examples_per_epoch = 50000;
    input.bytes_per_example = {12288};
    const LoopTimeline loop = SimulateLoop(input, V2("colab"));
    EXPECT_NEAR(loop.epoch.value, seconds, 0.25 * seconds) << batch;
  }
}

// A host with round numbers: 1 GB/s to the devices, 4 GB/s in memory, 100 ms
// to start an execution and 20 ms for each step.
Target FedByAThread(std::optional<double> exposed_share) {
  Target target = V2("tpu-node");
  target.host.feed_bandwidth = {1e9};
  target.host.feed_latency = {};
  target.host.memory_copy_bandwidth = {4e9};
  HostRuntime runtime;
  runtime.framework = FrameworkName(Framework::kTpuEstimator);
  runtime.per_execution = {0.1};
  runtime.per_step = {0.02};
  runtime.exposed_share = exposed_share;
  target.host.runtimes = {runtime};
  return target;
}

// 40 ms to send; with the step's own work the host needs 60 ms.
LoopInput TenStepsAnExecution(const Timeline& step) {
  LoopInput input;
  input.step = &step;
  input.framework = Framework::kTpuEstimator;
  input.global_batch = 1000;
  input.bytes_per_example = {40000};
  input.steps_per_execution = 10;
  return input;
}

TEST(SimulateLoop, AFeedingThreadHidesItsWorkOrTheDevices) {
  const Target target = FedByAThread(0.1);
  const Timeline slow = Device(0.2);
  EXPECT_NEAR(SimulateLoop(TenStepsAnExecution(slow), target).step.value, 0.01 + 0.2 + 0.1 * 0.06,
              1e-9);
  const Timeline fast = Device(0.03);
  EXPECT_NEAR(SimulateLoop(TenStepsAnExecution(fast), target).step.value, 0.01 + 0.06 + 0.1 * 0.03,
              1e-9);
}

TEST(SimulateLoop, ALoopThatWaitsAddsEverythingUp) {
  const Timeline step = Device(0.2);
  const LoopInput input = TenStepsAnExecution(step);
  const double copy = 1000 * 40000 / 4e9;
  EXPECT_NEAR(SimulateLoop(input, FedByAThread(1.0)).step.value, 0.01 + 0.2 + 0.06 + copy, 1e-9);
  EXPECT_NEAR(SimulateLoop(input, FedByAThread(std::nullopt)).step.value, 0.01 + 0.02 + 0.2, 1e-9);
}

TEST(SimulateLoop, ExpandsLabelsOnTheFeedingThread) {
  const Timeline step = Device(0.03);
  LoopInput input = TenStepsAnExecution(step);
  const Target target = FedByAThread(0.1);
  const Seconds plain = SimulateLoop(input, target).step;
  input.one_hot_bytes_per_example = {8000};
  EXPECT_NEAR((SimulateLoop(input, target).step - plain).value, 1000 * 8000 / 4e9, 1e-9);
}

TEST(SimulateLoop, CountsWholeStepsWhenTheRemainderIsDropped) {
  const Timeline step = Device(1e-3);
  Pipeline pipeline =
      Images({MakeStage(StageKind::kFromTensorSlices), MakeStage(StageKind::kBatch)});
  LoopInput input;
  input.step = &step;
  input.pipeline = &pipeline;
  input.global_batch = 256;
  input.examples_per_epoch = 1000;
  EXPECT_EQ(SimulateLoop(input, V2("colab")).steps_per_epoch, 4);
  pipeline.stages[1].drop_remainder = true;
  EXPECT_EQ(SimulateLoop(input, V2("colab")).steps_per_epoch, 3);
}

}  // namespace
}  // namespace tilewise
