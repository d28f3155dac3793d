// What the graph has an op for uses it; the rest is moments and products.

#include "library/normalizations.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "library/broadcast.h"
#include "library/elementary.h"
#include "library/reductions.h"
#include "library/term.h"

namespace tilewise {
namespace {

// x * 1 / sqrt(variance + epsilon), stretched.
OpId Divided(GraphBuilder& builder, OpId x, OpId variance, double epsilon) {
  const OpId root = InverseDeviation(builder, variance, epsilon);
  return builder.Binary(OpKind::kMultiply, x, builder.BroadcastTo(root, builder.shape(x).dims));
}

// The dims of `shape` that are normalised, as weights have them.
std::vector<Dim> WeightDims(const Shape& shape, const std::vector<int64_t>& dims) {
  std::vector<Dim> weights;
  weights.reserve(dims.size());
  for (const int64_t dim : dims) {
    weights.push_back(shape.dims[dim]);
  }
  return weights;
}

// `weight` in the type and the normalised dims of x; `value` when absent.
OpId WeightOr(GraphBuilder& builder, OpId weight, const Shape& x, const std::vector<Dim>& dims,
              double value) {
  if (weight == kNoOp) return builder.Constant(value, {x.dtype, dims});
  weight = builder.Convert(weight, x.dtype);
  // [1, 1, c] for [c].
  std::vector<Dim> own = builder.shape(weight).dims;
  while (own.size() > dims.size() && own.front() == Dim{1, false}) {
    own.erase(own.begin());
  }
  if (own.size() != builder.shape(weight).dims.size()) {
    weight = builder.Reshape(weight, own);
  }
  return builder.BroadcastTo(weight, dims);
}

OpId Scaled(GraphBuilder& builder, OpKind kind, OpId x, OpId weight) {
  if (weight == kNoOp) return x;
  return BinaryOf(builder, kind, x, builder.Convert(weight, builder.shape(x).dtype));
}

// Sums over `size` neighbours along `dim`: one window slides along the middle
// of [outer, dim, inner].
Term NeighbourSum(Term x, int64_t dim, int64_t size) {
  GraphBuilder& b = x.b();
  const Shape shape = x.shape();
  dim = DimOf(b, dim, shape.rank());
  if (!b.ok() || size < 1 || size > 65536 || shape.dims[dim].per_batch) {
    b.Fail(fmt::format("found {} neighbours in dim {} of {}", size, dim, FormatShape(shape)));
    return x.Of(kNoOp);
  }
  Dim outer = {1, false};
  Dim inner = {1, false};
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (i == dim) continue;
    Dim& side = i < dim ? outer : inner;
    side.factor *= shape.dims[i].factor;
    side.per_batch |= shape.dims[i].per_batch;
  }
  const OpId flat = b.Reshape(x.id, {outer, shape.dims[dim], inner});
  const WindowDim window = {size, 1, (size - 1) / 2, size / 2};
  const OpId sums = b.ReduceWindow(Reducer::kSum, flat, {window}, false);
  return x.Of(b.Reshape(sums, shape.dims));
}

Term LocalNorm(Term x, int64_t dim, const LocalResponse& options) {
  return NeighbourSum(Square(x), dim, options.size) * options.alpha_per_element + options.bias;
}

std::vector<int64_t> AllBut(int64_t feature_dim, int64_t rank) {
  std::vector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim != feature_dim) dims.push_back(dim);
  }
  return dims;
}

// x scale' + offset', with scale' = scale / deviation and offset' = offset -
// mean scale', as tf.nn.batch_normalization writes it. Operands broadcast.
Term WithMoments(Term x, Term mean, Term variance, double epsilon, std::optional<Term> scale,
                 std::optional<Term> offset) {
  Term factor = x.Of(InverseDeviation(x.b(), variance.id, epsilon));
  if (scale) factor = factor * *scale;
  const Term shift = mean * factor;
  return x * factor + (offset ? *offset - shift : -shift);
}

bool Reduced16(DType dtype) { return dtype == DType::kBF16 || dtype == DType::kF16; }

}  // namespace

