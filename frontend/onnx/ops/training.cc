// Graphs that train: optimizers of the preview domain, and gradients as ONNX
// Runtime's training writes them. Gradients that are not written out here are
// opaque ops of the shapes of what they are gradients of.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/convolution.h"
#include "frontend/onnx/ops/made.h"
#include "library/activations.h"
#include "library/reductions.h"
#include "library/term.h"
#include "library/windows.h"

namespace tilewise::onnx {
namespace {

// Operands R, T, then `kinds` lists of as many tensors; 0 when they are not.
size_t TensorsOf(NodeContext& ctx, size_t kinds) {
  const size_t rest = ctx.input_count() < 2 ? 0 : ctx.input_count() - 2;
  if (rest == 0 || rest % kinds != 0) {
    ctx.Fail(fmt::format("found {} operands of an optimizer", ctx.input_count()));
    return 0;
  }
  return rest / kinds;
}

Term In(NodeContext& ctx, size_t i) { return {ctx.builder(), ctx.Input(i)}; }

// Gradient `g` of weights `x`, with their decay.
Term Decayed(NodeContext& ctx, Term x, Term g) { return x * ctx.Float("norm_coefficient", 0) + g; }

void Adam(NodeContext& ctx) {
  const size_t n = TensorsOf(ctx, 4);
  const double alpha = ctx.Float("alpha", 0.9);
  const double beta = ctx.Float("beta", 0.999);
  for (size_t i = 0; i < n && ctx.ok(); ++i) {
    const Term x = In(ctx, 2 + i);
    const Term g = Decayed(ctx, x, In(ctx, 2 + n + i));
    const Term v = In(ctx, 2 + 2 * n + i) * alpha + g * (1 - alpha);
    const Term h = In(ctx, 2 + 3 * n + i) * beta + Square(g) * (1 - beta);
    const Term step = v / (Sqrt(h) + ctx.Float("epsilon", 1e-6));
    ctx.Set(i, (x - step * In(ctx, 0)).id);
    ctx.Set(n + i, v.id);
    ctx.Set(2 * n + i, h.id);
  }
}

void Momentum(NodeContext& ctx) {
  const size_t n = TensorsOf(ctx, 3);
  for (size_t i = 0; i < n && ctx.ok(); ++i) {
    const Term x = In(ctx, 2 + i);
    const Term g = Decayed(ctx, x, In(ctx, 2 + n + i));
    const Term v = In(ctx, 2 + 2 * n + i) * ctx.Float("alpha", 0.9) + g * ctx.Float("beta", 1);
    ctx.Set(i, (x - v * In(ctx, 0)).id);
    ctx.Set(n + i, v.id);
  }
}

void Adagrad(NodeContext& ctx) {
  const size_t n = TensorsOf(ctx, 3);
  for (size_t i = 0; i < n && ctx.ok(); ++i) {
    const Term x = In(ctx, 2 + i);
    const Term g = Decayed(ctx, x, In(ctx, 2 + n + i));
    const Term h = In(ctx, 2 + 2 * n + i) + Square(g);
    const Term step = g / (Sqrt(h) + ctx.Float("epsilon", 1e-6)) * In(ctx, 0);
    ctx.Set(i, (x - step).id);
    ctx.Set(n + i, h.id);
  }
}

// Makes one gradient of each of the first operands.
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
    sizes.push_back(ctx.ShapeOf(2).dims[i].factor);
  }
  const WindowSpec window = WindowOf(ctx, sizes, SpatialSizes(b, x, true));
  if (!ctx.ok()) return;
  ConvAttrs forward;
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

// dy, y -> dx.
template <OpId (*kGradient)(GraphBuilder&, OpId, OpId)>
void OfResult(NodeContext& ctx) {
  ctx.Set(0, kGradient(ctx.builder(), ctx.Input(1), ctx.Input(0)));
}

Term SumAlongAxis(NodeContext& ctx, Term x) {
  return x.Of(ReduceOf(x.b(), Reduction::kSum, x.id, {ctx.Int("axis", -1)}, true));
}

void SoftmaxGrad(NodeContext& ctx) {
  const Term dy = In(ctx, 0), y = In(ctx, 1);
  ctx.Set(0, (y * (dy - SumAlongAxis(ctx, dy * y))).id);
}

void LogSoftmaxGrad(NodeContext& ctx) {
  const Term dy = In(ctx, 0), y = In(ctx, 1);
  ctx.Set(0, (dy - Exp(y) * SumAlongAxis(ctx, dy)).id);
}

void DropoutGrad(NodeContext& ctx) {
  const Term dy = In(ctx, 0), kept = In(ctx, 1);
  const double ratio = ctx.KnownNumber(2).value_or(0.5);
  const double scale = ratio < 1 && ratio >= 0 ? 1 / (1 - ratio) : 1;
  ctx.Set(0, Where(kept, dy * scale, dy.Like(0)).id);
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
  const Term step = In(ctx, 2) * In(ctx, 0);
  ctx.Set(0, (In(ctx, 1) - step).id);
  if (ctx.Wants(1)) ctx.Set(1, (-step).id);
}

constexpr OpEntry kTrainingOps[] = {
    {kPreviewTraining, "Adam", Adam},
    {kPreviewTraining, "Momentum", Momentum},
    {kPreviewTraining, "Adagrad", Adagrad},
    {kPreviewTraining, "Gradient", Gradient},
    {kMicrosoft, "ConvGrad", ConvGrad},
    {kMicrosoft, "ReluGrad", OfResult<ReluGradient>},
    {kMicrosoft, "SigmoidGrad", OfResult<SigmoidGradient>},
    {kMicrosoft, "TanhGrad", OfResult<TanhGradient>},
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
