// Layers that join several tensors.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"
#include "library/broadcast.h"
#include "library/normalizations.h"

namespace tilewise {
namespace {

template <OpKind kKind>
OpId BuildJoined(LayerContext& ctx) {
  return CombineInputs(ctx, kKind);
}
OpId BuildSubtract(LayerContext& ctx) {
  if (!NumberArgument(ctx) && !ctx.ExpectInputs(2)) return kNoOp;
  return CombineInputs(ctx, OpKind::kSubtract);
}
OpId BuildAverage(LayerContext& ctx) {
  return ctx.builder.BinaryScalar(OpKind::kMultiply, CombineInputs(ctx, OpKind::kAdd),
                                  1.0 / static_cast<double>(ctx.inputs.size()));
}

// An opaque result's shape was a guess. What it is joined with corrects it:
// the other dims are the partner's, and the number of elements is kept.
OpId CorrectGuess(LayerContext& ctx, OpId x, const Shape& partner, size_t axis) {
  const Shape guess = ctx.shape(x);
  if (ctx.builder.op(x).kind != OpKind::kOpaque || guess.rank() != partner.rank()) {
    return x;
  }
  Shape corrected = partner.WithType(guess.dtype);
  double elements = 1;
  double others = 1;
  for (size_t i = 1; i < guess.dims.size(); ++i) {
    elements *= static_cast<double>(guess.dims[i].factor);
    if (i != axis) others *= static_cast<double>(partner.dims[i].factor);
  }
  const auto size = static_cast<int64_t>(elements / std::max(others, 1.0));
  if (size < 1) return x;
  corrected.dims[axis] = {size, false};
  if (corrected == guess) return x;
  return ctx.builder.Opaque(ctx.builder.op(x).as<OpaqueAttrs>().label, {x}, corrected);
}

OpId BuildConcatenate(LayerContext& ctx) {
  const int64_t axis = ctx.NormalizeAxis(ctx.config.Integer("axis", -1), ctx.rank(ctx.input()));
  if (!ctx.builder.ok()) return kNoOp;
  const auto known = std::find_if(ctx.inputs.begin(), ctx.inputs.end(), [&](OpId id) {
    return ctx.builder.op(id).kind != OpKind::kOpaque;
  });
  if (known != ctx.inputs.end() && axis > 0) {
    const Shape partner = ctx.shape(*known);
    for (OpId& input : ctx.inputs) {
      input = CorrectGuess(ctx, input, partner, static_cast<size_t>(axis));
    }
  }
  return ctx.builder.Concatenate(ctx.inputs, axis);
}

OpId BuildDot(LayerContext& ctx) {
  if (!ctx.ExpectInputs(2)) return kNoOp;
  // Keras 1 wrote [[1], [1]].
  std::vector<int64_t> axes;
  const nlohmann::json* given = ctx.config.Find("axes");
  if (given != nullptr && given->is_array()) {
    for (const nlohmann::json& item : *given) {
      const nlohmann::json& axis = item.is_array() && item.size() == 1 ? item[0] : item;
      axes.push_back(AsInteger(axis).value_or(-1));
    }
  } else {
    axes = ctx.config.Integers("axes");
  }
  if (axes.empty()) axes = {-1};
  if (axes.size() == 1) axes.push_back(axes[0]);
  OpId x = ctx.inputs[0];
  OpId y = ctx.inputs[1];
  const int64_t x_axis = ctx.NormalizeAxis(axes[0], ctx.rank(x));
  const int64_t y_axis = ctx.NormalizeAxis(axes[1], ctx.rank(y));
  if (ctx.config.Flag("normalize", false)) {
    x = UnitLength(ctx.builder, x, x_axis);
    y = UnitLength(ctx.builder, y, y_axis);
  }
  const OpId dot = ctx.builder.Dot(x, y, {{0}, {0}, {x_axis}, {y_axis}});
  if (ctx.rank(dot) != 1) return dot;
  return ctx.builder.Reshape(dot, {ctx.shape(dot).dims[0], {1, false}});
}

// A Keras 1 Merge whose mode is a function; the others became the class of
// their mode.
OpId BuildMerge(LayerContext& ctx) {
  return ctx.Opaque(ctx.shape(ctx.input()), "has a mode that is a function");
}

constexpr LayerEntry kMergingLayers[] = {
    {"Add", BuildJoined<OpKind::kAdd>},
    {"Subtract", BuildSubtract},
    {"Multiply", BuildJoined<OpKind::kMultiply>},
    {"Average", BuildAverage},
    {"Maximum", BuildJoined<OpKind::kMaximum>},
    {"Minimum", BuildJoined<OpKind::kMinimum>},
    {"Dot", BuildDot},
    {"Concatenate", BuildConcatenate},
    {"Merge", BuildMerge},
};

}  // namespace

std::optional<double> NumberArgument(const LayerContext& ctx) {
  for (const char* name : {"y", "x2", "x1", "x"}) {
    const nlohmann::json* found = Argument(ctx, {name});
    if (found != nullptr && found->is_number()) return found->get<double>();
  }
  const nlohmann::json* args = Argument(ctx, {"args"});
  if (args == nullptr || !args->is_array()) return std::nullopt;
  for (const nlohmann::json& item : *args) {
    if (item.is_number()) return item.get<double>();
  }
  return std::nullopt;
}

OpId CombineInputs(LayerContext& ctx, OpKind kind) {
  OpId y = ctx.inputs[0];
  for (size_t i = 1; i < ctx.inputs.size(); ++i) {
    y = BinaryOf(ctx.builder, kind, y, ctx.inputs[i]);
  }
  const std::optional<double> number = NumberArgument(ctx);
  if (ctx.inputs.size() > 1 || !number) return y;
  return ctx.builder.BinaryScalar(kind, y, *number);
}

std::span<const LayerEntry> MergingLayers() { return kMergingLayers; }

}  // namespace tilewise
