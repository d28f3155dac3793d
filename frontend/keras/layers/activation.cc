// Activations by name, and the layers that are one.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"

namespace tilewise {
namespace {

OpId Clip(GraphBuilder& b, OpId x, double low, double high) {
  return b.BinaryScalar(OpKind::kMinimum,
                        b.BinaryScalar(OpKind::kMaximum, x, low), high);
}

OpId Filled(GraphBuilder& b, OpId like, double value) {
  const Shape shape = b.shape(like);
  return b.Broadcast(b.Scalar(value, shape.dtype), shape.dims, {});
}

// on_true where x > threshold, else on_false.
OpId Where(GraphBuilder& b, OpId x, double threshold, OpId on_true,
           OpId on_false) {
  const OpId above = b.Compare(Comparison::kGt, x, Filled(b, x, threshold));
  return b.Select(above, on_true, on_false);
}

OpId Linear(GraphBuilder&, OpId x) { return x; }
OpId Relu(GraphBuilder& b, OpId x) {
  return b.BinaryScalar(OpKind::kMaximum, x, 0);
}
OpId Relu6(GraphBuilder& b, OpId x) { return Clip(b, x, 0, 6); }
OpId Leaky(GraphBuilder& b, OpId x, double slope) {
  return Where(b, x, 0, x, b.BinaryScalar(OpKind::kMultiply, x, slope));
}
OpId LeakyRelu(GraphBuilder& b, OpId x) { return Leaky(b, x, 0.2); }
OpId Exponential(GraphBuilder& b, OpId x) { return b.Unary(OpKind::kExp, x); }
OpId EluWith(GraphBuilder& b, OpId x, double alpha) {
  OpId negative = b.BinaryScalar(OpKind::kSubtract, Exponential(b, x), 1);
  if (alpha != 1) {
    negative = b.BinaryScalar(OpKind::kMultiply, negative, alpha);
  }
  return Where(b, x, 0, x, negative);
}
OpId Elu(GraphBuilder& b, OpId x) { return EluWith(b, x, 1); }
OpId Selu(GraphBuilder& b, OpId x) {
  return b.BinaryScalar(OpKind::kMultiply, EluWith(b, x, 1.6732632423543772),
                        1.0507009873554805);
}
OpId Gelu(GraphBuilder& b, OpId x) { return b.Gelu(x, false); }
OpId Sigmoid(GraphBuilder& b, OpId x) { return b.Unary(OpKind::kLogistic, x); }
OpId LogSigmoid(GraphBuilder& b, OpId x) {
  return b.Unary(OpKind::kLog, Sigmoid(b, x));
}
OpId Tanh(GraphBuilder& b, OpId x) { return b.Unary(OpKind::kTanh, x); }
OpId Silu(GraphBuilder& b, OpId x) {
  return b.Binary(OpKind::kMultiply, x, Sigmoid(b, x));
}
OpId HardSigmoid(GraphBuilder& b, OpId x) {
  const OpId scaled = b.BinaryScalar(OpKind::kMultiply, x, 0.2);
  return Clip(b, b.BinaryScalar(OpKind::kAdd, scaled, 0.5), 0, 1);
}
OpId HardSilu(GraphBuilder& b, OpId x) {
  return b.Binary(OpKind::kMultiply, x, HardSigmoid(b, x));
}
OpId Softplus(GraphBuilder& b, OpId x) {
  return b.Unary(OpKind::kLog,
                 b.BinaryScalar(OpKind::kAdd, Exponential(b, x), 1));
}
OpId Softsign(GraphBuilder& b, OpId x) {
  const OpId below = b.BinaryScalar(OpKind::kAdd, b.Unary(OpKind::kAbs, x), 1);
  return b.Binary(OpKind::kDivide, x, below);
}
OpId Mish(GraphBuilder& b, OpId x) {
  return b.Binary(OpKind::kMultiply, x, Tanh(b, Softplus(b, x)));
}
OpId Softmax(GraphBuilder& b, OpId x) {
  return b.Softmax(x, b.shape(x).rank() - 1);
}
OpId LogSoftmax(GraphBuilder& b, OpId x) {
  return b.Unary(OpKind::kLog, Softmax(b, x));
}

struct NamedActivation {
  std::string_view name;
  OpId (*apply)(GraphBuilder&, OpId);
};
constexpr NamedActivation kActivations[] = {
    {"linear", Linear},
    {"relu", Relu},
    {"relu6", Relu6},
    {"leaky_relu", LeakyRelu},
    {"elu", Elu},
    {"selu", Selu},
    {"gelu", Gelu},
    {"sigmoid", Sigmoid},
    {"log_sigmoid", LogSigmoid},
    {"hard_sigmoid", HardSigmoid},
    {"tanh", Tanh},
    {"swish", Silu},
    {"silu", Silu},
    {"hard_silu", HardSilu},
    {"hard_swish", HardSilu},
    {"softplus", Softplus},
    {"softsign", Softsign},
    {"mish", Mish},
    {"exponential", Exponential},
    {"softmax", Softmax},
    {"log_softmax", LogSoftmax},
};

OpId BuildActivation(LayerContext& ctx) { return ctx.Activate(ctx.input()); }

OpId BuildRelu(LayerContext& ctx) {
  const double slope = ctx.config.Number("negative_slope", 0);
  const double threshold = ctx.config.Number("threshold", 0);
  OpId y = ctx.input();
  if (slope == 0 && threshold == 0) {
    y = Relu(ctx.builder, y);
  } else {
    const OpId shifted =
        ctx.builder.BinaryScalar(OpKind::kSubtract, y, threshold);
    const OpId below =
        ctx.builder.BinaryScalar(OpKind::kMultiply, shifted, slope);
    y = Where(ctx.builder, y, threshold, y, below);
  }
  if (!ctx.config.Has("max_value")) return y;
  return ctx.builder.BinaryScalar(OpKind::kMinimum, y,
                                  ctx.config.Number("max_value", 0));
}

OpId BuildLeakyRelu(LayerContext& ctx) {
  const double slope =
      ctx.config.Number("negative_slope", ctx.config.Number("alpha", 0.3));
  return Leaky(ctx.builder, ctx.input(), slope);
}

OpId BuildElu(LayerContext& ctx) {
  return EluWith(ctx.builder, ctx.input(), ctx.config.Number("alpha", 1));
}

OpId BuildThresholdedRelu(LayerContext& ctx) {
  return Where(ctx.builder, ctx.input(), ctx.config.Number("theta", 1),
               ctx.input(), Filled(ctx.builder, ctx.input(), 0));
}

// The slope is a weight of the input's shape without the batch, 1 in shared
// axes.
OpId BuildPRelu(LayerContext& ctx) {
  const Shape shape = ctx.shape(ctx.input());
  std::vector<int64_t> sizes;
  for (size_t i = 1; i < shape.dims.size(); ++i) {
    sizes.push_back(shape.dims[i].factor);
  }
  for (const int64_t axis : ctx.config.Integers("shared_axes")) {
    const int64_t dim = ctx.NormalizeAxis(axis, shape.rank());
    if (dim > 0) sizes[static_cast<size_t>(dim - 1)] = 1;
  }
  const OpId slope =
      ctx.builder.BroadcastTo(ctx.Variable("alpha", sizes), shape.dims);
  const OpId negative =
      ctx.builder.Binary(OpKind::kMultiply, ctx.input(), slope);
  return Where(ctx.builder, ctx.input(), 0, ctx.input(), negative);
}

OpId BuildSoftmax(LayerContext& ctx) {
  const std::vector<int64_t> axes = ctx.config.Integers("axis");
  if (axes.size() > 1) ctx.builder.Fail("axis is a list, expected one axis");
  const int64_t axis =
      ctx.NormalizeAxis(axes.empty() ? -1 : axes[0], ctx.rank(ctx.input()));
  return ctx.builder.Softmax(ctx.input(), axis);
}

constexpr LayerEntry kActivationLayers[] = {
    {"Activation", BuildActivation},
    {"ReLU", BuildRelu},
    {"LeakyReLU", BuildLeakyRelu},
    {"PReLU", BuildPRelu},
    {"ELU", BuildElu},
    {"ThresholdedReLU", BuildThresholdedRelu},
    {"Softmax", BuildSoftmax},
};

}  // namespace

bool IsActivation(std::string_view name) {
  return std::ranges::find(kActivations, name, &NamedActivation::name) !=
         std::end(kActivations);
}

OpId ApplyActivation(LayerContext& context, std::string_view name, OpId x) {
  for (const NamedActivation& activation : kActivations) {
    if (activation.name == name) return activation.apply(context.builder, x);
  }
  const std::string label = fmt::format("activation {}", name.substr(0, 60));
  if (!context.builder.ok()) return kNoOp;
  if (!context.state.noted) {
    context.state.noted = true;
    ++context.record.opaque[label];
    context.Note("RD001", "unknown-layer",
                 fmt::format("{} is not known; its time is missing from all "
                             "results",
                             label));
  }
  return context.builder.Opaque(label, {x}, context.shape(x));
}

std::span<const LayerEntry> ActivationLayers() { return kActivationLayers; }

}  // namespace tilewise
