// Masks the indices that belong to other cores.

#include "sim/lowering/passes/partition/lookup.h"

namespace tilewise {
namespace {

bool FeedsMatrixOp(const Graph& graph, OpId value) {
  for (const OpId id : graph.users(value)) {
    const Op& user = graph.op(id);
    if (ClassOf(user.kind) == OpClass::kMxu) return true;
    const bool same = user.kind == OpKind::kConvert ||
                      user.kind == OpKind::kTranspose ||
                      user.kind == OpKind::kReshape;
    if (same && FeedsMatrixOp(graph, id)) return true;
  }
  return false;
}

// The variable behind conversions.
OpId Source(const Graph& graph, OpId value) {
  while (graph.op(value).kind == OpKind::kConvert) {
    value = graph.op(value).operands[0];
  }
  return value;
}

// Indices into this core's rows: 0 and not `mine` for rows of others.
struct OwnIndices {
  OpId indices = kNoOp;
  OpId mine = kNoOp;  // pred
};

OwnIndices FindOwn(SplitValues& values, OpId indices, int64_t rows) {
  GraphBuilder& b = values.builder();
  const Shape shape = b.shape(indices);
  const OpId first = b.BinaryScalar(OpKind::kMultiply, values.PartitionId(),
                                    static_cast<double>(rows));
  const OpId shifted =
      b.Binary(OpKind::kSubtract, indices,
               b.Broadcast(b.Convert(first, shape.dtype), shape.dims, {}));
  const OpId zero = b.Constant(0, shape);
  const OpId end = b.Constant(static_cast<double>(rows), shape);
  OwnIndices own;
  own.mine = b.Binary(OpKind::kAnd, b.Compare(Comparison::kGe, shifted, zero),
                      b.Compare(Comparison::kLt, shifted, end));
  own.indices = b.Select(own.mine, shifted, zero);
  return own;
}

// Rows of others become zero.
OpId KeepOwn(SplitValues& values, OpId rows, const OwnIndices& own) {
  GraphBuilder& b = values.builder();
  const Shape shape = b.shape(rows);
  std::vector<int64_t> dims;
  for (int64_t i = 0; i < b.shape(own.mine).rank(); ++i) dims.push_back(i);
  return b.Select(b.Broadcast(own.mine, shape.dims, std::move(dims)), rows,
                  b.Constant(0, shape));
}

void GatherByRows(SplitValues& values, const Op& op) {
  const OpId table = values.Part(op.operands[0], 0);
  const OpId indices = values.Whole(op.operands[1]);
  values.EnterContextOf(op, op.phase);
  const OwnIndices own =
      FindOwn(values, indices, values.builder().shape(table).size(0));
  const OpId rows = values.CloneLocal(op, {table, own.indices}, kWhole);
  values.SetPending(op.id, KeepOwn(values, rows, own));
}

void ScatterByRows(SplitValues& values, const Op& op) {
  const OpId indices = values.Whole(op.operands[0]);
  const OpId updates = values.Whole(op.operands[1]);
  values.EnterContextOf(op, op.phase);
  const OwnIndices own =
      FindOwn(values, indices, op.shape.size(0) / values.parts());
  const OpId kept = KeepOwn(values, updates, own);
  values.SetPart(op.id, 0, values.CloneLocal(op, {own.indices, kept}, 0));
}

}  // namespace

bool PartitionFreeLookup(SplitValues& values, const Op& gather) {
  const OpId table = gather.operands[0];
  if (!values.IsFreeWeight(table)) return false;
  const int64_t last = values.from().op(table).shape.rank() - 1;
  if (FeedsMatrixOp(values.from(), Source(values.from(), table)) &&
      values.CanStorePart(table, 0)) {
    GatherByRows(values, gather);
    return true;
  }
  if (last < 1 || !values.CanStorePart(table, last)) return false;
  const OpId features = values.Part(table, last);
  const OpId indices = values.Whole(gather.operands[1]);
  const int64_t dim = gather.shape.rank() - 1;
  const OpId rows = values.CloneLocal(gather, {features, indices}, dim);
  values.SetPart(gather.id, dim, rows);
  values.EnterContextOf(gather, gather.phase);
  values.SetWhole(gather.id, values.builder().AllGather(
                                 rows, dim, values.parts(), values.axis()));
  return true;
}

bool PartitionStoredLookup(SplitValues& values, const Op& op) {
  if (op.kind == OpKind::kGather) {
    if (values.SplitOf(op.operands[0]) != 0) return false;
    GatherByRows(values, op);
    return true;
  }
  if (op.kind != OpKind::kScatterAdd) return false;
  // The table of the gather that it belongs to.
  for (const Op& other : values.from().ops()) {
    if (other.id >= op.id) break;
    if (other.kind != OpKind::kGather || other.origin != op.origin) continue;
    const OpId table = Source(values.from(), other.operands[0]);
    const Op& variable = values.from().op(table);
    if (variable.kind != OpKind::kVariable ||
        variable.shape.dims != op.shape.dims) {
      continue;
    }
    const int64_t split = values.SplitOf(table);
    if (split == 0) {
      ScatterByRows(values, op);
      return true;
    }
    if (split < 1) return false;
    const OpId indices = values.Whole(op.operands[0]);
    const int64_t dim =
        *OperandDim(values.from(), op, 1, split, values.parts());
    const OpId updates = values.Part(op.operands[1], dim);
    values.SetPart(op.id, split,
                   values.CloneLocal(op, {indices, updates}, split));
    return true;
  }
  return false;
}

}  // namespace tilewise
