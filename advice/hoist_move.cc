// Walks up from the value that is moved. Each op on the way is made again on
// moved operands; what nothing else uses any more is left out later. A dot with
// weights W that is sliced or split along its columns is one with the same done
// to W; one whose result is transposed has its operands swapped.

#include "advice/hoist_move.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tilewise {
namespace {

constexpr int kMostOps = 64;  // made again for one move

bool Contains(const std::vector<int64_t>& dims, int64_t dim) {
  return std::ranges::find(dims, dim) != dims.end();
}

// Dims of an operand that a dot does not sum over and has no batch in.
std::vector<int64_t> FreeDims(const Shape& shape, const std::vector<int64_t>& batch,
                              const std::vector<int64_t>& contract) {
  std::vector<int64_t> free;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (!Contains(batch, dim) && !Contains(contract, dim)) free.push_back(dim);
  }
  return free;
}

// The only dim that a slice cuts; -1: none, or several.
int64_t CutDim(const Op& slice, const Shape& from) {
  const auto& cuts = slice.as<SliceAttrs>();
  int64_t cut = -1;
  for (int64_t dim = 0; dim < from.rank(); ++dim) {
    if (cuts.starts[dim] == 0 && cuts.strides[dim] == 1 && cuts.limits[dim] == from.size(dim)) {
      continue;
    }
    if (cut >= 0) return -1;
    cut = dim;
  }
  return cut;
}

class Hoisting {
 public:
  // `left`: ops that may still be made again.
  Hoisting(GraphBuilder& builder, Op move, int& left)
      : b_(builder), move_(std::move(move)), left_(left) {}

  OpId Make(OpId id) {
    if (--left_ < 0 || id == kNoOp) return kNoOp;
    const Op& op = b_.op(id);
    if (ClassOf(op.kind) == OpClass::kElementwise) return FromElementwise(op);
    switch (op.kind) {
      case OpKind::kConstant:
        return b_.Constant(op.as<ConstantAttrs>().value, Moved(op.shape));
      case OpKind::kVariable:
        return b_.Variable(Moved(op.shape), op.name, op.as<VariableAttrs>().trainable);
      case OpKind::kParameter:
        if (move_.kind == OpKind::kSlice) return kNoOp;
        return b_.Parameter(Moved(op.shape), op.name);
      case OpKind::kBroadcast:
        return FromBroadcast(op);
      case OpKind::kDot:
        return FromDot(op);
      case OpKind::kConvolution:
        return FromConvolution(op);
      default:
        return kNoOp;
    }
  }

 private:
  Shape Moved(const Shape& shape) const {
    if (move_.kind == OpKind::kReshape) return {shape.dtype, move_.shape.dims};
    Shape moved = shape;
    for (size_t i = 0; i < moved.dims.size(); ++i) {
      if (move_.kind == OpKind::kTranspose) {
        moved.dims[i] = shape.dims[move_.as<TransposeAttrs>().dims[i]];
        continue;
      }
      const auto& slice = move_.as<SliceAttrs>();
      moved.dims[i].factor =
          (slice.limits[i] - slice.starts[i] + slice.strides[i] - 1) / slice.strides[i];
    }
    return moved;
  }

  OpId FromElementwise(const Op& op) {
    std::vector<OpId> operands;
    operands.reserve(op.operands.size());
    for (const OpId operand : op.operands) {
      operands.push_back(Make(operand));
      if (operands.back() == kNoOp) return kNoOp;
    }
    return b_.Clone(op, std::move(operands), true);
  }

  OpId FromBroadcast(const Op& op) {
    const OpId small = op.operands[0];
    const Shape result = Moved(op.shape);
    const std::vector<int64_t>& mapping = op.as<BroadcastAttrs>().dims;
    if (mapping.empty()) return b_.Broadcast(small, result.dims, {});
    // A vector, such as a bias, along one dim.
    if (mapping.size() != 1) return kNoOp;
    const int64_t dim = mapping[0];
    switch (move_.kind) {
      case OpKind::kTranspose: {
        const auto at = std::ranges::find(move_.as<TransposeAttrs>().dims, dim);
        return b_.Broadcast(small, result.dims, {at - move_.as<TransposeAttrs>().dims.begin()});
      }
      case OpKind::kSlice: {
        const auto& cut = move_.as<SliceAttrs>();
        const OpId part =
            Sub(SliceMove(b_.shape(small), 0, cut.starts[dim], cut.limits[dim], cut.strides[dim]))
                .Make(small);
        if (part == kNoOp) return kNoOp;
        return b_.Broadcast(part, result.dims, {dim});
      }
      default:
        return SplitVector(op, small, dim);
    }
  }

  // The vector along the last dim, which the reshape splits.
  OpId SplitVector(const Op& op, OpId small, int64_t dim) {
    const std::vector<Dim>& to = move_.shape.dims;
    const int64_t kept = op.shape.rank() - 1;
    if (dim != kept || !KeepsFirst(op.shape, kept)) return kNoOp;
    std::vector<Dim> parts(to.begin() + kept, to.end());
    std::vector<int64_t> mapping;
    for (size_t i = 0; i < parts.size(); ++i) {
      mapping.push_back(kept + static_cast<int64_t>(i));
    }
    const OpId split = Sub(ReshapeMove(std::move(parts))).Make(small);
    if (split == kNoOp) return kNoOp;
    return b_.Broadcast(split, to, std::move(mapping));
  }

  // Whether the reshape leaves the first `count` dims as they are.
  bool KeepsFirst(const Shape& from, int64_t count) const {
    const std::vector<Dim>& to = move_.shape.dims;
    return count <= move_.shape.rank() &&
           std::equal(from.dims.begin(), from.dims.begin() + count, to.begin());
  }