OpId SoftmaxOf(GraphBuilder& builder, OpId x, int64_t dim) {
  return builder.Softmax(x, DimOf(builder, dim, builder.shape(x).rank()));
}

// (x - max) - log(sum(exp(x - max))), as tf2xla and jax.nn write it.
OpId LogSoftmaxOf(GraphBuilder& builder, OpId x, int64_t dim) {
  const OpId largest = ReduceOf(builder, Reduction::kMax, x, {dim}, true);
  const OpId shifted = BinaryOf(builder, OpKind::kSubtract, x, largest);
  const OpId sum =
      ReduceOf(builder, Reduction::kLogSum, builder.Unary(OpKind::kExp, shifted), {dim}, true);
  return BinaryOf(builder, OpKind::kSubtract, shifted, sum);
}

OpId HardmaxOf(GraphBuilder& builder, OpId x, int64_t dim) {
  dim = DimOf(builder, dim, builder.shape(x).rank());
  const OpId place = ArgReduceOf(builder, Reducer::kMax, x, dim, /*keep_dims=*/true);
  if (!builder.ok()) return kNoOp;
  const Shape shape = builder.shape(x);
  const OpId count = builder.Iota(shape.WithType(DType::kS32), dim);
  const OpId hit = builder.Compare(Comparison::kEq, count, builder.BroadcastTo(place, shape.dims));
  return builder.Convert(hit, shape.dtype);
}

OpId OverTrailingDims(GraphBuilder& builder, OpId x, int64_t axis, OverOneDim over) {
  const Shape shape = builder.shape(x);
  axis = shape.rank() == 0 ? 0 : DimOf(builder, axis, shape.rank());
  if (!builder.ok()) return kNoOp;
  if (axis == shape.rank() - 1) return over(builder, x, axis);
  std::vector<Dim> flat(shape.dims.begin(), shape.dims.begin() + axis);
  Dim rest = {1, false};
  for (auto dim = shape.dims.begin() + axis; dim != shape.dims.end(); ++dim) {
    rest.factor *= dim->factor;
    rest.per_batch = rest.per_batch || dim->per_batch;
  }
  flat.push_back(rest);
  const OpId y = over(builder, builder.Reshape(x, flat), axis);
  return builder.Reshape(y, shape.dims);
}

OpId LayerNormOf(GraphBuilder& builder, OpId x, OpId scale, OpId offset,
                 const std::vector<int64_t>& given, double epsilon, bool in_f32) {
  const DType type = builder.shape(x).dtype;
  if (in_f32 && Reduced16(type)) x = builder.Convert(x, DType::kF32);
  const Shape shape = builder.shape(x);
  const std::vector<int64_t> dims = DimsOf(builder, given, shape.rank());
  if (!builder.ok()) return kNoOp;
  const std::vector<Dim> weights = WeightDims(shape, dims);
  const OpId y = builder.LayerNorm(x, WeightOr(builder, scale, shape, weights, 1),
                                   WeightOr(builder, offset, shape, weights, 0), dims, epsilon);
  return builder.Convert(y, type);
}

OpId RmsNorm(GraphBuilder& builder, OpId x, OpId scale, const std::vector<int64_t>& dims,
             double epsilon) {
  const DType type = builder.shape(x).dtype;
  if (Reduced16(type)) x = builder.Convert(x, DType::kF32);
  const OpId mean = ReduceOf(builder, Reduction::kMean, Square(builder, x), dims, true);
  if (!builder.ok()) return kNoOp;
  OpId y = Divided(builder, x, mean, epsilon);
  const bool wide = scale != kNoOp && builder.shape(scale).dtype == builder.shape(x).dtype;
  if (wide) y = Scaled(builder, OpKind::kMultiply, y, scale);
  y = builder.Convert(y, type);
  return wide ? y : Scaled(builder, OpKind::kMultiply, y, scale);
}

