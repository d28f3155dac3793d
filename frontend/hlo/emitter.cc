// Ops that are checked before they are appended, and the moves and conversions
// that most instructions share.

#include "frontend/hlo/emitter.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "graph/shape_inference.h"

namespace tilewise::hlo {
namespace {

constexpr int kMaxProducers = 32;  // through the producers of a constant

// The type that holds values of both.
DType Wider(DType a, DType b) {
  if (IsComplex(a) != IsComplex(b)) return IsComplex(a) ? a : b;
  if (IsFloat(a) != IsFloat(b)) return IsFloat(a) ? a : b;
  return BitWidth(b) > BitWidth(a) ? b : a;
}

bool KeepsTheValue(OpKind kind) {
  return kind == OpKind::kConvert || kind == OpKind::kBroadcast || kind == OpKind::kReshape ||
         kind == OpKind::kTranspose || kind == OpKind::kCopy;
}

}  // namespace

void Emitter::Begin(std::string_view name, Location location) {
  name_ = name;
  location_ = std::move(location);
}

void Emitter::Fail(const std::string& message) {
  if (status_.ok()) status_ = InvalidInput(message);
}

absl::Status Emitter::TakeStatus() { return std::exchange(status_, absl::OkStatus()); }

bool Emitter::CheckRoom() {
  if (!status_.ok()) return false;
  if (size() < limit_) return true;
  status_ = absl::ResourceExhaustedError(
      fmt::format("found more than {} ops, calls written out", limit_));
  return false;
}

OpId Emitter::Add(OpKind kind, std::vector<OpId> operands, Attributes attrs, Shape shape) {
  if (!CheckRoom()) return kNoOp;
  Op op;
  op.kind = kind;
  op.attrs = std::move(attrs);
  op.shape = std::move(shape);
  std::vector<const Shape*> shapes;
  shapes.reserve(operands.size());
  for (const OpId operand : operands) {
    if (operand == kNoOp) {
      Fail("found an operand without elements, expected an array");
      return kNoOp;
    }
    shapes.push_back(&builder_.shape(operand));
  }
  absl::StatusOr<Shape> inferred = InferShape(op, shapes);
  if (!inferred.ok()) {
    status_ = inferred.status();
    return kNoOp;
  }
  op.shape = *std::move(inferred);
  op.name = name_;
  op.location = location_;
  op.loop = loop_;
  op.origin = size();
  return builder_.Clone(std::move(op), std::move(operands));
}

OpId Emitter::Constant(double value, Shape shape) {
  return Add(OpKind::kConstant, {}, ConstantAttrs{value}, std::move(shape));
}

void Emitter::MakeAlike(OpId& x, OpId& y) {
  if (x == kNoOp || y == kNoOp) return;
  if (shape(x).rank() == 0) x = Fill(x, shape(y).dims);
  if (shape(y).rank() == 0) y = Fill(y, shape(x).dims);
  const DType dtype = Wider(shape(x).dtype, shape(y).dtype);
  x = Convert(x, dtype);
  y = Convert(y, dtype);
}

OpId Emitter::Binary(OpKind kind, OpId x, OpId y) {
  MakeAlike(x, y);
  return Add(kind, {x, y});
}

OpId Emitter::BinaryScalar(OpKind kind, OpId x, double y) {
  if (x == kNoOp) return Add(kind, {x, x});  // fails
  return Add(kind, {x, Constant(y, shape(x))});
}

OpId Emitter::Compare(Comparison comparison, OpId x, OpId y) {
  MakeAlike(x, y);
  return Add(OpKind::kCompare, {x, y}, CompareAttrs{comparison});
}

OpId Emitter::Select(OpId pred, OpId on_true, OpId on_false) {
  MakeAlike(on_true, on_false);
  if (pred != kNoOp && on_true != kNoOp && shape(pred).rank() == 0) {
    pred = Fill(pred, shape(on_true).dims);
  }
  return Add(OpKind::kSelect, {pred, on_true, on_false});
}

OpId Emitter::Convert(OpId x, DType dtype) {
  if (x == kNoOp || shape(x).dtype == dtype) return x;
  return Add(OpKind::kConvert, {x}, {}, shape(x).WithType(dtype));
}

OpId Emitter::Opaque(std::string_view label, std::vector<OpId> operands, Shape shape) {
  return Add(OpKind::kOpaque, std::move(operands), OpaqueAttrs{std::string(label)},
             std::move(shape));
}

OpId Emitter::Broadcast(OpId x, std::vector<Dim> dims, std::vector<int64_t> mapping) {
  if (x == kNoOp) return x;
  if (mapping.size() != shape(x).dims.size()) {
    Fail(fmt::format("found {} mapped dims, expected {}, one per dim", mapping.size(),
                     shape(x).rank()));
    return kNoOp;
  }
  std::vector<int64_t> order(mapping.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return mapping[static_cast<size_t>(a)] < mapping[static_cast<size_t>(b)];
  });
  x = Transpose(x, order);
  if (shape(x).dims == dims) return x;
  std::sort(mapping.begin(), mapping.end());
  return Add(OpKind::kBroadcast, {x}, BroadcastAttrs{std::move(mapping)},
             {x == kNoOp ? DType::kF32 : shape(x).dtype, std::move(dims)});
}

