// Steps of random graphs on sequences [N,T,F] and vectors [N,F].

#include "tests/reference/random_steps.h"

namespace tilewise::reference {
namespace {

int64_t SizeOf(const GraphBuilder& b, OpId x, size_t dim) { return b.shape(x).dims[dim].factor; }

OpId Dense(GraphBuilder& b, Dice& dice, OpId x) { return DenseLayer(b, x, dice.Roll(1, 6)); }

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
  const Shape feature = Shape::Of(DType::kF32, {SizeOf(b, x, static_cast<size_t>(last))});
  const OpId scale = b.Variable(feature, "scale", true);
  const OpId offset = b.Variable(feature, "offset", true);
  return b.LayerNorm(x, scale, offset, {last}, 0.1);
}

// softmax(x xT) x.
OpId Attention(GraphBuilder& b, Dice&, OpId x) {
  const OpId scores = b.Dot(x, x, {{0}, {0}, {2}, {2}});
  return b.Dot(b.Softmax(scores, 2), x, {{0}, {0}, {2}, {1}});
}

// Heads of their own, or two that share keys; any of the masks.
OpId HeadedAttention(GraphBuilder& b, Dice& dice, OpId x) {
  const std::vector<Dim> dims = b.shape(x).dims;
  const Dim depth = {2, false};
  const int64_t groups = dice.Roll(1, 2);
  const int64_t heads = groups * dice.Roll(1, 2);
  const auto project = [&](int64_t count) {
    return b.Reshape(DenseLayer(b, x, count * 2), {dims[0], dims[1], {count, false}, depth});
  };
  AttentionOptions options;
  options.causal = dice.Coin();
  if (options.causal && dice.Coin()) options.sliding_window = dice.Roll(1, 4);
  options.flash = dice.Coin();
  OpId mask = kNoOp;
  if (dice.Coin()) {
    mask = b.Parameter(
        {dice.Coin() ? DType::kPred : DType::kF32, {dims[0], {1, false}, {1, false}, dims[1]}},
        "mask");
  }
  const OpId q = project(heads);
  const OpId k = project(groups);
  const OpId y = b.Attention(q, k, project(groups), options, mask);
  return b.Reshape(y, {dims[0], dims[1], {heads * 2, false}});
}

OpId RunningSum(GraphBuilder& b, Dice& dice, OpId x) {
  const OpId sum = b.Cumulative(Reducer::kSum, x, dice.Roll(1, 2), dice.Coin());
  return b.Unary(OpKind::kTanh, sum);
}

OpId Sorted(GraphBuilder& b, Dice& dice, OpId x) {
  const int64_t dim = dice.Roll(1, 2);
  const OpId values = b.Unary(OpKind::kSine, x);
  return b.Sort({x, values}, dim, dice.Coin(), dice.Roll(0, 1));
}

// One step replaced by another one, at a place known on the device only.
OpId StepMoved(GraphBuilder& b, Dice& dice, OpId x) {
  const int64_t last = SizeOf(b, x, 1) - 1;
  const auto place = [&] { return b.Scalar(static_cast<double>(dice.Roll(0, last)), DType::kS32); };
  const OpId step = b.DynamicSlice(x, {place()}, {1}, {1});
  return b.DynamicUpdateSlice(x, b.Unary(OpKind::kTanh, step), {place()}, {1});
}

// A run of steps of each example from a place of its own, and back there.
OpId RunsOfSteps(GraphBuilder& b, Dice& dice, OpId x) {
  const std::vector<Dim> dims = b.shape(x).dims;
  const int64_t length = dice.Roll(1, dims[1].factor);
  const OpId place = b.Parameter({DType::kS32, {dims[0], {1, false}}}, "place");
  GatherDims gather;
  gather.offset_dims = {1, 2};
  gather.start_dims = {1};
  gather.operand_batch = {0};
  gather.indices_batch = {0};
  gather.slice_sizes = {1, length, kWholeDim};
  gather.index_dim = 1;
  const OpId run = b.GatherSlices(x, place, gather);
  const OpId bent = b.Unary(OpKind::kExpMinusOne, b.Unary(OpKind::kTanh, run));
  return b.ScatterSlices(x, place, bent, gather, Reducer::kSum, dice.Coin());
}

// The largest feature's number as an angle.
OpId Angle(GraphBuilder& b, Dice&, OpId x) {
  const OpId best = b.Convert(b.ArgReduce(Reducer::kMax, x, 2), DType::kF32);
  const OpId number = b.Broadcast(b.BinaryScalar(OpKind::kAdd, best, 1), b.shape(x).dims, {0, 1});
  return b.Binary(OpKind::kAtan2, x, number);
}

OpId Recurrent(GraphBuilder& b, Dice& dice, OpId x) {
  const auto cell = static_cast<CellKind>(dice.Roll(0, 2));
  const int64_t gates = cell == CellKind::kSimpleRnn ? 1 : cell == CellKind::kLstm ? 4 : 3;
  const int64_t units = dice.Roll(1, 3);
  const OpId z = DenseLayer(b, x, gates * units);
  const OpId u =
      b.Variable(Shape::Of(DType::kF32, {units, gates * units}), "recurrent_kernel", true);
  return b.Recurrent(cell, z, u, dice.Coin());
}

OpId SwapTimeAndFeature(GraphBuilder& b, Dice&, OpId x) { return b.Transpose(x, {0, 2, 1}); }

OpId LastStep(GraphBuilder& b, Dice&, OpId x) {
  const std::vector<Dim> dims = b.shape(x).dims;
  const int64_t steps = dims[1].factor;
  return b.Reshape(b.SliceDim(x, 1, steps - 1, steps), {dims[0], dims[2]});
}

OpId SumOverTime(GraphBuilder& b, Dice&, OpId x) { return b.Reduce(Reducer::kSum, x, {1}); }

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

OpId Largest(GraphBuilder& b, Dice& dice, OpId x) {
  return b.TopK(x, dice.Roll(1, SizeOf(b, x, 1)));
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
      Dense,    MergedDense, SoftmaxLast,     Normalised, Attention, Recurrent, SwapTimeAndFeature,
      LastStep, SumOverTime, HeadedAttention, RunningSum, Sorted,    StepMoved};
  return steps;
}

const std::vector<RandomStep>& RareSequenceSteps() {
  static const std::vector<RandomStep> steps = {RunsOfSteps, Angle};
  return steps;
}

const std::vector<RandomStep>& VectorSteps() {
  static const std::vector<RandomStep> steps = {
      Dense, Dense, SoftmaxLast, Normalised, AsSequence, Outer, Widened, TwiceTheBatch, Largest};
  return steps;
}

}  // namespace tilewise::reference
