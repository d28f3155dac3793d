// Masks the indices that belong to other cores, or takes those of all.

#include "sim/lowering/partition/lookup.h"

#include <algorithm>

namespace tilewise {
namespace {

bool FeedsMatrixOp(const Graph& graph, OpId value) {
  for (const OpId id : graph.users(value)) {
    const Op& user = graph.op(id);
    if (ClassOf(user.kind) == OpClass::kMxu) return true;
    const bool same = user.kind == OpKind::kConvert || user.kind == OpKind::kTranspose ||
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
  const OpId first =
      b.BinaryScalar(OpKind::kMultiply, values.PartitionId(), static_cast<double>(rows));
  const OpId shifted = b.Binary(OpKind::kSubtract, indices,
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
  return b.Select(b.Broadcast(own.mine, shape.dims, std::move(dims)), rows, b.Constant(0, shape));
}

void GatherByRows(SplitValues& values, const Op& op) {
  const OpId table = values.Part(op.operands[0], 0);
  const OpId indices = values.Whole(op.operands[1]);
  values.EnterContextOf(op, op.phase);
  const OwnIndices own = FindOwn(values, indices, values.builder().shape(table).size(0));
  const OpId rows = values.CloneLocal(op, {table, own.indices}, kWhole);
  values.SetPending(op.id, KeepOwn(values, rows, own));
}

void ScatterByRows(SplitValues& values, const Op& op) {
  const OpId indices = values.Whole(op.operands[0]);
  const OpId updates = values.Whole(op.operands[1]);
  values.EnterContextOf(op, op.phase);
  const OwnIndices own = FindOwn(values, indices, op.shape.size(0) / values.parts());
  const OpId kept = KeepOwn(values, updates, own);
  values.SetPart(op.id, 0, values.CloneLocal(op, {own.indices, kept}, 0));
}

// The variable of the gather whose gradient `scatter` is.
const Op* TableOf(const Graph& graph, const Op& scatter) {
  for (const Op& other : graph.ops()) {
    if (other.id >= scatter.id) break;
    if (other.kind != OpKind::kGather || other.origin != scatter.origin) {
      continue;
    }
    const Op& table = graph.op(Source(graph, other.operands[0]));
    const bool is_its = table.kind == OpKind::kVariable && table.shape.dims == scatter.shape.dims;
    if (is_its) return &table;
  }
  return nullptr;
}

// `op` on the examples of all cores of the axis, and on the part of `split`
// that this one has of the features.
OpId CloneForAll(SplitValues& values, const Op& op, std::vector<OpId> operands, int64_t split,
                 bool has_examples) {
  Op local = op;
  if (has_examples) local.shape.dims[0].factor *= values.parts();
  local.shape.dims[split].factor /= values.parts();
  return values.builder().Clone(local, std::move(operands), true);
}

OpId IndicesOfAll(SplitValues& values, const Op& op, OpId indices) {
  const OpId own = values.Whole(indices);
  values.EnterContextOf(op, op.phase);
  return values.builder().AllGather(own, 0, values.parts(), values.axis());
}

}  // namespace

std::vector<bool> FindTables(const Graph& graph, int64_t parts) {
  std::vector<const Op*> found;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kGather || op.as<GatherAttrs>().permutes) continue;
    const Op& table = graph.op(Source(graph, op.operands[0]));
    const bool is_stored = table.kind == OpKind::kVariable && table.as<VariableAttrs>().trainable &&
                           table.shape.rank() == 2 && table.shape.size(1) % parts == 0;
    const bool has_places = graph.operand(op, 1).shape.rank() > 0;
    if (is_stored && has_places) found.push_back(&table);
  }
  std::vector<bool> tables(graph.size(), false);
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kVariable) continue;
    tables[op.id] = std::any_of(found.begin(), found.end(), [&](const Op* table) {
      return table->origin == op.origin && table->shape.dims == op.shape.dims;
    });
  }
  return tables;
}

bool PartitionTableLookup(SplitValues& values, const Op& gather) {
  const OpId table = gather.operands[0];
  if (gather.as<GatherAttrs>().permutes || values.SplitOf(table) != 1) return false;
  const OpId indices = IndicesOfAll(values, gather, gather.operands[1]);
  const OpId part = values.Part(table, 1);
  const int64_t features = gather.shape.rank() - 1;
  values.EnterContextOf(gather, gather.phase);
  const OpId rows = CloneForAll(values, gather, {part, indices}, features, true);
  values.SetWhole(gather.id,
                  values.builder().AllToAll(rows, 0, features, values.parts(), values.axis()));
  return true;
}

bool PartitionTableGradient(SplitValues& values, const Op& scatter) {
  const Graph& graph = values.from();
  const Op* table = TableOf(graph, scatter);
  if (table == nullptr || values.SplitOf(table->id) != 1) return false;
  const OpId indices = IndicesOfAll(values, scatter, scatter.operands[0]);
  const OpId own = values.Whole(scatter.operands[1]);
  values.EnterContextOf(scatter, scatter.phase);
  const int64_t features = graph.operand(scatter, 1).shape.rank() - 1;
  const OpId rows = values.builder().AllToAll(own, features, 0, values.parts(), values.axis());
  values.SetPart(scatter.id, 1, CloneForAll(values, scatter, {indices, rows}, 1, false));
  return true;
}

bool PartitionFreeLookup(SplitValues& values, const Op& gather) {
  const OpId table = gather.operands[0];
  if (!values.IsFreeWeight(table)) return false;
  const int64_t last = values.from().op(table).shape.rank() - 1;
  if (FeedsMatrixOp(values.from(), Source(values.from(), table)) && values.CanStorePart(table, 0)) {
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
  values.SetWhole(gather.id, values.builder().AllGather(rows, dim, values.parts(), values.axis()));
  return true;
}

bool PartitionStoredLookup(SplitValues& values, const Op& op) {
  if (op.kind == OpKind::kGather) {
    if (values.SplitOf(op.operands[0]) != 0) return false;
    GatherByRows(values, op);
    return true;
  }
  if (op.kind != OpKind::kScatterAdd) return false;
  const Op* table = TableOf(values.from(), op);
  if (table == nullptr) return false;
  const int64_t split = values.SplitOf(table->id);
  if (split == 0) {
    ScatterByRows(values, op);
    return true;
  }
  if (split < 1) return false;
  const OpId indices = values.Whole(op.operands[0]);
  const int64_t dim = *OperandDim(values.from(), op, 1, split, values.parts());
  const OpId updates = values.Part(op.operands[1], dim);
  values.SetPart(op.id, split, values.CloneLocal(op, {indices, updates}, split));
  return true;
}

}  // namespace tilewise