OpId GroupNorm(GraphBuilder& builder, OpId x, OpId scale, OpId offset, int64_t groups,
               double epsilon, int64_t feature_dim) {
  const DType type = builder.shape(x).dtype;
  if (Reduced16(type)) x = builder.Convert(x, DType::kF32);
  const Shape shape = builder.shape(x);
  const int64_t dim = DimOf(builder, feature_dim, shape.rank());
  if (!builder.ok()) return kNoOp;
  const size_t at = dim;
  const Dim features = shape.dims[at];
  if (shape.rank() < 2 || dim == 0 || groups < 1 || features.factor % groups != 0 ||
      features.per_batch) {
    builder.Fail(fmt::format("found {} groups of the features of {}", groups, FormatShape(shape)));
    return kNoOp;
  }
  const bool instances = groups == features.factor;
  std::vector<Dim> split = shape.dims;
  if (!instances) {
    split[at] = {groups, false};
    split.insert(split.begin() + dim + 1, Dim{features.factor / groups, false});
  }
  std::vector<int64_t> dims;
  for (int64_t i = 1; i < static_cast<int64_t>(split.size()); ++i) {
    if (i != dim) dims.push_back(i);
  }
  const Term y(builder, instances ? x : builder.Reshape(x, split));
  // [groups, features of one] besides the spatial dims; of groups alone: [groups, 1].
  const auto along = [&](OpId weight) -> std::optional<Term> {
    if (weight == kNoOp) return std::nullopt;
    const std::vector<Dim> own = builder.shape(weight).dims;
    const Dim size = own.empty() ? Dim{1, false} : own.back();
    const bool per_feature = !instances && size == features && size.factor != groups;
    std::vector<Dim> beside(split.size(), Dim{1, false});
    beside[at] = per_feature ? split[at] : size;
    if (per_feature) beside[at + 1] = split[at + 1];
    return Term(builder, builder.Reshape(builder.Convert(weight, shape.dtype), beside));
  };
  if (dims.empty()) return builder.Convert(y.id, type);
  const MeanAndVariance moments = MeanAndVarianceOf(builder, y.id, dims);
  const Term z = WithMoments(y, y.Of(moments.mean), y.Of(moments.variance), epsilon, along(scale),
                             along(offset));
  return builder.Convert(instances ? z.id : builder.Reshape(z.id, shape.dims), type);
}

OpId GroupNormOfFeatures(GraphBuilder& builder, OpId x, OpId scale, OpId offset, int64_t groups,
                         double epsilon, int64_t feature_dim) {
  const DType type = builder.shape(x).dtype;
  const Shape shape = builder.shape(x);
  const int64_t dim = DimOf(builder, feature_dim, shape.rank());
  if (!builder.ok()) return kNoOp;
  const Dim features = shape.dims[dim];
  const bool divides = groups >= 1 && !features.per_batch && features.factor % groups == 0;
  // Where nothing but the features is summed, both forms are one.
  if (!divides || dim == 0 || shape.rank() < 3 || groups == features.factor) {
    return GroupNorm(builder, x, scale, offset, groups, epsilon, feature_dim);
  }
  if (Reduced16(type)) x = builder.Convert(x, DType::kF32);
  std::vector<int64_t> positions;
  std::vector<Dim> beside(shape.dims.size(), Dim{1, false});
  for (int64_t i = 1; i < shape.rank(); ++i) {
    if (i != dim) positions.push_back(i);
  }
  beside[dim] = features;
  // Positions are summed before the features of a group are.
  const std::vector<Dim> each = {shape.dims[0], {groups, false}, {features.factor / groups, false}};
  std::vector<Dim> spread = beside;
  spread[0] = shape.dims[0];
  const auto mean_of = [&](Term y) {
    const OpId sums = ReduceOf(builder, Reduction::kMean, y.id, positions, false);
    const OpId mean =
        ReduceOf(builder, Reduction::kMean, builder.Reshape(sums, each), {2}, /*keep_dims=*/true);
    return y.Of(builder.Reshape(builder.BroadcastTo(mean, each), spread));
  };
  const auto along = [&](OpId weight) -> std::optional<Term> {
    if (weight == kNoOp) return std::nullopt;
    return Term(builder, builder.Reshape(builder.Convert(weight, builder.shape(x).dtype), beside));
  };
  const Term y(builder, x);
  const Term mean = mean_of(y);
  const Term variance = mean_of(Square(y)) - mean * mean;
  const Term z = WithMoments(y, mean, variance, epsilon, along(scale), along(offset));
  return builder.Convert(z.id, type);
}