OpId Emitter::Fill(OpId x, const std::vector<Dim>& dims) {
  if (x == kNoOp || shape(x).dims == dims) return x;
  return Broadcast(x, dims, {});
}

OpId Emitter::Reshape(OpId x, std::vector<Dim> dims) {
  if (x == kNoOp || shape(x).dims == dims) return x;
  const DType dtype = shape(x).dtype;
  return Add(OpKind::kReshape, {x}, {}, {dtype, std::move(dims)});
}

OpId Emitter::Transpose(OpId x, std::vector<int64_t> permutation) {
  if (std::is_sorted(permutation.begin(), permutation.end())) return x;
  return Add(OpKind::kTranspose, {x}, TransposeAttrs{std::move(permutation)});
}

OpId Emitter::Reverse(OpId x, std::vector<int64_t> dims) {
  if (x == kNoOp) return x;
  std::erase_if(dims, [&](int64_t dim) {
    if (dim < 0 || dim >= shape(x).rank()) return false;
    return shape(x).dims[static_cast<size_t>(dim)] == Dim{};
  });
  if (dims.empty()) return x;
  return Add(OpKind::kReverse, {x}, DimsAttrs{std::move(dims)});
}

OpId Emitter::SliceDim(OpId x, int64_t dim, int64_t start, int64_t limit) {
  const size_t rank = shape(x).dims.size();
  std::vector<int64_t> starts(rank, 0);
  std::vector<int64_t> limits(rank, kWholeDim);
  starts[static_cast<size_t>(dim)] = start;
  limits[static_cast<size_t>(dim)] = limit;
  return Slice(x, std::move(starts), std::move(limits), std::vector<int64_t>(rank, 1));
}

OpId Emitter::Slice(OpId x, std::vector<int64_t> starts, std::vector<int64_t> limits,
                    std::vector<int64_t> strides) {
  if (x == kNoOp) return x;
  if (strides.empty()) strides.assign(starts.size(), 1);
  const std::vector<Dim>& dims = shape(x).dims;
  bool whole = true;
  for (size_t i = 0; i < std::min(dims.size(), limits.size()); ++i) {
    if (!dims[i].per_batch && limits[i] == kWholeDim) limits[i] = dims[i].factor;
    whole &= i < starts.size() && starts[i] == 0 && i < strides.size() && strides[i] == 1 &&
             (limits[i] == kWholeDim || limits[i] == dims[i].factor);
  }
  if (whole && limits.size() == dims.size()) return x;
  return Add(OpKind::kSlice, {x},
             SliceAttrs{std::move(starts), std::move(limits), std::move(strides)});
}

OpId Emitter::Concatenate(const std::vector<OpId>& xs, int64_t dim) {
  if (xs.size() == 1) return xs[0];
  return Add(OpKind::kConcatenate, xs, DimsAttrs{{dim}});
}

OpId Emitter::Reduce(Reducer reducer, OpId x, std::vector<int64_t> dims) {
  return Add(OpKind::kReduce, {x}, ReduceAttrs{std::move(dims), reducer});
}

std::optional<double> Emitter::ConstantValue(OpId id) const {
  for (int step = 0; step < kMaxProducers && id != kNoOp; ++step) {
    const Op& producer = op(id);
    if (producer.kind == OpKind::kConstant) return producer.as<ConstantAttrs>().value;
    if (!KeepsTheValue(producer.kind)) return std::nullopt;
    id = producer.operands[0];
  }
  return std::nullopt;
}

}  // namespace tilewise::hlo