  OpId FromDot(const Op& op) {
    switch (move_.kind) {
      case OpKind::kTranspose:
        return TransposedDot(op);
      case OpKind::kSlice:
        return SlicedDot(op);
      default:
        return SplitDot(op);
    }
  }

  // Rows and columns are swapped when the operands are.
  OpId TransposedDot(const Op& op) {
    const DotDims& dims = op.as<DotAttrs>();
    const auto batch = static_cast<int64_t>(dims.lhs_batch.size());
    const auto rows = static_cast<int64_t>(
        FreeDims(b_.shape(op.operands[0]), dims.lhs_batch, dims.lhs_contract).size());
    std::vector<int64_t> wanted;
    for (int64_t dim = 0; dim < batch; ++dim) wanted.push_back(dim);
    for (int64_t dim = batch + rows; dim < op.shape.rank(); ++dim) {
      wanted.push_back(dim);
    }
    for (int64_t dim = batch; dim < batch + rows; ++dim) wanted.push_back(dim);
    if (move_.as<TransposeAttrs>().dims != wanted) return kNoOp;
    Op turned = op;
    static_cast<DotDims&>(turned.edit<DotAttrs>()) = {dims.rhs_batch, dims.lhs_batch,
                                                      dims.rhs_contract, dims.lhs_contract};
    return b_.Clone(turned, {op.operands[1], op.operands[0]}, true);
  }

  // A part of the columns is made with that part of the weights.
  OpId SlicedDot(const Op& op) {
    const DotDims& dims = op.as<DotAttrs>();
    const int64_t cut = CutDim(move_, op.shape);
    const OpId rhs = op.operands[1];
    const std::vector<int64_t> columns = FreeDims(b_.shape(rhs), dims.rhs_batch, dims.rhs_contract);
    const int64_t first = op.shape.rank() - static_cast<int64_t>(columns.size());
    if (cut < first || !IsWeights(rhs)) return kNoOp;
    const auto& slice = move_.as<SliceAttrs>();
    const OpId part = Sub(SliceMove(b_.shape(rhs), columns[cut - first], slice.starts[cut],
                                    slice.limits[cut], slice.strides[cut]))
                          .Make(rhs);
    if (part == kNoOp) return kNoOp;
    return b_.Clone(op, {op.operands[0], part}, true);
  }

  // The last dim, the only one of columns, is split: so are the weights'.
  OpId SplitDot(const Op& op) {
    const DotDims& dims = op.as<DotAttrs>();
    const OpId rhs = op.operands[1];
    const Shape& weights = b_.shape(rhs);
    const int64_t kept = op.shape.rank() - 1;
    const std::vector<int64_t> columns = FreeDims(weights, dims.rhs_batch, dims.rhs_contract);
    if (columns != std::vector{weights.rank() - 1} || !IsWeights(rhs) ||
        !KeepsFirst(op.shape, kept)) {
      return kNoOp;
    }
    std::vector<Dim> split(weights.dims.begin(), weights.dims.end() - 1);
    split.insert(split.end(), move_.shape.dims.begin() + kept, move_.shape.dims.end());
    const OpId apart = Sub(ReshapeMove(std::move(split))).Make(rhs);
    if (apart == kNoOp) return kNoOp;
    return b_.Clone(op, {op.operands[0], apart}, true);
  }

  // A part of the features is made with that part of the kernel.
  OpId FromConvolution(const Op& op) {
    if (move_.kind != OpKind::kSlice || op.as<ConvAttrs>().groups != 1) return kNoOp;
    const int64_t feature = op.as<ConvAttrs>().channels_first ? 1 : op.shape.rank() - 1;
    if (CutDim(move_, op.shape) != feature) return kNoOp;
    const OpId kernel = op.operands[1];
    const auto& slice = move_.as<SliceAttrs>();
    const OpId part =
        Sub(SliceMove(b_.shape(kernel), b_.shape(kernel).rank() - 1, slice.starts[feature],
                      slice.limits[feature], slice.strides[feature]))
            .Make(kernel);
    if (part == kNoOp) return kNoOp;
    return b_.Clone(op, {op.operands[0], part}, true);
  }

  // A variable, or what one is converted to.
  bool IsWeights(OpId id) const {
    while (b_.op(id).kind == OpKind::kConvert) id = b_.op(id).operands[0];
    return b_.op(id).kind == OpKind::kVariable;
  }

  // What the move of a result is to the weights, or the vector, it is made of.
  Hoisting Sub(Op move) const { return {b_, std::move(move), left_}; }

  GraphBuilder& b_;
  const Op move_;
  int& left_;
};

}  // namespace

Op ReshapeMove(std::vector<Dim> dims) {
  Op move;
  move.kind = OpKind::kReshape;
  move.shape.dims = std::move(dims);
  return move;
}

Op SliceMove(const Shape& shape, int64_t dim, int64_t start, int64_t limit, int64_t stride) {
  Op move;
  move.kind = OpKind::kSlice;
  auto& attrs = move.edit<SliceAttrs>();
  attrs.starts.assign(shape.dims.size(), 0);
  attrs.strides.assign(shape.dims.size(), 1);
  attrs.limits = shape.sizes();
  attrs.starts[dim] = start;
  attrs.limits[dim] = limit;
  attrs.strides[dim] = stride;
  return move;
}

OpId HoistMove(GraphBuilder& builder, const Op& move, OpId value) {
  int left = kMostOps;
  return Hoisting(builder, move, left).Make(value);
}

Change HoistedMove(const Op& move) {
  Change change;
  change.replace[move.id] = [](GraphBuilder& builder, const Op& op,
                               std::span<const OpId> operands) {
    return HoistMove(builder, op, operands[0]);
  };
  return change;
}

}  // namespace tilewise