OpId LpNormalize(GraphBuilder& builder, OpId x, int64_t dim, int64_t p) {
  const OpId norm = ReduceOf(builder, p == 1 ? Reduction::kL1 : Reduction::kL2, x, {dim}, true);
  return BinaryOf(builder, OpKind::kDivide, x, norm);
}

OpId InverseDeviation(GraphBuilder& builder, OpId variance, double epsilon) {
  return builder.Unary(OpKind::kRsqrt, WithScalar(builder, OpKind::kAdd, variance, epsilon));
}

OpId UnitLength(GraphBuilder& builder, OpId x, int64_t dim) {
  OpId norm = ReduceOf(builder, Reduction::kSumSquare, x, {dim}, true);
  norm = builder.Unary(OpKind::kRsqrt, WithScalar(builder, OpKind::kMaximum, norm, 1e-12));
  return BinaryOf(builder, OpKind::kMultiply, x, norm);
}

OpId Standardize(GraphBuilder& builder, OpId x, const std::vector<int64_t>& dims, double epsilon) {
  const MeanAndVariance moments = MeanAndVarianceOf(builder, x, dims);
  if (!builder.ok()) return kNoOp;
  return Divided(builder, moments.centred, moments.variance, epsilon);
}

OpId LocalResponseNorm(GraphBuilder& builder, OpId op, int64_t dim, const LocalResponse& options) {
  const Term x(builder, op);
  const Term norm = LocalNorm(x, dim, options);
  return (x / Power(norm, norm.Like(options.beta))).id;
}

// The norm is bias + alpha sum(x^2), and y is x norm^-beta.
OpId LocalResponseGradient(GraphBuilder& builder, OpId x_op, OpId y_op, OpId dy_op, int64_t dim,
                           const LocalResponse& options) {
  const Term x(builder, x_op), y(builder, y_op), dy(builder, dy_op);
  const Term norm = LocalNorm(x, dim, options);
  const Term spread = NeighbourSum(dy * y / norm, dim, options.size);
  const double factor = 2 * options.alpha_per_element * options.beta;
  return (dy * Power(norm, norm.Like(-options.beta)) - x * spread * factor).id;
}

namespace {

bool IsAll(const GraphBuilder& builder, OpId id, double value) {
  const Op& op = builder.op(id);
  if (op.kind == OpKind::kConstant) return op.as<ConstantAttrs>().value == value;
  const bool spreads = op.kind == OpKind::kBroadcast || op.kind == OpKind::kReshape;
  return spreads && IsAll(builder, op.operands[0], value);
}

// The first dim behind those that make up `rows`; 0: none do.
int64_t DimBehind(const Shape& shape, const Dim& rows) {
  Dim product;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const Dim& more = shape.dims[dim];
    product = {product.factor * more.factor, product.per_batch || more.per_batch};
    if (product == rows) return dim + 1;
    if (product.factor > rows.factor) return 0;
  }
  return 0;
}

// Keras 2 normalises the rows of a layer norm by a fused batch norm that takes
// the rows for features, [1, rows, features, 1]. kNoOp when x is no such thing.
OpId NormOfRows(GraphBuilder& builder, OpId x, int64_t feature_dim, double epsilon) {
  const Shape shape = builder.shape(x);
  const Op& op = builder.op(x);
  const OpId source = op.kind == OpKind::kReshape ? op.operands[0] : x;
  const auto at = shape.dims.begin() + feature_dim;
  const bool leads = std::all_of(shape.dims.begin(), at, [](const Dim& dim) {
    return dim == Dim{1, false};
  });
  const int64_t first = DimBehind(builder.shape(source), *at);
  if (!leads || first == 0 || first == builder.shape(source).rank()) return kNoOp;
  std::vector<int64_t> dims(builder.shape(source).rank() - first);
  std::iota(dims.begin(), dims.end(), first);
  return builder.Reshape(LayerNormOf(builder, source, kNoOp, kNoOp, dims, epsilon), shape.dims);
}

}  // namespace

