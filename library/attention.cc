// Heads stand behind the position, as projections leave them.

#include "library/attention.h"

#include <cmath>

#include <fmt/format.h>

#include "library/broadcast.h"
#include "library/random.h"

namespace tilewise {
namespace {

constexpr int64_t kMostHeads = 1 << 20;
constexpr double kNever = -1e9;

}  // namespace

OpId SplitHeads(GraphBuilder& builder, OpId x, int64_t heads) {
  if (!builder.ok()) return kNoOp;
  const Shape shape = builder.shape(x);
  const std::vector<Dim>& dims = shape.dims;
  if (dims.size() != 3 || heads < 1 || heads > kMostHeads || dims[2].factor % heads != 0) {
    builder.Fail(fmt::format("found {} heads in {}", heads, FormatShape(shape)));
    return kNoOp;
  }
  return builder.Reshape(x, {dims[0], dims[1], {heads, false}, {dims[2].factor / heads, false}});
}

OpId JoinHeads(GraphBuilder& builder, OpId x) {
  if (!builder.ok()) return kNoOp;
  const std::vector<Dim> dims = builder.shape(x).dims;
  return builder.Reshape(x, {dims[0], dims[1], {dims[2].factor * dims[3].factor, false}});
}

OpId MaskFuture(GraphBuilder& builder, OpId scores) {
  const Shape shape = builder.shape(scores);
  const int64_t rank = shape.rank();
  if (!builder.ok() || rank < 2) return scores;
  const Shape square(DType::kS32, {shape.dims.end() - 2, shape.dims.end()});
  const OpId seen =
      builder.Compare(Comparison::kGe, builder.Iota(square, 0), builder.Iota(square, 1));
  const OpId never = FilledLike(builder, scores, kNever);
  return builder.Select(builder.Broadcast(seen, shape.dims, {rank - 2, rank - 1}), scores, never);
}

Attended AttendScaledQueries(GraphBuilder& builder, OpId q, OpId k, OpId v,
                             const ScaledQueries& options) {
  const Shape shape = builder.shape(q);
  if (!builder.ok() || shape.rank() != 4) {
    builder.Fail(fmt::format("found queries {}, expected rank 4", FormatShape(shape)));
    return {};
  }
  const auto depth = static_cast<double>(shape.dims[3].factor);
  const OpId scaled = WithScalar(builder, OpKind::kMultiply, q, 1 / std::sqrt(depth));
  OpId scores = builder.Dot(scaled, k, {{0, 2}, {0, 2}, {3}, {3}});
  if (options.wide) scores = builder.Convert(scores, DType::kF32);
  if (options.causal) scores = MaskFuture(builder, scores);
  Attended attended;
  attended.weights = builder.Convert(builder.Softmax(scores, 3), shape.dtype);
  if (options.dropout > 0) {
    attended.weights = Dropout(builder, attended.weights, options.dropout).result;
  }
  const OpId sum = builder.Dot(attended.weights, v, {{0, 1}, {0, 2}, {3}, {1}});
  attended.result = builder.Transpose(sum, {0, 2, 1, 3});
  return attended;
}

}  // namespace tilewise
