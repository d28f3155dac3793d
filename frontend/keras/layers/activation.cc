// Activations by name, and the layers that are one.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"
#include "library/activations.h"
#include "library/broadcast.h"
#include "library/normalizations.h"
#include "library/term.h"

namespace tilewise {
namespace {

struct NamedActivation {
  std::string_view name;
  OpId (*apply)(GraphBuilder&, OpId);
};
constexpr NamedActivation kActivations[] = {
    {"linear", [](GraphBuilder&, OpId x) { return x; }},
    {"relu", Relu},
    {"relu6", Relu6},
    {"leaky_relu", [](GraphBuilder& b, OpId x) { return LeakyRelu(b, x, 0.2); }},
    {"elu", [](GraphBuilder& b, OpId x) { return Elu(b, x); }},
    {"selu", [](GraphBuilder& b, OpId x) { return Selu(b, x); }},
    {"gelu", [](GraphBuilder& b, OpId x) { return b.Gelu(x, false); }},
    {"sigmoid", [](GraphBuilder& b, OpId x) { return b.Unary(OpKind::kLogistic, x); }},
    {"log_sigmoid", LogSigmoid},
    {"hard_sigmoid", [](GraphBuilder& b, OpId x) { return HardSigmoid(b, x, 0.2, 0.5); }},
    {"tanh", [](GraphBuilder& b, OpId x) { return b.Unary(OpKind::kTanh, x); }},
    {"swish", [](GraphBuilder& b, OpId x) { return Swish(b, x); }},
    {"silu", [](GraphBuilder& b, OpId x) { return Swish(b, x); }},
    {"hard_silu", HardSwish},
    {"hard_swish", HardSwish},
    {"softplus", Softplus},
    {"softsign", Softsign},
    {"mish", Mish},
    {"exponential", [](GraphBuilder& b, OpId x) { return b.Unary(OpKind::kExp, x); }},
    {"softmax", [](GraphBuilder& b, OpId x) { return SoftmaxOf(b, x, -1); }},
    {"log_softmax", [](GraphBuilder& b, OpId x) { return LogSoftmaxOf(b, x, -1); }},
};

OpId BuildActivation(LayerContext& ctx) { return ctx.Activate(ctx.input()); }

OpId BuildRelu(LayerContext& ctx) {
  GraphBuilder& b = ctx.builder;
  const double slope = ctx.config.Number("negative_slope", 0);
  const double threshold = ctx.config.Number("threshold", 0);
  OpId y = ctx.input();
  if (threshold == 0) {
    y = slope == 0 ? Relu(b, y) : LeakyRelu(b, y, slope);
  } else if (slope == 0) {
    y = ThresholdedRelu(b, y, threshold);
  } else {
    const Term x(b, y);
    y = Where(Compared(Comparison::kGt, x, threshold), x, (x - threshold) * slope).id;
  }
  if (!ctx.config.Has("max_value")) return y;
  return Clamp(b, y, std::nullopt, ctx.config.Number("max_value", 0));
}

OpId BuildLeakyRelu(LayerContext& ctx) {
  return LeakyRelu(ctx.builder, ctx.input(),
                   ctx.config.Number("negative_slope", ctx.config.Number("alpha", 0.3)));
}

OpId BuildElu(LayerContext& ctx) {
  return Elu(ctx.builder, ctx.input(), ctx.config.Number("alpha", 1));
}

OpId BuildThresholdedRelu(LayerContext& ctx) {
  return ThresholdedRelu(ctx.builder, ctx.input(), ctx.config.Number("theta", 1));
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
    if (dim > 0) sizes[dim - 1] = 1;
  }
  return Prelu(ctx.builder, ctx.input(), ctx.Variable("alpha", sizes));
}

OpId BuildSoftmax(LayerContext& ctx) {
  const std::vector<int64_t> axes = ctx.config.Integers("axis");
  if (axes.size() > 1) ctx.builder.Fail("axis is a list, expected one axis");
  return SoftmaxOf(ctx.builder, ctx.input(), axes.empty() ? -1 : axes[0]);
}

constexpr LayerEntry kActivationLayers[] = {
    {"Activation", BuildActivation}, {"ReLU", BuildRelu}, {"LeakyReLU", BuildLeakyRelu},
    {"PReLU", BuildPRelu},           {"ELU", BuildElu},   {"ThresholdedReLU", BuildThresholdedRelu},
    {"Softmax", BuildSoftmax},
};

}  // namespace

bool IsActivation(std::string_view name) {
  return std::ranges::find(kActivations, name, &NamedActivation::name) != std::end(kActivations);
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
