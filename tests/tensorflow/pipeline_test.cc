// tf.data nodes as pipelines.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tensorflow/graph_text.h"

namespace tilewise::tf {
namespace {

std::string Text(std::string_view name) {
  return Node(
      name, "Const", {},
      Attr("dtype", "type: DT_STRING") + Attr("value",
                                              "tensor { dtype: DT_STRING tensor_shape { dim "
                                              "{ size: 3 } } string_val: \"a\" string_val: "
                                              "\"b\" string_val: \"c\" }"));
}

std::string Of(std::string_view type, std::initializer_list<int> dims) {
  return Attr("output_types", "list { type: " + std::string(type) + " }") +
         Attr("output_shapes", "list { " + ShapeText(dims) + " }");
}

std::string Kinds(const Pipeline& pipeline) {
  std::string text;
  for (const Stage& stage : pipeline.stages) {
    text += std::string(StageName(stage.kind)) + " ";
  }
  return text;
}

// tf.data's service, its snapshots and `_as_serialized_graph()` write such graphs.
TEST(Pipeline, AGraphThatReturnsADataSetHasNoModel) {
  const auto workload = ReadText(
      Int("start", 0) + Int("stop", 640) + Int("step", 1) + Int("batch", 32) + Int("drop", 1) +
      Node("range", "RangeDataset", {"start", "stop", "step"}, Of("DT_INT64", {})) +
      Node("batches", "BatchDatasetV2", {"range", "batch", "drop"}, Of("DT_INT64", {32})) +
      Node("dataset", "_Retval", {"batches"}, Attr("T", "type: DT_VARIANT")));
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_FALSE(workload->graph.has_value());
  ASSERT_EQ(workload->pipelines.size(), 1);
  EXPECT_EQ(Kinds(workload->pipelines[0]), "range batch ");
  EXPECT_EQ(workload->pipelines[0].source_items, 640);
}

TEST(Pipeline, ChainsAreReadFromSourceToEnd) {
  const std::string function =
      "library {\n" +
      Function("parse", {"a: DT_STRING"}, {"y: DT_FLOAT"},
               Node("j", "DecodeJpeg", {"a"}) + Node("r", "RandomUniform", {"j:image:0"}),
               {"y = r:output:0"}) +
      "}\n";
  const auto workload = ReadText(
      Text("files") + Int("batch", 32) + Int("auto", -1) + Int("buffer", 100) + Int("seed", 0) +
      Int("drop", 1) +
      Node("source", "TensorSliceDataset", {"files"},
           Attr("Toutput_types", "list { type: DT_STRING }")) +
      Node("shuffle", "ShuffleDataset", {"source", "buffer", "seed", "seed"},
           Attr("reshuffle_each_iteration", "b: false")) +
      Node(
          "map", "ParallelMapDatasetV2", {"shuffle", "auto"},
          Calls("f", "parse") + Attr("deterministic", "s: \"false\"") + Of("DT_FLOAT", {8, 8, 3})) +
      Node("batches", "BatchDatasetV2", {"map", "batch", "drop"}, Of("DT_FLOAT", {32, 8, 8, 3})) +
      Node("prefetch", "PrefetchDataset", {"batches", "auto"}, Of("DT_FLOAT", {32, 8, 8, 3})) +
      Node("model", "ModelDataset", {"prefetch"}, Of("DT_FLOAT", {32, 8, 8, 3})) + function);
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->pipelines.size(), 1);
  const Pipeline& pipeline = workload->pipelines[0];
  EXPECT_EQ(Kinds(pipeline), "from_tensor_slices shuffle map batch prefetch ");
  EXPECT_EQ(pipeline.source_items, 3);
  EXPECT_EQ(pipeline.batch_size(), 32);
  EXPECT_EQ(pipeline.item_bytes->value, 8 * 8 * 3 * 4);
  EXPECT_TRUE(pipeline.stages[1].amount.is(100));
  EXPECT_FALSE(pipeline.stages[1].reshuffles);
  const Stage& map = pipeline.stages[2];
  EXPECT_EQ(map.parallel_calls.kind, Count::Kind::kAutotune);
  EXPECT_EQ(map.deterministic, false);
  EXPECT_TRUE(map.function.decodes);
  EXPECT_TRUE(map.function.random);
  EXPECT_EQ(map.function.nodes, 2);
  EXPECT_EQ(pipeline.stages[3].drop_remainder, true);
  EXPECT_EQ(pipeline.stages[4].amount.kind, Count::Kind::kAutotune);
  EXPECT_EQ(pipeline.stages[2].location.item, "map");
}

TEST(Pipeline, MapAndBatchAreTwoStages) {
  const auto workload =
      ReadText(Int("start", 0) + Int("stop", 10) + Int("step", 1) + Int("batch", 4) +
               Node("source", "RangeDataset", {"start", "stop", "step"}) +
               Node("both", "ExperimentalMapAndBatchDataset", {"source", "batch", "step", "step"},
                    Calls("f", "nowhere")));
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->pipelines.size(), 1);
  const Pipeline& pipeline = workload->pipelines[0];
  EXPECT_EQ(Kinds(pipeline), "range map batch ");
  EXPECT_EQ(pipeline.source_items, 10);
  EXPECT_TRUE(pipeline.stages[1].parallel_calls.is(1));
  EXPECT_FALSE(pipeline.stages[1].function.resolved);
  EXPECT_EQ(pipeline.batch_size(), 4);
}

