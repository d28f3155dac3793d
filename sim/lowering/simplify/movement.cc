// Movements that do nothing, undo each other, follow each other, or that the op
// after them can do as well: dots and reductions take their dims in any order.

#include <algorithm>
#include <utility>

#include "graph/moments.h"
#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {
namespace {

using Dims = std::vector<int64_t>;

bool IsIdentity(const Dims& dims) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

bool AllAre(const Dims& values, int64_t value) {
  return std::all_of(values.begin(), values.end(),
                     [&](int64_t v) { return v == value; });
}

// result[i] = outer[inner[i]].
Dims Composed(const Dims& outer, const Dims& inner) {
  Dims composed;
  for (const int64_t dim : inner) {
    composed.push_back(outer[static_cast<size_t>(dim)]);
  }
  return composed;
}

OpId EmitDims(Simplifier& s, const Op& op, OpId x, Dims dims) {
  Attributes attrs = op.attrs;
  attrs.dims = std::move(dims);
  return s.Emit(op, op.kind, {x}, op.shape, std::move(attrs));
}

// Whether every value of `from` is one of `to`.
bool Widens(DType from, DType to) {
  if (from == DType::kPred) return true;
  if (IsFloat(from)) {
    return from == to || (IsFloat(to) && BitWidth(to) > BitWidth(from));
  }
  if (IsFloat(to)) {
    return BitWidth(from) <= (to == DType::kF64   ? 32
                              : to == DType::kF32 ? 16
                                                  : 8) &&
           to != DType::kBF16;
  }
  return false;
}

OpId Convert(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  if (x.shape.dtype == op.shape.dtype) return x.id;
  if (x.kind != OpKind::kConvert) return kNoOp;
  const OpId source = x.operands[0];
  if (!Widens(s.shape(source).dtype, x.shape.dtype)) return kNoOp;
  if (s.shape(source).dtype == op.shape.dtype) return source;
  return s.Emit(op, OpKind::kConvert, {source}, op.shape);
}

OpId Broadcast(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  if (x.shape.dims == op.shape.dims) return x.id;
  if (x.kind != OpKind::kBroadcast) return kNoOp;
  return EmitDims(s, op, x.operands[0],
                  Composed(op.attrs->dims, x.attrs->dims));
}

OpId Reshape(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  if (x.shape.dims == op.shape.dims) return x.id;
  if (x.kind != OpKind::kReshape) return kNoOp;
  return s.Emit(op, OpKind::kReshape, {x.operands[0]}, op.shape);
}

OpId Transpose(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  if (IsIdentity(op.attrs->dims)) return x.id;
  if (x.kind != OpKind::kTranspose) return kNoOp;
  return EmitDims(s, op, x.operands[0],
                  Composed(x.attrs->dims, op.attrs->dims));
}

OpId Reverse(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  Dims kept;
  for (const int64_t dim : op.attrs->dims) {
    if (x.shape.size(dim) > 1) kept.push_back(dim);
  }
  if (kept.empty()) return x.id;
  if (x.kind == OpKind::kReverse && x.attrs->dims == kept) return x.operands[0];
  if (kept.size() == op.attrs->dims.size()) return kNoOp;
  return EmitDims(s, op, x.id, std::move(kept));
}

OpId Pad(const Op& op) {
  const Attributes& attrs = op.attrs;
  const bool nothing = AllAre(attrs.pad_low, 0) && AllAre(attrs.pad_high, 0) &&
                       AllAre(attrs.pad_interior, 0);
  return nothing ? op.operands[0] : kNoOp;
}

// A transposed operand of a reduction, when the kept dims keep their order.
OpId Reduce(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  const Dims& dims = op.attrs->dims;
  const bool nothing = std::all_of(dims.begin(), dims.end(), [&](int64_t dim) {
    return x.shape.size(dim) == 1;
  });
  if (nothing) {
    return s.Emit(op, OpKind::kReshape, {x.id}, op.shape);
  }
  if (x.kind != OpKind::kTranspose) return kNoOp;
  const Dims kept = Composed(x.attrs->dims, OtherDims(x.shape.rank(), dims));
  if (!std::is_sorted(kept.begin(), kept.end())) return kNoOp;
  Dims moved = Composed(x.attrs->dims, dims);
  std::sort(moved.begin(), moved.end());
  return EmitDims(s, op, x.operands[0], std::move(moved));
}

// A transposed operand of a dot, when its free dims keep their order.
OpId Dot(Simplifier& s, const Op& op) {
  for (size_t i = 0; i < 2; ++i) {
    const Op& x = s.op(op.operands[i]);
    if (x.kind != OpKind::kTranspose) continue;
    Attributes attrs = op.attrs;
    Dims& batch = i == 0 ? attrs.dot->lhs_batch : attrs.dot->rhs_batch;
    Dims& contract = i == 0 ? attrs.dot->lhs_contract : attrs.dot->rhs_contract;
    Dims used = batch;
    used.insert(used.end(), contract.begin(), contract.end());
    const Dims free = Composed(x.attrs->dims, OtherDims(x.shape.rank(), used));
    if (!std::is_sorted(free.begin(), free.end())) continue;
    batch = Composed(x.attrs->dims, batch);
    contract = Composed(x.attrs->dims, contract);
    std::vector<OpId> operands = op.operands;
    operands[i] = x.operands[0];
    return s.Emit(op, OpKind::kDot, std::move(operands), op.shape,
                  std::move(attrs));
  }
  return kNoOp;
}

}  // namespace

OpId SimplifyMovement(Simplifier& s, const Op& op) {
  switch (op.kind) {
    case OpKind::kConvert:
      return Convert(s, op);
    case OpKind::kBroadcast:
      return Broadcast(s, op);
    case OpKind::kReshape:
      return Reshape(s, op);
    case OpKind::kTranspose:
      return Transpose(s, op);
    case OpKind::kReverse:
      return Reverse(s, op);
    case OpKind::kSlice:
      return s.shape(op.operands[0]) == op.shape ? op.operands[0] : kNoOp;
    case OpKind::kPad:
      return Pad(op);
    case OpKind::kConcatenate:
      return op.operands.size() == 1 ? op.operands[0] : kNoOp;
    case OpKind::kReduce:
      return Reduce(s, op);
    case OpKind::kDot:
      return Dot(s, op);
    default:
      return kNoOp;
  }
}

}  // namespace tilewise
