// Weights, inputs and the smallest layers of zoo models.

#include "zoo/net.h"

#include <utility>

#include <fmt/format.h>

#include "library/activations.h"
#include "library/random.h"

namespace tilewise {
namespace {

DType QuantizedType(const ZooSpec& spec) {
  if (spec.Word("dtype") == "fp8") return DType::kF8E4M3;
  return spec.Word("dtype") == "s8" ? DType::kS8 : DType::kF32;
}

DType ComputeTypeOf(const ZooSpec& spec, DType quantized) {
  return quantized != DType::kF32 ? DType::kBF16 : spec.Type("dtype");
}

DType WeightType(const ZooSpec& spec, DType compute_type) {
  if (!spec.Has("params")) return compute_type;
  const std::string_view word = spec.Word("params");
  if (word != "auto") return spec.Type("params");
  return spec.training() && IsFloat(compute_type) ? DType::kF32 : compute_type;
}

std::vector<Dim> OfBatch(const std::vector<int64_t>& sizes) {
  std::vector<Dim> dims = {BatchDim()};
  for (const int64_t size : sizes) dims.push_back({size, false});
  return dims;
}

}  // namespace

Net::Net(const ZooSpec& spec, bool may_quantise)
    : builder(std::string(spec.model())),
      quantized_(may_quantise ? QuantizedType(spec) : DType::kF32),
      compute_type_(ComputeTypeOf(spec, quantized_)),
      weight_type_(WeightType(spec, compute_type_)),
      training_(spec.training() && IsFloat(weight_type_)) {
  location_.file = spec.text();
  builder.SetLocation(location_);
}

void Net::Layer(std::string_view name) {
  location_.item = std::string(name);
  builder.SetLocation(location_);
  builder.SetScope(name);
}

OpId Net::Input(std::string_view name, const std::vector<int64_t>& sizes) {
  return builder.Parameter({compute_type_, OfBatch(sizes)}, name);
}

OpId Net::Ids(std::string_view name, const std::vector<int64_t>& sizes) {
  return builder.Parameter({DType::kS32, OfBatch(sizes)}, name);
}

OpId Net::FixedIds(std::string_view name, const std::vector<int64_t>& sizes) {
  return builder.Parameter(Shape::Of(DType::kS32, sizes), name);
}

OpId Net::Operand(std::string_view name, const std::vector<int64_t>& sizes) {
  return builder.Parameter(Shape::Of(compute_type_, sizes), name);
}

OpId Net::StoredWeight(std::string_view name, const std::vector<int64_t>& sizes, bool trainable) {
  const std::string key = fmt::format("{}/{}", location_.item, name);
  if (shares_weights_) {
    const auto known = weights_.find(key);
    if (known != weights_.end()) return known->second;
  }
  const OpId weight =
      builder.Variable(Shape::Of(weight_type_, sizes), name, trainable && IsFloat(weight_type_));
  if (shares_weights_) weights_.emplace(key, weight);
  return weight;
}

OpId Net::Weight(std::string_view name, const std::vector<int64_t>& sizes) {
  return builder.Convert(StoredWeight(name, sizes), compute_type_);
}

OpId Net::WideWeight(std::string_view name, const std::vector<int64_t>& sizes) {
  return builder.Convert(StoredWeight(name, sizes), DType::kF32);
}

OpId Net::State(std::string_view name, const std::vector<int64_t>& sizes) {
  return builder.Variable(Shape::Of(DType::kF32, sizes), name, false);
}

OpId Net::Dot(OpId x, OpId y, DotDims dims, std::vector<int64_t> blocks) {
  return builder.DotAs(
      x, y,
      {std::move(dims), /*precision_passes=*/1, quantized_, /*wide=*/false, std::move(blocks)});
}

OpId Net::Scale(OpId x, double factor) {
  return builder.BinaryScalar(OpKind::kMultiply, x, factor);
}

OpId Net::Relu(OpId x) { return tilewise::Relu(builder, x); }

OpId Net::AddBias(OpId x, std::string_view name) {
  const Shape of_x = shape(x);
  const OpId bias = Weight(name, {of_x.dims.back().factor});
  return Add(x, builder.Broadcast(bias, of_x.dims, {of_x.rank() - 1}));
}

OpId Net::Dense(OpId x, int64_t units, bool bias, std::string_view name) {
  const OpId y = Dot(x, Weight(name, {last_dim(x), units}), {{}, {}, {shape(x).rank() - 1}, {0}});
  return bias ? AddBias(y, fmt::format("{}_bias", name)) : y;
}

OpId Net::Dropout(OpId x, double rate) {
  if (!training_ || rate <= 0) return x;
  return tilewise::Dropout(builder, x, rate).result;
}

absl::StatusOr<Graph> Net::Finish(const std::vector<OpId>& results,
                                  const std::vector<OpId>& tiles) {
  for (const OpId tile : tiles) {
    builder.AddOutput(tile, Output::Role::kTile);
  }
  for (const OpId result : results) {
    builder.AddOutput(result, Output::Role::kResult);
  }
  for (const auto& [value, variable] : states_) {
    builder.AddOutput(value, Output::Role::kState, variable);
  }
  return builder.Build();
}

}  // namespace tilewise
