// Rematerialisation and gradient accumulation change when things are computed
// and kept, not what the step computes.

#include "graph/graph_builder.h"
#include "graph/remat_blocks.h"
#include "tests/lowering/backend.h"
#include "tests/lowering/step_graphs.h"
#include "tests/reference/random_graph.h"

namespace tilewise {
namespace {

// Residual blocks of two dense layers with layer norms.
Graph ResidualNetwork(int blocks, int64_t width = 8) {
  GraphBuilder b("residual");
  const Dim features = {width, false};
  OpId x = b.Parameter({DType::kF32, {BatchDim(), features}}, "x");
  const auto weight = [&](const char* name) {
    return b.Variable(Shape(DType::kF32, {features, features}), name, true);
  };
  x = b.MatMul(x, weight("first"));
  for (int i = 0; i < blocks; ++i) {
    b.SetScope("block" + std::to_string(i));
    const Shape row(DType::kF32, {features});
    const OpId normal =
        b.LayerNorm(x, b.Variable(row, "scale", true), b.Variable(row, "offset", true), {1}, 0.1);
    const OpId hidden = b.Gelu(b.MatMul(normal, weight("up")), true);
    x = b.Binary(OpKind::kAdd, x, b.MatMul(hidden, weight("down")));
  }
  b.SetScope("");
  b.AddOutput(b.MatMul(x, weight("last")), Output::Role::kResult);
  return *b.Build();
}

TrainingSpec SpecWith(Remat remat, int64_t parts = 1) {
  TrainingSpec spec = SpecOf(LossKind::kSoftmaxCrossEntropy);
  spec.remat = remat;
  spec.accumulation_steps = parts;
  return spec;
}

TEST(FindRematBlocks, CutsResidualBlocksAtTheirSums) {
  const Graph graph = ResidualNetwork(3);
  const std::vector<RematBlock> blocks = FindRematBlocks(graph);
  ASSERT_EQ(blocks.size(), 4u);
  for (size_t i = 1; i < blocks.size(); ++i) {
    EXPECT_EQ(graph.op(blocks[i].result()).kind, OpKind::kAdd);
  }
}

// The norm after the last layer is none of its own: it reads what the layer hands out.
TEST(FindRematBlocks, EndWithTheirLayers) {
  GraphBuilder b("norm");
  const auto dense = [&](const std::string& scope, OpId x) {
    b.SetScope(scope);
    return b.MatMul(x, b.Variable(Shape::Of(DType::kF32, {4, 4}), "w", true));
  };
  OpId x = b.Parameter({DType::kF32, {BatchDim(), {4, false}}}, "x");
  for (const std::string layer : {"layer1", "layer2"}) {
    const OpId up = dense(layer + "/up", x);
    x = b.Binary(OpKind::kAdd, x, dense(layer + "/down", up));
  }
  b.SetScope("last_norm");
  const Shape row = Shape::Of(DType::kF32, {4});
  x = b.LayerNorm(x, b.Variable(row, "scale", true), b.Variable(row, "offset", true), {1}, 0.1);
  b.AddOutput(dense("vocabulary", x), Output::Role::kResult);
  const Graph graph = *b.Build();
  const std::vector<RematBlock> blocks = FindRematBlocks(graph);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(graph.op(blocks[1].result()).name, "layer2/down/add");
}

TEST(FindRematBlocks, CutsADecoderThatReadsOneEncoder) {
  GraphBuilder b("two");
  const OpId ids = b.Parameter({DType::kF32, {BatchDim(), {4, false}}}, "x");
  const auto dense = [&](OpId x) {
    return b.MatMul(x, b.Variable(Shape::Of(DType::kF32, {4, 4}), "w", true));
  };
  const OpId encoded = dense(dense(ids));
  OpId x = b.Unary(OpKind::kTanh, ids);
  for (int i = 0; i < 12; ++i) {
    x = b.Binary(OpKind::kAdd, dense(x), dense(encoded));
  }
  b.AddOutput(x, Output::Role::kResult);
  EXPECT_GE(FindRematBlocks(*b.Build()).size(), 10u);
}

class RematPolicy : public testing::TestWithParam<Remat> {};

TEST_P(RematPolicy, KeepsTheStep) {
  const Graph forward = ResidualNetwork(3).Bind(4);
  ExpectSameValues(Expanded(forward, SpecWith(Remat::kNone)),
                   Expanded(forward, SpecWith(GetParam())), 3);
}

TEST_P(RematPolicy, KeepsTheStepOfRandomNetworksThroughThePasses) {
  for (uint32_t seed = 0; seed < 25; ++seed) {
    const Graph forward = reference::RandomClassifier(seed, 8).Bind(2);
    const Graph plain = Expanded(forward, SpecWith(Remat::kNone));
    const Graph step = Expanded(forward, SpecWith(GetParam()));
    ExpectSameValues(plain, step, seed);
    ExpectSameValues(plain, After(RunSimplify, After(RunDecompose, step)), seed);
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, RematPolicy, testing::Values(Remat::kFull, Remat::kDots));

TEST(Remat, RecomputedRandomNumbersAreTheSame) {
  GraphBuilder b("dropout");
  OpId x = b.Parameter({DType::kF32, {BatchDim(), {4, false}}}, "x");
  for (int i = 0; i < 3; ++i) {
    x = b.MatMul(x, b.Variable(Shape::Of(DType::kF32, {4, 4}), "w", true));
    const OpId noise = b.Rng(OpKind::kRngUniform, b.shape(x));
    x = b.Binary(OpKind::kMultiply, b.Unary(OpKind::kTanh, x), noise);
  }
  b.AddOutput(x, Output::Role::kResult);
  const Graph forward = b.Build()->Bind(3);
  ExpectSameValues(Expanded(forward, SpecWith(Remat::kNone)),
                   Expanded(forward, SpecWith(Remat::kFull)), 5);
}

Program Lowered(const TrainingSpec& spec, int64_t batch) {
  LowerOptions options;
  options.spec = spec;
  auto program = Lower(ResidualNetwork(8, 256), batch, BackendTarget(), options);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

double Flops(const Program& program) {
  double flops = 0;
  for (const Kernel& kernel : program.kernels) {
    flops += kernel.matrix.useful_flops * static_cast<double>(kernel.repeat);
  }
  return flops;
}

TEST(Remat, TradesFlopsForMemory) {
  const Program none = Lowered(SpecWith(Remat::kNone), 65536);
  const Program dots = Lowered(SpecWith(Remat::kDots), 65536);
  const Program full = Lowered(SpecWith(Remat::kFull), 65536);
  EXPECT_LT(full.memory.peak.value, dots.memory.peak.value);
  EXPECT_LT(dots.memory.peak.value, none.memory.peak.value);
  EXPECT_EQ(Flops(dots), Flops(none));
  // The down projection of a block is not needed for any gradient.
  EXPECT_GT(Flops(full), 1.1 * Flops(none));
  EXPECT_LT(Flops(full), 1.4 * Flops(none));
}

Graph OfBatch(int64_t parts, const TrainingSpec& spec) {
  auto step = ExpandTrainingOf(ResidualNetwork(2), 8, spec);
  EXPECT_TRUE(step.ok()) << step.status();
  EXPECT_TRUE(VerifyGraph(*step).ok()) << parts;
  return *std::move(step);
}

TEST(Accumulation, GivesTheUpdateOfTheWholeBatch) {
  for (const OptimizerKind optimizer : {OptimizerKind::kSgd, OptimizerKind::kAdam}) {
    for (const int64_t parts : {2, 4}) {
      TrainingSpec spec = SpecWith(Remat::kNone, parts);
      spec.optimizer = optimizer;
      TrainingSpec whole = spec;
      whole.accumulation_steps = 1;
      ExpectSameValues(OfBatch(1, whole), OfBatch(parts, spec), 4);
    }
  }
}

TEST(Accumulation, GoesWithRematerialisation) {
  ExpectSameValues(OfBatch(1, SpecWith(Remat::kNone)), OfBatch(4, SpecWith(Remat::kFull, 4)), 4);
}

TEST(Accumulation, TakesLessMemoryAndTheSameFlops) {
  const Program whole = Lowered(SpecWith(Remat::kNone), 65536);
  const Program parts = Lowered(SpecWith(Remat::kNone, 4), 65536);
  EXPECT_LT(parts.memory.peak.value, 0.6 * whole.memory.peak.value);
  EXPECT_EQ(Flops(parts), Flops(whole));
}

TEST(Accumulation, NeedsADivisorOfTheBatch) {
  const auto step = ExpandTrainingOf(ResidualNetwork(1), 8, SpecWith(Remat::kNone, 3));
  ASSERT_FALSE(step.ok());
  EXPECT_EQ(Message(step.status()),
            "found 3 accumulation steps of a batch of 8 per core, expected a "
            "divisor");
}

// Told from `tiles` parts of the positions.
Graph Telling(int64_t tiles, int64_t seq, int64_t width, int64_t vocab) {
  GraphBuilder b("telling");
  const Dim features = {width, false};
  OpId x = b.Parameter({DType::kF32, {BatchDim(), {seq, false}, features}}, "x");
  const DotDims by_features = {{}, {}, {2}, {0}};
  const auto weight = [&](const char* name, int64_t out) {
    return b.Variable(Shape::Of(DType::kF32, {width, out}), name, true);
  };
  x = b.Unary(OpKind::kTanh, b.Dot(x, weight("w", width), by_features));
  const OpId last = weight("last", vocab);
  const int64_t size = seq / tiles;
  for (int64_t i = 0; i < tiles; ++i) {
    const OpId part = tiles == 1 ? x : b.SliceDim(x, 1, i * size, (i + 1) * size);
    b.AddOutput(b.Dot(part, last, by_features),
                tiles == 1 ? Output::Role::kResult : Output::Role::kTile);
  }
  return *b.Build();
}

class TiledResult : public testing::TestWithParam<Remat> {};

TEST_P(TiledResult, GivesTheUpdateOfTheWhole) {
  const Graph whole = Expanded(Telling(1, 6, 4, 5).Bind(1), SpecWith(GetParam()));
  const Graph tiled = Expanded(Telling(3, 6, 4, 5).Bind(1), SpecWith(GetParam()));
  reference::Tensors leaves = reference::RandomLeaves(tiled, 3);
  reference::Tensor labels({1, 6, 5});
  labels.data.clear();
  for (const char* name : {"labels", "labels_1", "labels_2"}) {
    const std::vector<double>& part = leaves.at(name).data;
    labels.data.insert(labels.data.end(), part.begin(), part.end());
  }
  const auto found = reference::Evaluate(tiled, leaves);
  leaves["labels"] = labels;
  ExpectSameOutputs(reference::Evaluate(whole, leaves), found);
}

INSTANTIATE_TEST_SUITE_P(Policies, TiledResult,
                         testing::Values(Remat::kNone, Remat::kFull, Remat::kDots));

TEST(Tiles, AreNeverThereAtOnceAndAreMadeTwice) {
  const auto lowered = [](int64_t tiles) {
    LowerOptions options;
    options.spec = SpecWith(Remat::kNone);
    options.spec.sparse_labels = true;
    auto program = Lower(Telling(tiles, 1024, 128, 8192), 8, BackendTarget(), options);
    EXPECT_TRUE(program.ok()) << program.status();
    return *std::move(program);
  };
  const Program whole = lowered(1);
  const Program tiled = lowered(8);
  EXPECT_LT(tiled.memory.peak.value, 0.5 * whole.memory.peak.value);
  const double product = 2.0 * 8 * 1024 * 128 * 8192;
  EXPECT_DOUBLE_EQ(Flops(tiled), Flops(whole) + product);
}

TEST(BatchNormTracking, UpdatesTheMovingStatistics) {
  GraphBuilder b("norm");
  const Dim features = {2, false};
  const OpId x = b.Parameter({DType::kF32, {BatchDim(), features}}, "x");
  const auto state = [&](const char* name, bool trainable) {
    return b.Variable(Shape(DType::kF32, {features}), name, trainable);
  };
  const OpId scale = state("scale", true);
  const OpId offset = state("offset", true);
  const OpId mean = state("mean", false);
  const OpId variance = state("variance", false);
  b.AddOutput(b.BatchNormTracking(x, scale, offset, mean, variance, 1, 0.001, 0.75),
              Output::Role::kResult);
  const Graph step = Expanded(b.Build()->Bind(2), SpecOf(LossKind::kMeanSquaredError));
  reference::Tensors leaves = reference::RandomLeaves(step, 1);
  leaves["x"].data = {1, 2, 3, 6};
  leaves["mean"].data = {4, 8};
  leaves["variance"].data = {1, 1};
  const auto out = reference::Evaluate(step, leaves);
  ASSERT_EQ(out.size(), 5u);
  EXPECT_NEAR(out[1].data[0], 0.75 * 4 + 0.25 * 2, 1e-12);
  EXPECT_NEAR(out[1].data[1], 0.75 * 8 + 0.25 * 4, 1e-12);
  EXPECT_NEAR(out[2].data[0], 0.75 + 0.25 * 1, 1e-12);
  EXPECT_NEAR(out[2].data[1], 0.75 + 0.25 * 4, 1e-12);
}

}  // namespace
}  // namespace tilewise
