// Services for layer functions: weights shared by the calls of a layer, checks
// of operands, notes on what is not costed.

#include "frontend/keras/layer_context.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"
#include "frontend/keras/read_model.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

// The results after the first one that the file states, as opaque ones.
void AddStated(LayerContext& ctx, const std::string& name, DType dtype,
               std::vector<OpId>& results) {
  for (int32_t i = 1; const auto dims = ctx.StatedDims(i); ++i) {
    results.push_back(ctx.builder.Opaque(name, ctx.inputs, {dtype, *dims}));
  }
}

// Adds an opaque op with as many results as the file takes from it.
OpId UnknownLayer(LayerContext& context) {
  const OpId first = context.Opaque(context.shape(context.input()), "is not known");
  AddStated(context, context.layer.class_name, context.shape(context.input()).dtype,
            context.more_outputs);
  return first;
}

// A layer's dtype policy: what it computes in and what its weights are kept in.
struct DTypePolicy {
  DType compute = DType::kF32;
  DType variable = DType::kF32;
};

// Reads the "dtype" of a layer: "float32", "mixed_bfloat16", or the object that
// Keras 2 and 3 write for a policy. Null and integer types (what Keras 1 wrote
// for the input) mean `inherited`. Returns nothing for anything else.
std::optional<DTypePolicy> ReadDTypePolicy(const nlohmann::json& dtype, DTypePolicy inherited) {
  if (dtype.is_null()) return inherited;
  if (dtype.is_object()) {
    const nlohmann::json* config = MemberOf(dtype, "config");
    const nlohmann::json* name = config == nullptr ? nullptr : MemberOf(*config, "name");
    if (name == nullptr || !name->is_string()) return std::nullopt;
    return ReadDTypePolicy(*name, inherited);
  }
  if (!dtype.is_string()) return std::nullopt;
  const std::string name = dtype.get<std::string>();
  if (name == "mixed_bfloat16") return DTypePolicy{DType::kBF16, DType::kF32};
  if (name == "mixed_float16") return DTypePolicy{DType::kF16, DType::kF32};
  if (name == "float") return inherited;
  const std::optional<DType> type = ParseDType(name);
  if (!type) return std::nullopt;
  if (!IsFloat(*type)) return inherited;
  return DTypePolicy{*type, *type};
}

// Classes whose result has the shape of their input, whatever their settings.
constexpr std::string_view kKeepShape =
    "Activation|ActivityRegularization|AlphaDropout|BatchNormalization|Dropout|ELU|GaussianDropout|"
    "GaussianNoise|GroupNormalization|GroupQueryAttention|LayerNormalization|LeakyReLU|Masking|"
    "Normalization|PReLU|RandomBrightness|RandomContrast|RandomFlip|ReLU|Rescaling|Softmax|"
    "Solarization|SpatialDropout1D|SpatialDropout2D|SpatialDropout3D|SpectralNormalization|"
    "ThresholdedReLU|UnitNormalization";

// Returns the shape with its last dim replaced by an integer of the
// configuration.
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
  if (IsOneOfWords(name, kKeepShape)) {
    return input;
  }
  if (name == "Dense") return WithLast(ctx, "units");
  return std::nullopt;
}

}  // namespace

bool LayerContext::ExpectInputs(size_t count) {
  if (inputs.size() == count) return true;
  builder.Fail(
      fmt::format("{} has {} inputs, expected {}", layer.class_name, inputs.size(), count));
  return false;
}

bool LayerContext::ExpectRank(OpId x, int64_t expected) {
  if (!builder.ok()) return false;
  if (rank(x) == expected) return true;
  builder.Fail(fmt::format("input of {} is {}, expected {} dimensions", layer.class_name,
                           FormatShape(shape(x)), expected));
  return false;
}

