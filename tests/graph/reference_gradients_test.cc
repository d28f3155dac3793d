// The evaluator's gradient ops against differences of its forward ops, and the
// promises of the random leaves and graphs.

#include <cmath>

#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/text.h"
#include "tests/reference/evaluator.h"
#include "tests/reference/random_graph.h"

namespace tilewise::reference {
namespace {

Graph Parsed(const std::string& body) {
  auto graph = ParseGraph("graph \"g\" {\n" + body + "\n}");
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

double Inner(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (size_t i = 0; i < a.data.size(); ++i) sum += a.data[i] * b.data[i];
  return sum;
}

// The graph has outputs y, dy and dx. Checks that dx is the gradient of
// sum(y * dy) by the leaf `x`, by central differences of each element.
void ExpectGradient(const Graph& graph, const std::string& x, uint32_t seed) {
  const Tensors leaves = RandomLeaves(graph, seed);
  const Tensor dx = Evaluate(graph, leaves)[2];
  const double step = 1e-5;
  const auto loss = [&](size_t i, double offset) {
    Tensors moved = leaves;
    moved[x].data[i] += offset;
    const std::vector<Tensor> out = Evaluate(graph, moved);
    return Inner(out[0], out[1]);
  };
  for (size_t i = 0; i < dx.data.size(); ++i) {
    const double slope = (loss(i, step) - loss(i, -step)) / (2 * step);
    EXPECT_NEAR(dx.data[i], slope, 1e-7) << x << " element " << i;
  }
}

constexpr char kOutputs[] = "\noutput result y\noutput result dy\noutput result dx";

struct ConvCase {
  const char* shapes[3];  // x, kernel, y
  const char* attributes;
};

class ConvGradient : public testing::TestWithParam<ConvCase> {};

TEST_P(ConvGradient, MatchesDifferences) {
  const auto& [shapes, attributes] = GetParam();
  const std::string attrs = std::string(", ") + attributes + "\n";
  const std::string x = shapes[0];
  const std::string kernel = shapes[1];
  const std::string y = shapes[2];
  const std::string forward = "x = " + x + " parameter()\nk = " + kernel +
                              " variable()\ndy = " + y + " parameter()\ny = " + y +
                              " convolution(x, k)" + attrs;
  ExpectGradient(Parsed(forward + "dx = " + x + " conv-input-grad(dy, k)" + attrs + kOutputs), "x",
                 1);
  ExpectGradient(Parsed(forward + "dx = " + kernel + " conv-kernel-grad(x, dy)" + attrs + kOutputs),
                 "k", 2);
}

INSTANTIATE_TEST_SUITE_P(
    Windows, ConvGradient,
    testing::Values(
        ConvCase{{"f32[2,5,4,3]", "f32[3,2,3,2]", "f32[2,3,3,2]"}, "window={size=3x2}"},
        ConvCase{{"f32[2,6,5,2]", "f32[3,3,2,3]", "f32[2,3,3,3]"},
                 "window={size=3x3 stride=2x2 pad=0_1x1_1}"},
        ConvCase{{"f32[1,7,2]", "f32[3,2,2]", "f32[1,4,2]"}, "window={size=3 dilation=2 pad=1_0}"},
        ConvCase{{"f32[2,4,3,3]", "f32[2,2,2,4]", "f32[2,4,2,2]"},
                 "window={size=2x2}, groups=2, channels_first=true"},
        ConvCase{{"f32[1,4,4,3]", "f32[3,3,1,6]", "f32[1,2,2,6]"}, "window={size=3x3}, groups=3"},
        ConvCase{{"f32[2,4,3,2]", "f32[3,2,2,2]", "f32[2,3,5,2]"},
                 "window={size=3x2 stride=2x1 pad=0_0x1_0 base_dilation=2x2}"},
        ConvCase{{"f32[1,7,2]", "f32[2,2,2]", "f32[1,3,2]"}, "window={size=2 pad=-1_-2}"},
        ConvCase{{"f32[1,3,3,2,2]", "f32[2,2,1,2,2]", "f32[1,2,2,2,2]"}, "window={size=2x2x1}"}));

TEST(MaxPoolGradient, MatchesDifferences) {
  ExpectGradient(Parsed(std::string(R"(
    x = f32[2,5,5,2] parameter()
    dy = f32[2,3,3,2] parameter()
    y = f32[2,3,3,2] reduce-window(x), reducer=max, window={size=3x3 stride=2x2 pad=1_1x1_1}
    dx = f32[2,5,5,2] select-and-scatter(x, dy), window={size=3x3 stride=2x2 pad=1_1x1_1})") +
                        kOutputs),
                 "x", 3);
}

TEST(GatherGradient, MatchesDifferences) {
  ExpectGradient(Parsed(std::string(R"(
    x = f32[4,3] variable()
    i = s32[2,3] parameter()
    dy = f32[2,3,3] parameter()
    y = f32[2,3,3] gather(x, i)
    dx = f32[4,3] scatter-add(i, dy))") +
                        kOutputs),
                 "x", 4);
}

TEST(RecurrentGradient, MatchesDifferencesForEveryCell) {
  const std::vector<std::pair<std::string, int>> cells = {
      {"simple_rnn", 2}, {"lstm", 8}, {"gru", 6}};
  for (const auto& [cell, width] : cells) {
    for (const std::string reverse : {"false", "true"}) {
      const std::string z = "f32[2,4," + std::to_string(width) + "]";
      const std::string attrs = ", cell=" + cell + ", reverse_time=" + reverse + "\n";
      ExpectGradient(
          Parsed("z = " + z + " parameter()\nu = f32[2," + std::to_string(width) +
                 "] variable()\ndy = f32[2,4,2] parameter()\n"
                 "y = f32[2,4,2] recurrent(z, u)" +
                 attrs + "dx = " + z + " recurrent-grad(z, u, y, dy)" + attrs + kOutputs),
          "z", 5);
    }
  }
}

TEST(RandomLeaves, FitTheirUse) {
  const Graph graph = Parsed(R"(
    table = f32[3,2] variable()
    ids = s32[50] parameter()
    rows = f32[50,2] gather(table, ids)
    labels = f32[50,2] parameter()
    loss = f32[50] softmax-cross-entropy(rows, labels)
    slot = f32[50] variable(), trainable=false)");
  const Tensors leaves = RandomLeaves(graph, 1);
  bool seen[3] = {false, false, false};
  for (const double id : leaves.at("ids").data) {
    ASSERT_TRUE(id == 0 || id == 1 || id == 2);
    seen[static_cast<size_t>(id)] = true;
  }
  EXPECT_TRUE(seen[0] && seen[1] && seen[2]);
  for (size_t row = 0; row < 50; ++row) {
    const std::vector<double>& labels = leaves.at("labels").data;
    EXPECT_EQ(labels[2 * row] + labels[2 * row + 1], 1);
  }
  for (const double x : leaves.at("slot").data) EXPECT_GT(x, 0);
  EXPECT_EQ(leaves, RandomLeaves(graph, 1));
  EXPECT_NE(leaves, RandomLeaves(graph, 2));
}

TEST(RandomGraph, EvaluatesToFiniteNumbers) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const Graph graph = RandomGraph(seed, 8, seed % 2 == 1).Bind(2);
    for (const Tensor& out : Evaluate(graph, RandomLeaves(graph, seed))) {
      for (const double x : out.data) {
        ASSERT_TRUE(std::isfinite(x)) << "seed " << seed;
      }
    }
  }
}

TEST(RandomGraph, CoversTheForwardOps) {
  std::vector<bool> seen(256, false);
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const Graph graph = RandomGraph(seed, 8, seed % 2 == 1);
    for (const Op& op : graph.ops()) {
      seen[static_cast<size_t>(op.kind)] = true;
    }
  }
  for (const OpKind kind : {OpKind::kConvolution,
                            OpKind::kConvInputGrad,
                            OpKind::kDot,
                            OpKind::kReduceWindow,
                            OpKind::kReduce,
                            OpKind::kGather,
                            OpKind::kRecurrent,
                            OpKind::kSoftmax,
                            OpKind::kBatchNormTraining,
                            OpKind::kBatchNormInference,
                            OpKind::kLayerNorm,
                            OpKind::kGelu,
                            OpKind::kSelect,
                            OpKind::kPad,
                            OpKind::kSlice,
                            OpKind::kReverse,
                            OpKind::kConcatenate,
                            OpKind::kTranspose,
                            OpKind::kConvert,
                            OpKind::kAttention,
                            OpKind::kCumulative,
                            OpKind::kSort,
                            OpKind::kTopK,
                            OpKind::kDynamicSlice,
                            OpKind::kDynamicUpdateSlice,
                            OpKind::kGatherSlices,
                            OpKind::kScatterSlices,
                            OpKind::kArgReduce,
                            OpKind::kAtan2,
                            OpKind::kXor}) {
    EXPECT_TRUE(seen[static_cast<size_t>(kind)]) << OpName(kind);
  }
}

TEST(RandomClassifier, EndsInOneRowOfLogitsPerExample) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    const Graph graph = RandomClassifier(seed, 6, 4);
    ASSERT_EQ(graph.outputs().size(), 1u);
    EXPECT_EQ(FormatShape(graph.op(graph.outputs()[0].value).shape), "f32[N,4]");
  }
}

}  // namespace
}  // namespace tilewise::reference
