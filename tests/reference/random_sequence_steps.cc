// Steps of random graphs on sequences [N,T,F] and vectors [N,F].

#include "tests/reference/random_steps.h"

namespace tilewise::reference {
namespace {

int64_t SizeOf(const GraphBuilder& b, OpId x, size_t dim) {
  return b.shape(x).dims[dim].factor;
}

OpId Dense(GraphBuilder& b, Dice& dice, OpId x) {
  return DenseLayer(b, x, dice.Roll(1, 6));
}

// As one matrix product over all examples and steps.
OpId MergedDense(GraphBuilder& b, Dice& dice, OpId x) {
  const std::vector<Dim> dims = b.shape(x).dims;
  const Dim rows{dims[0].factor * dims[1].factor, dims[0].per_batch};
  const OpId merged = b.Reshape(x, {rows, dims[2]});
  const OpId y = DenseLayer(b, merged, dice.Roll(1, 6));
  return b.Reshape(y, {dims[0], dims[1], b.shape(y).dims[1]});
}

OpId SoftmaxLast(GraphBuilder& b, Dice& dice, OpId x) {
  const int64_t rank = b.shape(x).rank();
  return b.Softmax(x, dice.Roll(1, rank - 1));
}

OpId Normalised(GraphBuilder& b, Dice&, OpId x) {
  const int64_t last = b.shape(x).rank() - 1;
  const Shape feature =
      Shape::Of(DType::kF32, {SizeOf(b, x, static_cast<size_t>(last))});
  const OpId scale = b.Variable(feature, "scale", true);
  const OpId offset = b.Variable(feature, "offset", true);
  return b.LayerNorm(x, scale, offset, {last}, 0.1);
}

// softmax(x xT) x.
OpId Attention(GraphBuilder& b, Dice&, OpId x) {
  const OpId scores = b.Dot(x, x, {{0}, {0}, {2}, {2}});
  return b.Dot(b.Softmax(scores, 2), x, {{0}, {0}, {2}, {1}});
}

OpId Recurrent(GraphBuilder& b, Dice& dice, OpId x) {
  const auto cell = static_cast<CellKind>(dice.Roll(0, 2));
  const int64_t gates = cell == CellKind::kSimpleRnn ? 1
                        : cell == CellKind::kLstm    ? 4
                                                     : 3;
  const int64_t units = dice.Roll(1, 3);
  const OpId z = DenseLayer(b, x, gates * units);
  const OpId u = b.Variable(Shape::Of(DType::kF32, {units, gates * units}),
                            "recurrent_kernel", true);
  return b.Recurrent(cell, z, u, dice.Coin());
}

OpId SwapTimeAndFeature(GraphBuilder& b, Dice&, OpId x) {
  return b.Transpose(x, {0, 2, 1});
}

OpId LastStep(GraphBuilder& b, Dice&, OpId x) {
  const std::vector<Dim> dims = b.shape(x).dims;
  const int64_t steps = dims[1].factor;
  return b.Reshape(b.SliceDim(x, 1, steps - 1, steps), {dims[0], dims[2]});
}

OpId SumOverTime(GraphBuilder& b, Dice&, OpId x) {
  return b.Reduce(Reducer::kSum, x, {1});
}

OpId AsSequence(GraphBuilder& b, Dice&, OpId x) {
  const std::vector<Dim> dims = b.shape(x).dims;
  const int64_t features = dims[1].factor;
  const int64_t steps = features % 3 == 0 ? 3 : (features % 2 == 0 ? 2 : 1);
  return b.Reshape(x, {dims[0], {steps, false}, {features / steps, false}});
}

OpId Outer(GraphBuilder& b, Dice&, OpId x) {
  if (SizeOf(b, x, 1) > 6) return x;
  return b.Dot(x, x, {{0}, {0}, {}, {}});
}

OpId Widened(GraphBuilder& b, Dice&, OpId x) {
  if (SizeOf(b, x, 1) > 12) return x;
  const OpId half = b.SliceDim(x, 1, 0, (SizeOf(b, x, 1) + 1) / 2);
  return b.Concatenate({half, x}, 1);
}

// Two batches of the same examples, added up again.
OpId TwiceTheBatch(GraphBuilder& b, Dice&, OpId x) {
  const std::vector<Dim> dims = b.shape(x).dims;
  const OpId two = b.Concatenate({x, b.Unary(OpKind::kTanh, x)}, 0);
  const OpId split = b.Reshape(two, {{2, false}, dims[0], dims[1]});
  return b.Reduce(Reducer::kSum, split, {0});
}

}  // namespace

const std::vector<RandomStep>& SequenceSteps() {
  static const std::vector<RandomStep> steps = {
      Dense,     MergedDense,        SoftmaxLast, Normalised, Attention,
      Recurrent, SwapTimeAndFeature, LastStep,    SumOverTime};
  return steps;
}

const std::vector<RandomStep>& VectorSteps() {
  static const std::vector<RandomStep> steps = {
      Dense,      Dense, SoftmaxLast, Normalised,
      AsSequence, Outer, Widened,     TwiceTheBatch};
  return steps;
}

}  // namespace tilewise::reference
