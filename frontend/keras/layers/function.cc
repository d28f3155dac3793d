// Lambda layers, and framework functions that a functional model calls on its
// tensors: "TFOpLambda" nodes of Keras 2 (tf.math.add, tf.nn.relu, ...) and
// operation nodes of Keras 3 (keras.ops).

#include <algorithm>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"
#include "frontend/keras/layers/tensor_function.h"

namespace tilewise {
namespace {

using nlohmann::json;

// Where TensorFlow and Keras keep the functions above: "math.reduce_mean" and
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
    {"TFOpLambda", BuildFunction, true},
    {"SlicingOpLambda", BuildFunction, true},
};

}  // namespace

std::span<const LayerEntry> FunctionLayers() { return kFunctionLayers; }

}  // namespace tilewise