int64_t LayerContext::NormalizeAxis(int64_t axis, int64_t of_rank) {
  const int64_t dim = axis < 0 ? axis + of_rank : axis;
  if (dim >= 0 && dim < of_rank) return dim;
  builder.Fail(fmt::format("axis is {}, expected one of {} dimensions", axis, of_rank));
  return 0;
}

OpId LayerContext::RawVariable(std::string_view name, const std::vector<int64_t>& sizes,
                               bool trainable) {
  const std::string key = variable_prefix + std::string(name);
  const auto found = state.variables.find(key);
  if (found != state.variables.end()) return found->second;
  const bool layer_trainable = config.Flag("trainable", true);
  const OpId id =
      builder.Variable(Shape::Of(variable_type, sizes), key, trainable && layer_trainable);
  state.variables.emplace(key, id);
  return id;
}

OpId LayerContext::Variable(std::string_view name, const std::vector<int64_t>& sizes,
                            bool trainable) {
  return builder.Convert(RawVariable(name, sizes, trainable), compute_type);
}

OpId LayerContext::AddBias(OpId x, OpId bias, int64_t dim) {
  return builder.Binary(OpKind::kAdd, x, builder.Broadcast(bias, shape(x).dims, {dim}));
}

OpId LayerContext::AddOwnBias(OpId x, std::string_view name, int64_t dim) {
  if (!config.Flag("use_bias", true)) return x;
  const int64_t size = shape(x).dims[dim].factor;
  return AddBias(x, Variable(name, {size}), dim);
}

OpId LayerContext::Activate(OpId x) {
  const nlohmann::json* activation = config.Find("activation");
  if (activation == nullptr) return x;
  if (activation->is_string()) {
    return ApplyActivation(*this, activation->get<std::string>(), x);
  }
  // {"class_name": "ReLU", "config": {...}} or {"class_name": "function",
  // "config": "relu"}.
  if (activation->is_object() && activation->contains("class_name") &&
      (*activation)["class_name"].is_string()) {
    const nlohmann::json inner = activation->value("config", nlohmann::json::object());
    if (inner.is_string()) {
      return ApplyActivation(*this, inner.get<std::string>(), x);
    }
    KerasLayer inner_layer;
    inner_layer.class_name = (*activation)["class_name"].get<std::string>();
    inner_layer.name = layer.name;
    inner_layer.config = inner;
    inner_layer.location = layer.location;
    return CallInner(inner_layer, {x}, "activation_", *this);
  }
  builder.Fail(fmt::format("activation is {}, expected a name", DescribeJson(*activation)));
  return x;
}

void LayerContext::Note(std::string_view rule, std::string_view name, const std::string& message) {
  Diagnostic note;
  note.rule = std::string(rule);
  note.name = std::string(name);
  note.severity = Severity::kWarning;
  note.location = call.location.known() ? call.location : layer.location;
  if (note.location.item.empty()) note.location.item = layer.name;
  note.message = message;
  record.notes.push_back(std::move(note));
}

std::optional<std::vector<Dim>> LayerContext::StatedDims(int32_t i) const {
  if (stated == nullptr || !stated->contains(i)) return std::nullopt;
  const nlohmann::json& shape = stated->at(i);
  if (!shape.is_array()) return std::nullopt;
  std::vector<Dim> dims;
  for (const nlohmann::json& size : shape) {
    const std::optional<int64_t> known = AsInteger(size);
    if (known && *known >= 1) {
      dims.push_back({*known, false});
    } else if (dims.empty() && size.is_null()) {
      dims.push_back(BatchDim());
    } else {
      return std::nullopt;
    }
  }
  return dims;
}

OpId LayerContext::Opaque(Shape result, std::string_view why) {
  if (!builder.ok()) return kNoOp;
  result.dims = StatedDims(0).value_or(result.dims);
  const std::string name = ClassInFile(layer);
  if (!state.noted) {
    state.noted = true;
    ++record.opaque[name];
    Note("RD001", "unknown-layer",
         fmt::format("layer class {} {}; its time and weights are missing from all results, and it "
                     "is taken to give {}",
                     name, why, FormatShape(result)));
  }
  return builder.Opaque(name, inputs, std::move(result));
}

