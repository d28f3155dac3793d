// Stretching by BroadcastTo, types by Convert.

#include "library/broadcast.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr Dim kOne = {1, false};

// Rank of types among which the wider one wins.
int Width(DType dtype) {
  if (dtype == DType::kPred) return 0;
  const int bits = static_cast<int>(BitWidth(dtype));
  if (IsComplex(dtype)) return 3000 + bits;
  return IsFloat(dtype) ? 2000 + bits : 1000 + bits;
}

bool IsShift(OpKind kind) {
  return kind == OpKind::kShiftLeft || kind == OpKind::kShiftRightArithmetic ||
         kind == OpKind::kShiftRightLogical;
}

}  // namespace

std::optional<std::vector<Dim>> CommonDims(std::span<const Shape> shapes) {
  size_t rank = 0;
  for (const Shape& shape : shapes) rank = std::max(rank, shape.dims.size());
  std::vector<Dim> common(rank, kOne);
  for (const Shape& shape : shapes) {
    const size_t lead = rank - shape.dims.size();
    for (size_t i = 0; i < shape.dims.size(); ++i) {
      Dim& dim = common[lead + i];
      if (dim == kOne) dim = shape.dims[i];
      if (shape.dims[i] != dim && shape.dims[i] != kOne) return std::nullopt;
    }
  }
  return common;
}

DType CommonType(DType x, DType y) {
  if (x == y) return x;
  const bool half =
      (x == DType::kF16 && y == DType::kBF16) || (x == DType::kBF16 && y == DType::kF16);
  if (half) return DType::kF32;
  return Width(y) > Width(x) ? y : x;
}

std::vector<OpId> Stretched(GraphBuilder& builder, std::span<const OpId> xs) {
  std::vector<OpId> ids(xs.begin(), xs.end());
  std::vector<Shape> shapes;
  shapes.reserve(xs.size());
  for (const OpId x : xs) {
    if (x != kNoOp) shapes.push_back(builder.shape(x));
  }
  if (!builder.ok()) return ids;
  const auto dims = CommonDims(shapes);
  if (!dims) {
    std::string found;
    for (const Shape& shape : shapes) {
      if (!found.empty()) found += " and ";
      found += FormatShape(shape);
    }
    builder.Fail(fmt::format("found {}, expected dims that broadcast", found));
    return ids;
  }
  for (OpId& id : ids) {
    if (id != kNoOp) id = builder.BroadcastTo(id, *dims);
  }
  return ids;
}

namespace {

// Nearly all operands have the same dims.
void StretchBoth(GraphBuilder& builder, OpId& x, OpId& y) {
  if (builder.shape(x).dims == builder.shape(y).dims) return;
  const OpId both[] = {x, y};
  const std::vector<OpId> same = Stretched(builder, both);
  x = same[0];
  y = same[1];
}

}  // namespace

OpId BinaryOf(GraphBuilder& builder, OpKind kind, OpId x, OpId y) {
  const DType type = IsShift(kind) ? builder.shape(x).dtype
                                   : CommonType(builder.shape(x).dtype, builder.shape(y).dtype);
  x = builder.Convert(x, type);
  y = builder.Convert(y, type);
  StretchBoth(builder, x, y);
  return builder.Binary(kind, x, y);
}

OpId CompareOf(GraphBuilder& builder, Comparison comparison, OpId x, OpId y) {
  const DType type = CommonType(builder.shape(x).dtype, builder.shape(y).dtype);
  x = builder.Convert(x, type);
  y = builder.Convert(y, type);
  StretchBoth(builder, x, y);
  return builder.Compare(comparison, x, y);
}

OpId AsPred(GraphBuilder& builder, OpId x) {
  if (builder.shape(x).dtype == DType::kPred) return x;
  return CompareScalar(builder, Comparison::kNe, x, 0);
}

OpId SelectOf(GraphBuilder& builder, OpId pred, OpId x, OpId y) {
  const DType type = CommonType(builder.shape(x).dtype, builder.shape(y).dtype);
  const OpId all[] = {AsPred(builder, pred), builder.Convert(x, type), builder.Convert(y, type)};
  const std::vector<OpId> same = Stretched(builder, all);
  return builder.Select(same[0], same[1], same[2]);
}

OpId FilledLike(GraphBuilder& builder, OpId x, double value) {
  const Shape shape = builder.shape(x);
  const OpId scalar = builder.Scalar(value, shape.dtype);
  if (shape.rank() == 0) return scalar;
  return builder.Broadcast(scalar, shape.dims, {});
}

