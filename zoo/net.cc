// Weights, inputs and the smallest layers of zoo models.

#include "zoo/net.h"

#include <fmt/format.h>

namespace tilewise {
namespace {

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

Net::Net(const ZooSpec& spec)
    : builder(std::string(spec.model())),
      compute_type_(spec.Type("dtype")),
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

OpId Net::Operand(std::string_view name, const std::vector<int64_t>& sizes) {
  return builder.Parameter(Shape::Of(compute_type_, sizes), name);
}

OpId Net::StoredWeight(std::string_view name, const std::vector<int64_t>& sizes,
                       bool trainable) {
  return builder.Variable(Shape::Of(weight_type_, sizes), name,
                          trainable && IsFloat(weight_type_));
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

OpId Net::Scale(OpId x, double factor) {
  return builder.BinaryScalar(OpKind::kMultiply, x, factor);
}

OpId Net::Relu(OpId x) { return builder.BinaryScalar(OpKind::kMaximum, x, 0); }

OpId Net::AddBias(OpId x, std::string_view name) {
  const Shape of_x = shape(x);
  const OpId bias = Weight(name, {of_x.dims.back().factor});
  return Add(x, builder.Broadcast(bias, of_x.dims, {of_x.rank() - 1}));
}

OpId Net::Dense(OpId x, int64_t units, bool bias, std::string_view name) {
  const OpId y = builder.MatMul(x, Weight(name, {last_dim(x), units}));
  return bias ? AddBias(y, fmt::format("{}_bias", name)) : y;
}

OpId Net::Dropout(OpId x, double rate) {
  if (!training_ || rate <= 0) return x;
  const Shape of_x = shape(x);
  const OpId random =
      builder.Rng(OpKind::kRngUniform, of_x.WithType(DType::kF32));
  const OpId threshold =
      builder.Broadcast(builder.Scalar(rate, DType::kF32), of_x.dims, {});
  const OpId kept = builder.Compare(Comparison::kGe, random, threshold);
  const OpId zero =
      builder.Broadcast(builder.Scalar(0, of_x.dtype), of_x.dims, {});
  return builder.Select(kept, Scale(x, 1 / (1 - rate)), zero);
}

absl::StatusOr<Graph> Net::Finish(const std::vector<OpId>& results) {
  for (const OpId result : results) {
    builder.AddOutput(result, Output::Role::kResult);
  }
  return builder.Build();
}

}  // namespace tilewise
