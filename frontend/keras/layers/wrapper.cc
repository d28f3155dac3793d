// Layers that call another layer: once per time step, or once per direction.

#include <optional>

#include <fmt/format.h>

#include "frontend/keras/layer_arguments.h"
#include "frontend/keras/layers/families.h"

namespace tilewise {
namespace {

using nlohmann::json;

// The layer that a wrapper's configuration describes under `key`.
std::optional<KerasLayer> InnerLayer(LayerContext& ctx, const char* key) {
  const json* given = ctx.config.Find(key);
  if (given == nullptr || !given->is_object() || !given->contains("class_name") ||
      !(*given)["class_name"].is_string() || !given->contains("config") ||
      !(*given)["config"].is_object()) {
    ctx.builder.Fail(fmt::format("{} is {}, expected a layer with class_name and config", key,
                                 given == nullptr ? "missing" : DescribeJson(*given)));
    return std::nullopt;
  }
  KerasLayer inner;
  inner.class_name = CanonicalLayerClass((*given)["class_name"].get<std::string>());
  inner.config = (*given)["config"];
  ModernizeLayer(inner.class_name, inner.config);
  inner.name = ctx.layer.name;
  inner.location = ctx.layer.location;
  return inner;
}

OpId BuildTimeDistributed(LayerContext& ctx) {
  const Shape shape = ctx.shape(ctx.input());
  if (shape.rank() < 3) {
    ctx.ExpectRank(ctx.input(), 3);
    return kNoOp;
  }
  std::vector<Dim> steps(shape.dims.begin() + 1, shape.dims.end());
  const int64_t time = shape.dims[1].factor;
  steps[0] = {shape.dims[0].factor * time, shape.dims[0].per_batch};
  const OpId x = ctx.builder.Reshape(ctx.input(), steps);
  OpId y = kNoOp;
  if (ctx.nested) {
    const std::vector<OpId> results = ctx.nested({x});
    y = results.empty() ? kNoOp : results[0];
  } else if (const auto inner = InnerLayer(ctx, "layer")) {
    y = CallInner(*inner, {x}, "", ctx);
  }
  std::vector<Dim> dims = ctx.shape(y).dims;
  if (!ctx.builder.ok() || dims.empty()) return kNoOp;
  dims[0] = shape.dims[1];
  dims.insert(dims.begin(), shape.dims[0]);
  return ctx.builder.Reshape(y, dims);
}

OpId MergeDirections(LayerContext& ctx, OpId forward, OpId backward) {
  const json* given = ctx.config.Find("merge_mode");
  const bool none = given == nullptr && ctx.layer.config.contains("merge_mode");
  if (none) {
    ctx.more_outputs.insert(ctx.more_outputs.begin(), backward);
    return forward;
  }
  const std::string mode = ctx.config.Text("merge_mode", "concat");
  GraphBuilder& b = ctx.builder;
  if (mode == "concat") {
    return b.Concatenate({forward, backward}, ctx.rank(forward) - 1);
  }
  if (mode == "sum") return b.Binary(OpKind::kAdd, forward, backward);
  if (mode == "mul") return b.Binary(OpKind::kMultiply, forward, backward);
  if (mode == "ave") {
    return b.BinaryScalar(OpKind::kMultiply, b.Binary(OpKind::kAdd, forward, backward), 0.5);
  }
  b.Fail(fmt::format("merge_mode is \"{}\", expected concat, sum, mul or ave", mode.substr(0, 40)));
  return kNoOp;
}

OpId BuildBidirectional(LayerContext& ctx) {
  // Each makes two of what it holds: once the graph is full, none of them goes on.
  if (!ctx.builder.ok()) return kNoOp;
  const auto inner = InnerLayer(ctx, "layer");
  if (!inner) return kNoOp;
  KerasLayer reversed = *inner;
  if (ctx.config.Has("backward_layer")) {
    const auto given = InnerLayer(ctx, "backward_layer");
    if (!given) return kNoOp;
    reversed = *given;
  }
  reversed.config["go_backwards"] = true;
  const size_t count = ctx.inputs.size();
  std::vector<OpId> forward_inputs = {ctx.input()};
  std::vector<OpId> backward_inputs = {ctx.input()};
  // Initial states: the first half is for the forward layer.
  for (size_t i = 1; i < count; ++i) {
    (i <= (count - 1) / 2 ? forward_inputs : backward_inputs).push_back(ctx.inputs[i]);
  }
  const OpId forward = CallInner(*inner, forward_inputs, "forward_", ctx);
  OpId backward = CallInner(reversed, backward_inputs, "backward_", ctx);
  // Sequences of a backward layer come last step first; undo that by taking
  // what it reversed.
  if (ctx.builder.ok() && ctx.builder.op(backward).kind == OpKind::kReverse) {
    backward = ctx.builder.op(backward).operands[0];
  }
  return MergeDirections(ctx, forward, backward);
}

constexpr LayerEntry kWrapperLayers[] = {
    {"TimeDistributed", BuildTimeDistributed, true},
    {"Bidirectional", BuildBidirectional, true},
};

}  // namespace

std::span<const LayerEntry> WrapperLayers() { return kWrapperLayers; }

}  // namespace tilewise
