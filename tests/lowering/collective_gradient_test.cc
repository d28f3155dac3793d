// Gradients of collectives: of the sum of all replicas' losses, by differences
// on one replica.

#include "graph/backward.h"
#include "graph/graph_builder.h"
#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

using reference::Tensor;
using reference::Tensors;

constexpr size_t kReplicas = 2;

// loss = sum(tanh(c * y(w))) and its gradient by w, as results. The weights c
// differ between replicas and elements.
Graph LossAndGradient(const std::string& collective) {
  const Graph forward = ParsedGraph("w = f32[4,2] variable()\n" + collective);
  GraphBuilder b("g");
  for (const Op& op : forward.ops()) b.Clone(op, op.operands);
  const OpId y(b.size() - 1);
  const OpId c = b.Parameter(b.shape(y), "c");
  const OpId curved = b.Unary(OpKind::kTanh, b.Binary(OpKind::kMultiply, y, c));
  const OpId loss = b.Reduce(Reducer::kSum, curved, {0, 1});
  const auto gradients = AddGradients(b, loss, 1, {});
  EXPECT_TRUE(gradients.ok()) << gradients.status();
  b.AddOutput(loss, Output::Role::kLoss);
  b.AddOutput((*gradients)[0], Output::Role::kResult);
  return *b.Build();
}

std::vector<std::vector<Tensor>> Evaluated(const Graph& graph, const std::vector<Tensors>& leaves) {
  return reference::EvaluateReplicas(graph, leaves, reference::Neighbours(leaves.size()));
}

double TotalLoss(const Graph& graph, const std::vector<Tensors>& leaves) {
  double sum = 0;
  for (const auto& values : Evaluated(graph, leaves)) {
    sum += values[graph.outputs()[0].value].data[0];
  }
  return sum;
}

class CollectiveGradient : public testing::TestWithParam<const char*> {};

TEST_P(CollectiveGradient, IsThatOfAllLosses) {
  const Graph graph = LossAndGradient(GetParam());
  std::vector<Tensors> leaves;
  for (uint32_t replica = 0; replica < kReplicas; ++replica) {
    leaves.push_back(reference::RandomLeaves(graph, replica));
  }
  const auto values = Evaluated(graph, leaves);
  const size_t at = graph.outputs()[1].value;
  for (size_t replica = 0; replica < kReplicas; ++replica) {
    const Tensor& gradient = values[replica][at];
    for (size_t i = 0; i < gradient.data.size(); ++i) {
      std::vector<Tensors> moved = leaves;
      double& element = moved[replica]["w"].data[i];
      element += 1e-5;
      const double above = TotalLoss(graph, moved);
      element -= 2e-5;
      const double below = TotalLoss(graph, moved);
      EXPECT_NEAR(gradient.data[i], (above - below) / 2e-5, 1e-7)
          << "replica " << replica << " element " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, CollectiveGradient,
    testing::Values("y = f32[4,2] all-reduce(w)", "y = f32[4,2] all-reduce(w), group_size=1",
                    "y = f32[8,2] all-gather(w), dims={0}, group_size=2, axis=data",
                    "y = f32[4,4] all-gather(w), dims={1}, group_size=2",
                    "y = f32[2,2] reduce-scatter(w), dims={0}, group_size=2",
                    "y = f32[2,4] all-to-all(w), dims={0,1}, group_size=2",
                    "y = f32[4,2] collective-permute(w), shift=1, group_size=2"));

TEST(AllToAll, ExchangesParts) {
  const Graph graph = ParsedGraph(
      "x = f32[2,1] parameter()\n"
      "y = f32[1,2] all-to-all(x), dims={0,1}, group_size=2\n"
      "output result y");
  const std::vector<Tensors> leaves = {{{"x", Tensor({2, 1}, std::vector<double>{1, 2})}},
                                       {{"x", Tensor({2, 1}, std::vector<double>{3, 4})}}};
  const auto values = Evaluated(graph, leaves);
  EXPECT_EQ(values[0][1].data, (std::vector<double>{1, 3}));
  EXPECT_EQ(values[1][1].data, (std::vector<double>{2, 4}));
}

}  // namespace
}  // namespace tilewise
