// Support vector machines: the kernel of all rows with all vectors is a matmul
// and elementwise ops, the decisions are matmuls with the coefficients. Where
// probabilities are coupled from pairs of classes, that is left out: it is
// iterated over numbers of a few classes.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/classical.h"
#include "library/broadcast.h"

namespace tilewise::onnx {
namespace {

// One of several numbers that a kernel is set by: gamma, coef0, degree.
double KernelParameter(NodeContext& ctx, size_t i, double fallback) {
  const std::vector<double> parameters = ctx.Floats("kernel_params");
  return i < parameters.size() ? parameters[i] : fallback;
}

OpId Weights(NodeContext& ctx, std::string_view name, const std::vector<int64_t>& sizes) {
  return ctx.builder().Variable(Shape::Of(DType::kF32, sizes), name,
                                /*trainable=*/false);
}

// Sums of squares along the last dim.
OpId SquaredLength(GraphBuilder& b, OpId x) {
  return b.Reduce(Reducer::kSum, b.Binary(OpKind::kMultiply, x, x), {1});
}

// exp(-gamma |x - v|^2), of which the products of x and v are made.
OpId RadialBasis(NodeContext& ctx, OpId x, OpId vectors, OpId products) {
  GraphBuilder& b = ctx.builder();
  const OpId twice = WithScalar(b, OpKind::kMultiply, products, 2);
  const OpId lengths = b.Binary(OpKind::kAdd, AlongDim(b, SquaredLength(b, x), products, 0),
                                AlongDim(b, SquaredLength(b, vectors), products, 1));
  const OpId distance = b.Binary(OpKind::kSubtract, lengths, twice);
  return b.Unary(OpKind::kExp,
                 WithScalar(b, OpKind::kMultiply, distance, -KernelParameter(ctx, 0, 1)));
}

// x [n, features] with each of `count` vectors: [n, count].
OpId Kernel(NodeContext& ctx, OpId x, int64_t count) {
  GraphBuilder& b = ctx.builder();
  if (!ctx.ok()) return kNoOp;
  const int64_t features = b.shape(x).dims[1].factor;
  const OpId vectors = Weights(ctx, "support_vectors", {count, features});
  const OpId products = b.MatMul(x, b.Transpose(vectors, {1, 0}));
  const std::string_view type = ctx.Text("kernel_type", "LINEAR");
  if (type == "LINEAR") return products;
  if (type == "RBF") return RadialBasis(ctx, x, vectors, products);
  const OpId scaled = WithScalar(
      b, OpKind::kAdd, WithScalar(b, OpKind::kMultiply, products, KernelParameter(ctx, 0, 1)),
      KernelParameter(ctx, 1, 0));
  if (type == "SIGMOID") return b.Unary(OpKind::kTanh, scaled);
  return WithScalar(b, OpKind::kPower, scaled, KernelParameter(ctx, 2, 3));
}

// [n, width] times coefficients, plus one number for each result.
OpId Decisions(NodeContext& ctx, OpId x, int64_t results) {
  GraphBuilder& b = ctx.builder();
  if (!ctx.ok()) return kNoOp;
  const int64_t width = b.shape(x).dims[1].factor;
  const OpId y = b.MatMul(x, Weights(ctx, "coefficients", {width, results}));
  if (!ctx.ok()) return kNoOp;
  return b.Binary(OpKind::kAdd, y, AlongDim(b, Weights(ctx, "rho", {results}), y, 1));
}

// Support vectors, from how many numbers they have together; 0: none.
int64_t VectorCount(NodeContext& ctx, OpId x) {
  if (!ctx.ok()) return 0;
  const Dim features = ctx.builder().shape(x).dims[1];
  const auto numbers = static_cast<int64_t>(ctx.Floats("support_vectors").size());
  if (!features.per_batch && features.factor > 0 && numbers % features.factor == 0) {
    return numbers / features.factor;
  }
  ctx.Fail(
      fmt::format("found support vectors of {} numbers together, expected "
                  "a multiple of the {} features",
                  numbers, features.factor));
  return 0;
}

}  // namespace

void SvmRegressor(NodeContext& ctx) {
  const OpId x = FeatureRows(ctx);
  const int64_t count = VectorCount(ctx, x);
  const OpId of = count > 0 ? Kernel(ctx, x, count) : x;
  OpId y = Transformed(ctx, Decisions(ctx, of, 1));
  if (ctx.Int("one_class", 0) != 0) y = ctx.builder().Unary(OpKind::kSign, y);
  ctx.Set(0, y);
}

// A model with vectors makes a decision for each pair of classes, from which
// each class has its score; one without makes a decision for each class.
void SvmClassifier(NodeContext& ctx) {
  const int64_t classes = std::max<int64_t>(ClassCount(ctx), 1);
  const OpId x = FeatureRows(ctx);
  const int64_t count = VectorCount(ctx, x);
  OpId scores = kNoOp;
  if (count > 0) {
    const int64_t pairs = std::max<int64_t>(classes * (classes - 1) / 2, 1);
    const OpId decisions = Decisions(ctx, Kernel(ctx, x, count), pairs);
    scores = ctx.builder().MatMul(decisions, Weights(ctx, "votes_of_pairs", {pairs, classes}));
  } else {
    scores = Decisions(ctx, x, classes);
  }
  if (!ctx.Floats("prob_a").empty()) {
    scores = ctx.builder().Unary(OpKind::kLogistic, scores);
  }
  if (!ctx.ok()) return;
  SetLabels(ctx, scores);
  ctx.Set(1, Transformed(ctx, scores));
}

}  // namespace tilewise::onnx
