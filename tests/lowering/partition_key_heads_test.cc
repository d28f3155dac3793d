// Inference on more cores than there are key heads.

#include <gtest/gtest.h>

#include "tests/lowering/mesh_steps.h"

namespace tilewise {
namespace {

// The graph that each core runs, of a forward pass.
Graph ExpectSameResults(const Graph& forward, const MeshSizes& mesh) {
  const Target target = TargetOf(mesh);
  SCOPED_TRACE(FormatMesh(target.mesh));
  LowerOptions options;
  options.training = false;
  Program whole;
  whole.graph = forward.Bind(1);
  const Graph source = whole.graph;
  const LoweringContext context{target, options, source, forward};
  EXPECT_TRUE(RunDecompose(whole, context).ok());
  EXPECT_TRUE(RunSimplify(whole, context).ok());
  Program part = whole;
  const absl::Status status = RunPartition(part, context);
  EXPECT_TRUE(status.ok()) << status;
  if (!status.ok()) return Graph();
  EXPECT_TRUE(VerifyGraph(part.graph).ok());
  const reference::Tensors leaves = reference::RandomLeaves(whole.graph, 3);
  ExpectSameOutputs(reference::Evaluate(whole.graph, leaves),
                    reference::EvaluateOnMesh(part.graph, leaves, mesh));
  return part.graph;
}

struct KeyHeadsCase {
  int64_t key_heads;
  MeshSizes mesh;
};

class FewerKeyHeads : public testing::TestWithParam<KeyHeadsCase> {};

TEST_P(FewerKeyHeads, ThanCoresComputeTheSame) {
  for (const bool flash : {false, true}) {
    for (const bool repeats : {false, true}) {
      if (repeats && GetParam().key_heads == 6) continue;
      SCOPED_TRACE(flash);
      SCOPED_TRACE(repeats);
      ExpectSameResults(ParsedGraph(Decoding(GetParam().key_heads, flash, repeats)),
                        GetParam().mesh);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, FewerKeyHeads,
                         testing::Values(KeyHeadsCase{6, {.tensor = 3}},
                                         KeyHeadsCase{3, {.tensor = 3}},
                                         KeyHeadsCase{3, {.tensor = 2, .heads = 3}},
                                         KeyHeadsCase{2, {.tensor = 3, .heads = 2}},
                                         KeyHeadsCase{1, {.tensor = 3}},
                                         KeyHeadsCase{1, {.tensor = 2}}));

// A key head and its cache on each of two cores; one sum over all six after
// each half of a layer.
TEST(PartitionTensor, CopiesKeyHeadsWhereThereAreMoreCores) {
  const Graph part =
      ExpectSameResults(ParsedGraph(Decoding(3, false, false)), {.tensor = 2, .heads = 3});
  for (const Op& op : part.ops()) {
    if (op.name == "keys" || op.name == "values") {
      EXPECT_EQ(FormatShape(op.shape), "f32[2,4,1,2]");
    }
    if (op.name == "wq") {
      EXPECT_EQ(FormatShape(op.shape), "f32[12,2]");
    }
    if (op.kind == OpKind::kAllReduce) {
      EXPECT_EQ(op.as<CollectiveAttrs>().group_size, 6);
    }
  }
  EXPECT_EQ(CountKind(part, OpKind::kAllReduce), 2);
  EXPECT_EQ(CountKind(part, OpKind::kAllGather), 0);
}

}  // namespace
}  // namespace tilewise
