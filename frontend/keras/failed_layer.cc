// See failed_layer.h.

#include "frontend/keras/failed_layer.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "frontend/keras/read_model.h"

namespace tilewise {
namespace {

// Classes whose result has the shape of their input, whatever their settings.
constexpr std::array<std::string_view, 26> kKeepShape = {"Activation",
                                                         "ActivityRegularization",
                                                         "AlphaDropout",
                                                         "BatchNormalization",
                                                         "Dropout",
                                                         "ELU",
                                                         "GaussianDropout",
                                                         "GaussianNoise",
                                                         "GroupNormalization",
                                                         "LayerNormalization",
                                                         "LeakyReLU",
                                                         "Masking",
                                                         "Normalization",
                                                         "PReLU",
                                                         "RandomBrightness",
                                                         "RandomContrast",
                                                         "RandomFlip",
                                                         "ReLU",
                                                         "Rescaling",
                                                         "Softmax",
                                                         "SpatialDropout1D",
                                                         "SpatialDropout2D",
                                                         "SpatialDropout3D",
                                                         "SpectralNormalization",
                                                         "ThresholdedReLU",
                                                         "UnitNormalization"};

// With the last dim replaced by an integer of the configuration.
std::optional<Shape> WithLast(LayerContext& ctx, const char* key) {
  Shape shape = ctx.shape(ctx.input());
  const nlohmann::json* size = ctx.config.Find(key);
  const auto known = size == nullptr ? std::nullopt : AsInteger(*size);
  if (!known || *known < 1 || shape.rank() < 2) return std::nullopt;
  shape.dims.back() = {*known, false};
  return shape;
}

std::optional<Shape> ImpliedShape(LayerContext& ctx) {
  const Shape input = ctx.shape(ctx.input());
  if (const auto dims = ctx.StatedDims(0)) return Shape(input.dtype, *dims);
  const std::string& name = ctx.layer.class_name;
  if (std::find(kKeepShape.begin(), kKeepShape.end(), name) != kKeepShape.end()) {
    return input;
  }
  if (name == "Dense") return WithLast(ctx, "units");
  return std::nullopt;
}

}  // namespace

std::vector<OpId> StandInResults(LayerContext& ctx, const std::string& cause) {
  const std::string name = ClassInFile(ctx.layer);
  const std::optional<Shape> shape = ctx.inputs.empty() ? std::nullopt : ImpliedShape(ctx);
  if (!shape) {
    ctx.builder.Fail(
        fmt::format("{}; the file does not say what shape this layer of class {} gives, so "
                    "what follows it cannot be read: correct its configuration, or export "
                    "what it computes: tf.saved_model.save(model, 'DIR')",
                    cause, name));
    return {};
  }
  std::vector<OpId> results = {
      ctx.Opaque(*shape, fmt::format("cannot be built for layer {}: {}", ctx.layer.name, cause))};
  for (int32_t i = 1; const auto dims = ctx.StatedDims(i); ++i) {
    results.push_back(ctx.builder.Opaque(name, ctx.inputs, {shape->dtype, *dims}));
  }
  return results;
}

}  // namespace tilewise