OpId WithScalar(GraphBuilder& builder, OpKind kind, OpId x, double value) {
  return builder.BinaryScalar(kind, x, value);
}

OpId ScalarWith(GraphBuilder& builder, OpKind kind, double value, OpId x) {
  return builder.Binary(kind, FilledLike(builder, x, value), x);
}

OpId CompareScalar(GraphBuilder& builder, Comparison comparison, OpId x, double value) {
  return builder.Compare(comparison, x, FilledLike(builder, x, value));
}

OpId Clamp(GraphBuilder& builder, OpId x, std::optional<double> low, std::optional<double> high) {
  if (low) x = WithScalar(builder, OpKind::kMaximum, x, *low);
  if (high) x = WithScalar(builder, OpKind::kMinimum, x, *high);
  return x;
}

OpId AlongDim(GraphBuilder& builder, OpId v, OpId x, int64_t dim) {
  const Shape shape = builder.shape(x);
  v = builder.Convert(v, shape.dtype);
  // One element for all, as scales of quantisation may be.
  if (builder.shape(v).rank() == 1 && builder.shape(v).dims[0] == kOne && shape.dims[dim] != kOne) {
    v = builder.Reshape(v, {});
  }
  if (builder.shape(v).rank() == 0) return builder.BroadcastTo(v, shape.dims);
  return builder.Broadcast(v, shape.dims, {dim});
}

OpId BroadcastInDim(GraphBuilder& builder, OpId x, std::vector<Dim> dims,
                    std::vector<int64_t> mapping) {
  if (mapping.size() != builder.shape(x).dims.size()) {
    builder.Fail(fmt::format("found {} mapped dims, expected {}, one per dim", mapping.size(),
                             builder.shape(x).rank()));
    return kNoOp;
  }
  std::vector<int64_t> order(mapping.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int64_t dim) { return mapping[dim]; });
  x = builder.Transpose(x, std::move(order));
  if (builder.shape(x).dims == dims) return x;
  std::ranges::sort(mapping);
  return builder.Broadcast(x, std::move(dims), std::move(mapping));
}

std::optional<double> ConstantValue(const GraphBuilder& builder, OpId x) {
  constexpr int kMaxProducers = 32;
  for (int step = 0; step < kMaxProducers && x != kNoOp; ++step) {
    const Op& op = builder.op(x);
    switch (op.kind) {
      case OpKind::kConstant:
        return op.as<ConstantAttrs>().value;
      case OpKind::kBroadcast:
      case OpKind::kConvert:
      case OpKind::kCopy:
      case OpKind::kReshape:
      case OpKind::kSlice:
      case OpKind::kTranspose:
        x = op.operands[0];
        break;
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

int64_t DimOf(GraphBuilder& builder, int64_t dim, int64_t rank) {
  if (dim >= -rank && dim < rank) return dim < 0 ? dim + rank : dim;
  builder.Fail(fmt::format("found axis {}, expected one of rank {}", dim, rank));
  return 0;
}

std::vector<int64_t> DimsOf(GraphBuilder& builder, const std::vector<int64_t>& dims, int64_t rank) {
  std::vector<int64_t> found;
  found.reserve(dims.size());
  for (const int64_t dim : dims) found.push_back(DimOf(builder, dim, rank));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

OpId Unsqueezed(GraphBuilder& builder, OpId x, std::vector<int64_t> dims) {
  const int64_t rank = builder.shape(x).rank() + static_cast<int64_t>(dims.size());
  const size_t given = dims.size();
  dims = DimsOf(builder, dims, rank);
  if (dims.size() != given) builder.Fail("found an axis twice, expected once");
  if (!builder.ok()) return kNoOp;
  std::vector<Dim> result = builder.shape(x).dims;
  for (const int64_t dim : dims) result.insert(result.begin() + dim, kOne);
  return builder.Reshape(x, std::move(result));
}

OpId Squeezed(GraphBuilder& builder, OpId x, std::vector<int64_t> dims) {
  const Shape shape = builder.shape(x);
  dims = DimsOf(builder, dims, shape.rank());
  if (!builder.ok()) return kNoOp;
  std::vector<Dim> result;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (!std::binary_search(dims.begin(), dims.end(), dim)) {
      result.push_back(shape.dims[dim]);
    } else if (shape.dims[dim] != kOne) {
      builder.Fail(fmt::format("found {}, expected size 1 in dim {}", FormatShape(shape), dim));
    }
  }
  return builder.Reshape(x, std::move(result));
}

}  // namespace tilewise