int64_t SpatialRank(std::string_view class_name) {
  for (const char c : class_name) {
    if (c >= '1' && c <= '3') return c - '0';
  }
  return 2;
}

void ApplyDTypePolicy(LayerContext& context) {
  const nlohmann::json* dtype = context.config.Find("dtype");
  if (dtype == nullptr) return;
  const auto policy = ReadDTypePolicy(*dtype, {context.compute_type, context.variable_type});
  if (!policy) {
    context.builder.Fail(
        fmt::format("dtype is {}, expected a type or policy such as float32 or mixed_bfloat16",
                    DescribeJson(*dtype)));
    return;
  }
  context.compute_type = policy->compute;
  context.variable_type = policy->variable;
}

OpId CallInner(const KerasLayer& layer, std::vector<OpId> inputs, std::string_view prefix,
               LayerContext& outer) {
  LayerContext inner{.layer = layer,
                     .call = outer.call,
                     .config = LayerConfig(layer.config, outer.builder),
                     .builder = outer.builder,
                     .inputs = std::move(inputs),
                     .training = outer.training,
                     .compute_type = outer.compute_type,
                     .variable_type = outer.variable_type,
                     .state = outer.state,
                     .variable_prefix = outer.variable_prefix + std::string(prefix),
                     .record = outer.record,
                     .more_outputs = {},
                     .stated = nullptr,
                     .nested = {}};
  ApplyDTypePolicy(inner);
  const OpId result = BuildLayer(inner);
  outer.more_outputs.insert(outer.more_outputs.end(), inner.more_outputs.begin(),
                            inner.more_outputs.end());
  return result;
}

OpId BuildLayer(LayerContext& context) {
  if (context.inputs.empty()) {
    context.builder.Fail(
        fmt::format("{} has no input, expected at least one", context.layer.class_name));
    return kNoOp;
  }
  const LayerEntry* entry = FindLayer(context.layer.class_name);
  if (entry == nullptr) return UnknownLayer(context);
  if (!entry->keeps_type) {
    for (OpId& input : context.inputs) {
      input = context.builder.Convert(input, context.compute_type);
    }
  }
  return entry->build(context);
}

const LayerEntry* FindLayer(std::string_view class_name) {
  constexpr std::span<const LayerEntry> (*kFamilies[])() = {
      DenseLayers,          ConvolutionLayers, PoolingLayers, NormalizationLayers,
      RegularizationLayers, ActivationLayers,  MergingLayers, ReshapingLayers,
      ResamplingLayers,     RecurrentLayers,   WrapperLayers, AttentionLayers,
      PreprocessingLayers,  FunctionLayers,
  };
  for (const auto family : kFamilies) {
    for (const LayerEntry& entry : family()) {
      if (IsOneOfWords(class_name, entry.class_names)) return &entry;
    }
  }
  return nullptr;
}

std::vector<OpId> StandInResults(LayerContext& ctx, const std::string& cause) {
  const std::string name = ClassInFile(ctx.layer);
  const std::optional<Shape> shape = ctx.inputs.empty() ? std::nullopt : ImpliedShape(ctx);
  if (!shape) {
    ctx.builder.Fail(
        fmt::format("{}; the file does not say what shape this layer of class {} gives, so what "
                    "follows it cannot be read: correct its configuration, or export what it "
                    "computes: tf.saved_model.save(model, 'DIR')",
                    cause, name));
    return {};
  }
  std::vector<OpId> results = {
      ctx.Opaque(*shape, fmt::format("cannot be built for layer {}: {}", ctx.layer.name, cause))};
  AddStated(ctx, name, shape->dtype, results);
  return results;
}

}  // namespace tilewise
