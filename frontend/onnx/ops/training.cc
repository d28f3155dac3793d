// Graphs that train: optimizers of the preview domain, and gradients as ONNX
// Runtime's training writes them. Gradients that are not written out here are
// opaque ops of the shapes of what they are gradients of.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/convolution.h"
#include "frontend/onnx/ops/made.h"
#include "frontend/tensor/broadcast.h"
#include "frontend/tensor/elementary.h"
#include "frontend/tensor/reductions.h"
#include "frontend/tensor/windows.h"

namespace tilewise::onnx {
namespace {

OpId Times(GraphBuilder& b, OpId x, OpId y) {
  return BinaryOf(b, OpKind::kMultiply, x, y);
}

OpId Plus(GraphBuilder& b, OpId x, OpId y) {
  return BinaryOf(b, OpKind::kAdd, x, y);
}

OpId Scale(GraphBuilder& b, OpId x, double factor) {
  return WithScalar(b, OpKind::kMultiply, x, factor);
}

// a x + (1 - a) y.
OpId Mixed(GraphBuilder& b, OpId x, OpId y, double a) {
  return Plus(b, Scale(b, x, a), Scale(b, y, 1 - a));
}

// Operands R, T, then `kinds` lists of as many tensors; 0 when they are not.
size_t TensorsOf(NodeContext& ctx, size_t kinds) {
  const size_t rest = ctx.input_count() < 2 ? 0 : ctx.input_count() - 2;
  if (rest == 0 || rest % kinds != 0) {
    ctx.Fail(
        fmt::format("found {} operands of an optimizer", ctx.input_count()));
    return 0;
  }
  return rest / kinds;
}

void Adam(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const size_t n = TensorsOf(ctx, 4);
  const double alpha = ctx.Float("alpha", 0.9);
  const double beta = ctx.Float("beta", 0.999);
  for (size_t i = 0; i < n && ctx.ok(); ++i) {
    const OpId x = ctx.Input(2 + i);
    const OpId g = Plus(b, Scale(b, x, ctx.Float("norm_coefficient", 0)),
                        ctx.Input(2 + n + i));
    const OpId v = Mixed(b, ctx.Input(2 + 2 * n + i), g, alpha);
    const OpId h = Mixed(b, ctx.Input(2 + 3 * n + i), Square(b, g), beta);
    const OpId root = WithScalar(b, OpKind::kAdd, b.Unary(OpKind::kSqrt, h),
                                 ctx.Float("epsilon", 1e-6));
    const OpId step = b.Binary(OpKind::kDivide, v, root);
    const OpId moved = Times(b, step, ctx.Input(0));
    ctx.Set(i, b.Binary(OpKind::kSubtract, x, moved));
    ctx.Set(n + i, v);
    ctx.Set(2 * n + i, h);
  }
}

void Momentum(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const size_t n = TensorsOf(ctx, 3);
  for (size_t i = 0; i < n && ctx.ok(); ++i) {
    const OpId x = ctx.Input(2 + i);
    const OpId g = Plus(b, Scale(b, x, ctx.Float("norm_coefficient", 0)),
                        ctx.Input(2 + n + i));
    const OpId v =
        Plus(b, Scale(b, ctx.Input(2 + 2 * n + i), ctx.Float("alpha", 0.9)),
             Scale(b, g, ctx.Float("beta", 1)));
    ctx.Set(i, b.Binary(OpKind::kSubtract, x, Times(b, v, ctx.Input(0))));
    ctx.Set(n + i, v);
  }
}

void Adagrad(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const size_t n = TensorsOf(ctx, 3);
  for (size_t i = 0; i < n && ctx.ok(); ++i) {
    const OpId x = ctx.Input(2 + i);
    const OpId g = Plus(b, Scale(b, x, ctx.Float("norm_coefficient", 0)),
                        ctx.Input(2 + n + i));
    const OpId h = Plus(b, ctx.Input(2 + 2 * n + i), Square(b, g));
    const OpId root = WithScalar(b, OpKind::kAdd, b.Unary(OpKind::kSqrt, h),
                                 ctx.Float("epsilon", 1e-6));
    const OpId step =
        Times(b, b.Binary(OpKind::kDivide, g, root), ctx.Input(0));
    ctx.Set(i, b.Binary(OpKind::kSubtract, x, step));
    ctx.Set(n + i, h);
  }
}

// Of the first operands, one gradient each.
void Gradient(NodeContext& ctx) {
  for (size_t i = 0; i < ctx.output_count(); ++i) {
    if (ctx.Has(i)) ctx.SetOpaque(i, ctx.ShapeOf(i));
  }
}

// Results 0, 1, 2 have the shapes of operands `kFirst` and on.
template <size_t kFirst>
void LikeOperands(NodeContext& ctx) {
  for (size_t i = 0; i < ctx.output_count(); ++i) {
    if (!ctx.Has(kFirst + i)) continue;
    ctx.SetOpaque(i, ctx.ShapeOf(kFirst + i));
  }
}

// dy, x, kernel -> dx, dkernel, dbias.
void ConvGrad(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId dy = ctx.Input(0);
  const OpId x = ctx.Input(1);
  const int64_t rank = ctx.ShapeOf(2).rank();
  if (!ctx.ok() || rank < 3 || b.shape(x).rank() != rank) {
    return ctx.Fail("found operands of different ranks, expected 3 or more");
  }
  std::vector<int64_t> sizes;
  for (int64_t i = 2; i < rank; ++i) {
    sizes.push_back(ctx.ShapeOf(2).dims[static_cast<size_t>(i)].factor);
  }
  const WindowSpec window = WindowOf(ctx, sizes, SpatialSizes(b, x, true));
  if (!ctx.ok()) return;
  Attributes forward;
  forward.window = window.dims;
  forward.channels_first = true;
  forward.groups = ctx.Int("group", 1);
  const std::vector<int64_t> order = KernelOrder(rank);
  const OpId kernel = ctx.WeightInput(2, {-1, order});
  if (ctx.Wants(0)) {
    ctx.Set(0, b.ConvInputGrad(dy, kernel, b.shape(x), forward));
  }
  if (ctx.Wants(1)) {
    const OpId dkernel = b.ConvKernelGrad(x, dy, b.shape(kernel), forward);
    std::vector<int64_t> back = {rank - 1, rank - 2};
    for (int64_t i = 0; i < rank - 2; ++i) back.push_back(i);
    ctx.Set(1, b.Transpose(dkernel, std::move(back)));
  }
  if (ctx.Wants(2)) {
    std::vector<int64_t> dims = {0};
    for (int64_t i = 2; i < rank; ++i) dims.push_back(i);
    ctx.Set(2, b.Reduce(Reducer::kSum, dy, std::move(dims)));
  }
}

void ReluGrad(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId dy = ctx.Input(0);
  const OpId on = CompareScalar(b, Comparison::kGt, ctx.Input(1), 0);
  ctx.Set(0, b.Select(on, dy, FilledLike(b, dy, 0)));
}

// dy y (1 - y).
void SigmoidGrad(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId y = ctx.Input(1);
  const OpId rest = ScalarWith(b, OpKind::kSubtract, 1, y);
  ctx.Set(0, Times(b, ctx.Input(0), Times(b, y, rest)));
}

// dy (1 - y^2).
void TanhGrad(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId rest =
      ScalarWith(b, OpKind::kSubtract, 1, Square(b, ctx.Input(1)));
  ctx.Set(0, Times(b, ctx.Input(0), rest));
}

// y (dy - sum(dy y)).
void SoftmaxGrad(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId dy = ctx.Input(0);
  const OpId y = ctx.Input(1);
  const OpId sum = ReduceOf(b, Reduction::kSum, Times(b, dy, y),
                            {ctx.Int("axis", -1)}, true);
  ctx.Set(0, Times(b, y, BinaryOf(b, OpKind::kSubtract, dy, sum)));
}

// dy - exp(y) sum(dy).
void LogSoftmaxGrad(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId dy = ctx.Input(0);
  const OpId y = ctx.Input(1);
  const OpId sum =
      ReduceOf(b, Reduction::kSum, dy, {ctx.Int("axis", -1)}, true);
  ctx.Set(0, BinaryOf(b, OpKind::kSubtract, dy,
                      Times(b, b.Unary(OpKind::kExp, y), sum)));
}

void DropoutGrad(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId dy = ctx.Input(0);
  const double ratio = ctx.KnownNumberAt(2).value_or(0.5);
  const OpId scaled =
      Scale(b, dy, ratio < 1 && ratio >= 0 ? 1 / (1 - ratio) : 1);
  ctx.Set(0, SelectOf(b, ctx.Input(1), scaled, FilledLike(b, dy, 0)));
}

// Shape of the table, indices, dy: rows added up where they came from.
void GatherGrad(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const MaybeKnown shape = ctx.Known(0);
  const auto dims = shape ? KnownAsDims(*shape) : std::nullopt;
  if (!dims || ctx.Int("axis", 0) != 0) {
    return ctx.Fail("found a table whose shape is not known");
  }
  const OpId dy = ctx.Input(2);
  ctx.Set(0, b.ScatterAdd(ctx.Input(1), dy, {b.shape(dy).dtype, *dims}));
}

// eta, weights, gradients -> new weights.
void SgdOptimizer(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId w = ctx.Input(1);
  const OpId step = Times(b, ctx.Input(2), ctx.Input(0));
  ctx.Set(0, BinaryOf(b, OpKind::kSubtract, w, step));
  if (ctx.Wants(1)) ctx.Set(1, b.Unary(OpKind::kNegate, step));
}

constexpr OpEntry kTrainingOps[] = {
    {kPreviewTraining, "Adam", Adam},
    {kPreviewTraining, "Momentum", Momentum},
    {kPreviewTraining, "Adagrad", Adagrad},
    {kPreviewTraining, "Gradient", Gradient},
    {kMicrosoft, "ConvGrad", ConvGrad},
    {kMicrosoft, "ReluGrad", ReluGrad},
    {kMicrosoft, "SigmoidGrad", SigmoidGrad},
    {kMicrosoft, "TanhGrad", TanhGrad},
    {kMicrosoft, "SoftmaxGrad", SoftmaxGrad},
    {kMicrosoft, "SoftmaxGrad_13", SoftmaxGrad},
    {kMicrosoft, "LogSoftmaxGrad", LogSoftmaxGrad},
    {kMicrosoft, "LogSoftmaxGrad_13", LogSoftmaxGrad},
    {kMicrosoft, "DropoutGrad", DropoutGrad},
    {kMicrosoft, "GatherGrad", GatherGrad},
    {kMicrosoft, "SGDOptimizer", SgdOptimizer},
    {kMicrosoft, "GeluGrad", LikeOperands<1>},
    {kMicrosoft, "FastGeluGrad", LikeOperands<1>},
    {kMicrosoft, "BiasGeluGrad_dX", LikeOperands<1>},
    {kMicrosoft, "LayerNormalizationGrad", LikeOperands<1>},
    {kMicrosoft, "SimplifiedLayerNormalizationGrad", LikeOperands<1>},
    {kMicrosoft, "BatchNormalizationGrad", LikeOperands<1>},
};

}  // namespace

std::span<const OpEntry> TrainingOps() { return kTrainingOps; }

}  // namespace tilewise::onnx
