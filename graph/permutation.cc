// Marks a gather as one that takes each row once.

#include "graph/permutation.h"

#include <utility>

namespace tilewise {

OpId InverseOrder(GraphBuilder& b, OpId order) {
  const OpId places = b.Iota(b.shape(order), 0);
  return b.Sort({order, places}, 0, false, 1);
}

OpId FitRows(GraphBuilder& b, OpId order, Dim rows) {
  const Dim from = b.shape(order).dims[0];
  if (from == rows) return order;
  const OpId apart = b.Reshape(order, {{1, from.per_batch}, {from.factor, false}});
  const OpId fitted = rows.factor < from.factor
                          ? b.SliceDim(apart, 1, 0, rows.factor)
                          : b.Pad(apart, 0, {0, 0}, {0, rows.factor - from.factor}, {0, 0});
  return b.Reshape(fitted, {rows});
}

OpId Permute(GraphBuilder& b, OpId rows, OpId order) {
  const OpId plain = b.Gather(rows, order);  // nothing uses it
  Op op = b.op(plain);
  op.edit<GatherAttrs>().permutes = true;
  if (op.origin == plain) op.origin = OpId(b.size());
  return b.Clone(op, {rows, order});
}

}  // namespace tilewise
