// Lambda layers, and framework functions that a functional model calls on its
// tensors: "TFOpLambda" nodes of Keras 2 (tf.math.add, tf.nn.relu, ...) and
// operation nodes of Keras 3 (keras.ops); those that arrange elements anew.

#include <algorithm>

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/keras/layers/families.h"
#include "library/broadcast.h"
#include "library/rearrange.h"

namespace tilewise {
namespace {

using nlohmann::json;

// The dims named by `axis`; without it all dims of one element.
std::vector<bool> SqueezedDims(LayerContext& ctx, const Shape& shape, const json* axis) {
  std::vector<bool> squeezed(shape.dims.size(), axis == nullptr);
  if (axis == nullptr) return squeezed;
  for (const json& item : axis->is_array() ? *axis : json::array({*axis})) {
    const int64_t d = ctx.NormalizeAxis(AsInteger(item).value_or(int64_t{1} << 31), shape.rank());
    if (d < shape.rank()) squeezed[d] = true;
  }
  return squeezed;
}

// TensorFlow and Keras keep the functions above here: "math.reduce_mean" and
// "reduce_mean" are one function, "image.transpose" is another.
constexpr std::string_view kNamespaces[] = {
    "",          "math",          "linalg", "__operators__", "compat.v1", "compat.v1.math",
    "keras.ops", "keras.backend", "nn",
};

LayerFunction FindFunction(std::string_view name) {
  const size_t dot = name.rfind('.');
  const bool plain = dot == std::string_view::npos;
  const std::string_view space = plain ? "" : name.substr(0, dot);
  if (std::ranges::find(kNamespaces, space) == std::end(kNamespaces)) {
    return nullptr;
  }
  const std::string_view last = plain ? name : name.substr(dot + 1);
  return FindTensorFunction(last);
}

OpId BuildFunction(LayerContext& ctx) {
  const std::string name = ctx.config.Text("function", "");
  if (const LayerFunction function = FindFunction(name)) return function(ctx);
  const size_t dot = name.rfind('.');
  const std::string last = dot == std::string::npos ? name : name.substr(dot + 1);
  if (IsActivation(last)) return ApplyActivation(ctx, last, ctx.input());
  return ctx.Opaque(ctx.shape(ctx.input()),
                    fmt::format("calls {}, which is not known",
                                name.empty() ? "an unnamed function" : name.substr(0, 60)));
}

OpId BuildLambda(LayerContext& ctx) {
  Shape shape = ctx.shape(ctx.input());
  const json* given = ctx.config.Find("output_shape");
  if (given != nullptr && given->is_array() && !shape.dims.empty()) {
    std::vector<Dim> dims = {shape.dims[0]};
    for (const json& size : *given) {
      // A leading null is the batch.
      if (size.is_null() && dims.size() == 1) continue;
      dims.push_back({AsInteger(size).value_or(0), false});
      if (dims.back().factor < 1) dims.clear();
      if (dims.empty()) break;
    }
    if (!dims.empty()) shape.dims = dims;
  }
  return ctx.Opaque(shape, "runs code that the file does not describe");
}

constexpr LayerEntry kFunctionLayers[] = {
    {"Lambda", BuildLambda, true},
    {"TFOpLambda|SlicingOpLambda", BuildFunction, true},
};

}  // namespace

std::span<const LayerEntry> FunctionLayers() { return kFunctionLayers; }

const json* Argument(const LayerContext& ctx, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const json* found = MemberOf(ctx.call.kwargs, name)) return found;
  }
  return nullptr;
}

bool CallFlag(const LayerContext& ctx, const char* name) {
  const nlohmann::json* flag = Argument(ctx, {name});
  return flag != nullptr && *flag == true;
}

OpId ReshapeTo(LayerContext& ctx) {
  const json* shape = Argument(ctx, {"shape", "newshape", "y"});
  const Shape from = ctx.shape(ctx.input());
  int64_t elements = 1;
  for (size_t i = 1; i < from.dims.size(); ++i) {
    elements = CheckedMul(elements, from.dims[i].factor).value_or(1);
  }
  std::vector<Dim> dims = {from.dims.empty() ? Dim{} : from.dims[0]};
  int64_t product = 1;
  size_t open = 0;
  for (size_t i = 1; shape != nullptr && i < shape->size(); ++i) {
    const int64_t size = AsInteger((*shape)[i]).value_or(-1);
    if (size < 1) open = i;
    product = CheckedMul(product, size < 1 ? 1 : size).value_or(elements + 1);
    dims.push_back({size, false});
  }
  if (open != 0 && elements % product == 0) {
    dims[open].factor = elements / product;
    product = elements;
  }
  if (shape == nullptr || !shape->is_array() || product != elements) {
    return ctx.Opaque(from, "has a target shape that cannot be read");
  }
  return ctx.builder.Reshape(ctx.input(), dims);
}

OpId TransposeTo(LayerContext& ctx) {
  const json* perm = Argument(ctx, {"perm", "axes", "pattern", "y"});
  std::vector<int64_t> order;
  if (perm != nullptr && perm->is_array()) {
    for (const json& d : *perm) order.push_back(AsInteger(d).value_or(-1));
  }
  return ctx.builder.Transpose(ctx.input(), order);
}

OpId ExpandDims(LayerContext& ctx) {
  const json* axis = Argument(ctx, {"axis", "y"});
  return Unsqueezed(ctx.builder, ctx.input(), {axis ? AsInteger(*axis).value_or(0) : -1});
}

OpId Squeeze(LayerContext& ctx) {
  const Shape shape = ctx.shape(ctx.input());
  const std::vector<bool> squeezed = SqueezedDims(ctx, shape, Argument(ctx, {"axis", "y"}));
  std::vector<Dim> kept;
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    const bool unit = shape.dims[i] == Dim{1, false};
    if (!squeezed[i] || !unit) kept.push_back(shape.dims[i]);
  }
  return ctx.builder.Reshape(ctx.input(), kept);
}

OpId ConcatenateInputs(LayerContext& ctx) {
  const json* axis = Argument(ctx, {"axis", "y"});
  const int64_t dim =
      ctx.NormalizeAxis(axis ? AsInteger(*axis).value_or(0) : -1, ctx.rank(ctx.input()));
  return ctx.builder.Concatenate(ctx.inputs, dim);
}

OpId StackInputs(LayerContext& ctx) {
  const json* axis = Argument(ctx, {"axis", "y"});
  for (const OpId x : ctx.inputs) {
    if (ctx.rank(x) == ctx.rank(ctx.input())) continue;
    return ctx.Opaque(ctx.shape(ctx.input()), "stacks tensors of different ranks");
  }
  return Stack(ctx.builder, ctx.inputs, axis ? AsInteger(*axis).value_or(0) : 0);
}

}  // namespace tilewise