OpId BatchNormOf(GraphBuilder& builder, OpId x, const BatchNormInputs& inputs, int64_t feature_dim,
                 double epsilon, bool training, double momentum) {
  const DType type = builder.shape(x).dtype;
  if (Reduced16(type)) x = builder.Convert(x, DType::kF32);
  const DType compute = builder.shape(x).dtype;
  feature_dim = DimOf(builder, feature_dim, builder.shape(x).rank());
  if (!builder.ok()) return kNoOp;
  const std::vector<Dim> dims = {builder.shape(x).dims[feature_dim]};
  const Shape shape = builder.shape(x);
  const OpId scale = WeightOr(builder, inputs.scale, shape, dims, 1);
  const OpId offset = WeightOr(builder, inputs.offset, shape, dims, 0);
  if (!training) {
    const OpId mean = WeightOr(builder, inputs.mean, shape, dims, 0);
    const OpId variance = WeightOr(builder, inputs.variance, shape, dims, 1);
    return builder.Convert(
        builder.BatchNormInference(x, scale, offset, mean, variance, feature_dim, epsilon), type);
  }
  if (IsAll(builder, scale, 1) && IsAll(builder, offset, 0)) {
    const OpId rows = NormOfRows(builder, x, feature_dim, epsilon);
    if (rows != kNoOp) return builder.Convert(rows, type);
  }
  const auto tracks = [&](OpId id) {
    return id != kNoOp && builder.op(id).kind == OpKind::kVariable &&
           builder.shape(id).dtype == compute;
  };
  const OpId y = tracks(inputs.mean) && tracks(inputs.variance)
                     ? builder.BatchNormTracking(x, scale, offset, inputs.mean, inputs.variance,
                                                 feature_dim, epsilon, momentum)
                     : builder.BatchNormTraining(x, scale, offset, feature_dim, epsilon);
  return builder.Convert(y, type);
}

FeatureStatistics StatisticsOf(GraphBuilder& builder, OpId op, int64_t feature_dim) {
  const Term x = Cast({builder, op}, DType::kF32);
  const std::vector<int64_t> dims = AllBut(feature_dim, x.shape().rank());
  const double weight = 1 / ElementsIn(x.shape(), dims);
  const Term sum = Sum(x, dims);
  const Term squares = Sum(Square(x), dims);
  const Term mean = sum * weight;
  return {mean.id, (squares * weight - Square(mean)).id};
}

BatchNormGradients BatchNormGradientOf(GraphBuilder& builder, OpId x_op, OpId dy_op,
                                       const BatchNormInputs& inputs, int64_t feature_dim,
                                       double epsilon, bool training) {
  const DType type = builder.shape(x_op).dtype;
  const Term x = Cast({builder, x_op}, DType::kF32);
  const Term dy = Cast({builder, dy_op}, DType::kF32);
  const Term scale = Cast({builder, inputs.scale}, DType::kF32);
  const Term mean(builder, inputs.mean), variance(builder, inputs.variance);
  const std::vector<int64_t> dims = AllBut(feature_dim, x.shape().rank());
  const auto along = [&](Term v) { return v.Of(AlongDim(builder, v.id, x.id, feature_dim)); };
  const Term inverse = x.Of(InverseDeviation(builder, variance.id, epsilon));
  const Term centred = x - along(mean);
  const Term doffset = Sum(dy, dims);
  const Term dscale = Sum(dy * centred, dims) * inverse;
  Term dx = dy;
  if (training) {
    const double weight = 1 / ElementsIn(x.shape(), dims);
    dx = dy - along(doffset * weight) - centred * along(inverse * dscale * weight);
  }
  dx = dx * along(scale * inverse);
  return {builder.Convert(dx.id, type), dscale.id, doffset.id};
}

}  // namespace tilewise