TEST(Pipeline, OpenPlacesOfTemplatesAreNotResolved) {
  const auto workload = ReadText(Int("start", 0) + Int("step", 1) +
                                 "node { name: \"stop\" op: \"Const\" attr { key: \"value\" "
                                 "value { tensor "
                                 "{ dtype: DT_INT64 tensor_shape {} int64_val: $0 } } } }\n" +
                                 Node("source", "RangeDataset", {"start", "stop", "step"}) +
                                 Node("again", "RepeatDataset", {"source", "stop"}));
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->pipelines.size(), 1);
  EXPECT_EQ(workload->pipelines[0].source_items, std::nullopt);
  EXPECT_EQ(workload->pipelines[0].stages[1].amount.kind, Count::Kind::kUnresolved);
}

TEST(Pipeline, CyclesOfDatasetsEnd) {
  const auto workload =
      ReadText(Node("a", "PrefetchDataset", {"b"}) + Node("b", "CacheDataset", {"a"}) +
               Node("c", "CacheDataset", {"b"}));
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_EQ(workload->pipelines.size(), 1);
}

TEST(Pipeline, ElementsPathsAndInnerSourcesAreRead) {
  const std::string function = "library {\n" +
                               Function("open", {"a: DT_STRING"}, {"y: DT_VARIANT"},
                                        Node("r", "TFRecordDataset", {"a"}), {"y = r:handle:0"}) +
                               "}\n";
  const auto workload = ReadText(
      Text("files") + Int("batch", 32) + Int("drop", 1) +
      Node("source", "TensorSliceDataset", {"files"}, Of("DT_STRING", {})) +
      Node("read", "FlatMapDataset", {"source"}, Calls("f", "open") + Of("DT_UINT8", {8, 8, 3})) +
      Node("batches", "BatchDatasetV2", {"read", "batch", "drop"}, Of("DT_UINT8", {32, 8, 8, 3})) +
      function);
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->pipelines.size(), 1);
  const std::vector<Stage>& stages = workload->pipelines[0].stages;
  EXPECT_EQ(stages[1].inner_source, StageKind::kRecordFiles);
  ASSERT_TRUE(stages[2].element);
  EXPECT_EQ(stages[2].element->front().dtype, "uint8");
  EXPECT_EQ(stages[2].element->front().bytes(), 32 * 8 * 8 * 3);
  EXPECT_EQ(workload->pipelines[0].item_bytes->value, 8 * 8 * 3);
}

TEST(Pipeline, OptionsAreDecoded) {
  // experimental_optimization { apply_default_optimizations: false }
  const auto workload = ReadText(Int("start", 0) + Int("stop", 10) + Int("step", 1) +
                                 Node("source", "RangeDataset", {"start", "stop", "step"}) +
                                 Node("options", "OptionsDataset", {"source"},
                                      Attr("serialized_options", "s: \"\\032\\002\\010\\000\"")));
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->pipelines.size(), 1);
  const Pipeline& pipeline = workload->pipelines[0];
  ASSERT_EQ(pipeline.options.size(), 1u);
  EXPECT_EQ(pipeline.options[0].name, "experimental_optimization.apply_default_optimizations");
  EXPECT_EQ(pipeline.options[0].value, "False");
  EXPECT_EQ(pipeline.options[0].location.item, "options");
  EXPECT_TRUE(pipeline.rewrites_disabled);
}

TEST(Pipeline, MalformedOptionsAddNothing) {
  const auto workload = ReadText(Int("start", 0) + Int("stop", 10) + Int("step", 1) +
                                 Node("source", "RangeDataset", {"start", "stop", "step"}) +
                                 Node("options", "OptionsDataset", {"source"},
                                      Attr("serialized_options", "s: \"\\032\\177\"")));
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->pipelines.size(), 1);
  EXPECT_TRUE(workload->pipelines[0].options.empty());
}

TEST(Pipeline, AQueueIsASource) {
  const auto workload = ReadText(Node("queue", "FIFOQueueV2", {}) + Int("batch", 128) +
                                 Node("take", "QueueDequeueManyV2", {"queue", "batch"}));
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->pipelines.size(), 1);
  EXPECT_EQ(Kinds(workload->pipelines[0]), "queue ");
}

}  // namespace
}  // namespace tilewise::tf
