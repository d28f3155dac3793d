// Grows a random graph: starts from an image, a sequence of ids or a vector,
// and applies random steps, mostly to the newest value.

#include "tests/reference/random_graph.h"

#include <cstdio>
#include <string>
#include <vector>

#include "base/check.h"
#include "tests/reference/random_steps.h"

namespace tilewise::reference {
namespace {

OpId Input(GraphBuilder& b, Dice& dice) {
  const int64_t kind = dice.Roll(0, 3);
  if (kind == 0) {
    return b.Parameter({DType::kF32, {BatchDim(), {dice.Roll(2, 8), false}}}, "vector");
  }
  if (kind == 1) {
    const OpId ids = b.Parameter({DType::kS32, {BatchDim(), {dice.Roll(1, 4), false}}}, "ids");
    const OpId table = b.Variable(Shape::Of(DType::kF32, {5, dice.Roll(1, 4)}), "table", true);
    return b.Gather(table, ids);
  }
  return b.Parameter(
      {DType::kF32,
       {BatchDim(), {dice.Roll(3, 6), false}, {dice.Roll(3, 6), false}, {dice.Roll(1, 3), false}}},
      "image");
}

const std::vector<RandomStep>& StepsFor(int64_t rank) {
  if (rank == 4) return ImageSteps();
  return rank == 3 ? SequenceSteps() : VectorSteps();
}

OpId OneOf(const std::vector<RandomStep>& steps, GraphBuilder& b, Dice& dice, OpId x) {
  const auto last = static_cast<int64_t>(steps.size()) - 1;
  return steps[dice.Roll(0, last)](b, dice, x);
}

OpId RandomlyStepped(GraphBuilder& b, Dice& dice, OpId x, bool rare_kinds) {
  if (rare_kinds && dice.Roll(0, 2) == 0) {
    return OneOf(b.shape(x).rank() == 3 ? RareSequenceSteps() : RareElementwiseSteps(), b, dice, x);
  }
  const bool elementwise = dice.Roll(0, 2) == 0;
  const std::vector<RandomStep>& steps =
      elementwise ? ElementwiseSteps() : StepsFor(b.shape(x).rank());
  return OneOf(steps, b, dice, x);
}

// Adds `x` to an earlier value of the same shape, if there is one.
OpId Joined(GraphBuilder& b, const std::vector<OpId>& values, OpId x) {
  for (const OpId earlier : values) {
    if (earlier != x && b.shape(earlier) == b.shape(x)) {
      return b.Binary(OpKind::kAdd, x, earlier);
    }
  }
  return x;
}

OpId Grow(GraphBuilder& b, Dice& dice, int steps, bool rare_kinds) {
  std::vector<OpId> values = {Input(b, dice)};
  for (int i = 0; i < steps; ++i) {
    b.SetScope("step" + std::to_string(i));
    const auto newest = static_cast<int64_t>(values.size()) - 1;
    const int64_t from = dice.Roll(0, 5) == 0 ? dice.Roll(0, newest) : newest;
    OpId x = RandomlyStepped(b, dice, values[from], rare_kinds);
    if (dice.Roll(0, 3) == 0) x = Joined(b, values, x);
    values.push_back(x);
  }
  b.SetScope("");
  return values.back();
}

void AddUnusedAsResults(GraphBuilder& b) {
  std::vector<bool> used(b.size(), false);
  for (OpId id = 0; id < b.size(); ++id) {
    for (const OpId operand : b.op(id).operands) {
      used[operand] = true;
    }
  }
  for (OpId id = 0; id < b.size(); ++id) {
    if (!used[id]) {
      b.AddOutput(id, Output::Role::kResult);
    }
  }
}

Graph Built(GraphBuilder& b) {
  absl::StatusOr<Graph> graph = b.Build();
  if (!graph.ok()) std::fputs((Message(graph.status()) + "\n").c_str(), stderr);
  TW_CHECK(graph.ok());
  return *std::move(graph);
}

}  // namespace

Graph RandomGraph(uint32_t seed, int steps, bool rare_kinds) {
  GraphBuilder b("random" + std::to_string(seed));
  Dice dice(seed);
  Grow(b, dice, steps, rare_kinds);
  AddUnusedAsResults(b);
  return Built(b);
}

Graph RandomClassifier(uint32_t seed, int steps, int64_t classes, bool rare_kinds) {
  GraphBuilder b("classifier" + std::to_string(seed));
  Dice dice(seed);
  const OpId x = Grow(b, dice, steps, rare_kinds);
  b.SetScope("logits");
  const OpId logits = DenseLayer(b, Flattened(b, x), classes);
  b.AddOutput(logits, Output::Role::kResult);
  return Built(b);
}

}  // namespace tilewise::reference
