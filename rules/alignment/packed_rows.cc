// Row i of [n, d] is part i % k of row i / k of [n / k, k * d]. The other parts
// are set to zero, and a product with k identities below each other brings the
// one that is left to the front: a reshape would tear rows of lanes apart.

#include "rules/alignment/packed_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/math.h"

namespace tilewise {
namespace {

bool IsPackable(const Graph& graph, const Op& table, int64_t lanes) {
  if (table.kind != OpKind::kVariable || table.shape.rank() != 2) return false;
  if (!IsFloat(table.shape.dtype) || lanes % table.shape.size(1) != 0) {
    return false;
  }
  return std::ranges::all_of(graph.users(table.id), [&](OpId id) {
    const Op& user = graph.op(id);
    return user.kind == OpKind::kGather && user.operands[0] == table.id;
  });
}

// One where dim 0 of [lanes, size] and dim 1 are the same place of a part.
OpId StackedIdentities(GraphBuilder& builder, int64_t lanes, int64_t size, DType dtype) {
  const Shape shape = Shape::Of(DType::kS32, {lanes, size});
  const OpId place =
      builder.BinaryScalar(OpKind::kRemainder, builder.Iota(shape, 0), static_cast<double>(size));
  const OpId equal = builder.Compare(Comparison::kEq, place, builder.Iota(shape, 1));
  return builder.Convert(equal, dtype);
}

// `rows` of packed parts with zeros but in part `part` of each.
OpId OnlyPart(GraphBuilder& builder, OpId rows, OpId part, int64_t size) {
  const Shape shape = builder.shape(rows);
  const int64_t last = shape.rank() - 1;
  std::vector<int64_t> mapping;
  for (int64_t dim = 0; dim < last; ++dim) mapping.push_back(dim);
  const DType index = builder.shape(part).dtype;
  const OpId lane = builder.BinaryScalar(OpKind::kDivide, builder.Iota(shape.WithType(index), last),
                                         static_cast<double>(size));
  const OpId wanted = builder.Broadcast(part, shape.dims, std::move(mapping));
  return builder.Select(builder.Compare(Comparison::kEq, lane, wanted), rows,
                        builder.Constant(0, shape));
}

OpId PackedLookup(GraphBuilder& builder, const Op& gather, std::span<const OpId> operands) {
  const Shape table = builder.shape(operands[0]);
  const int64_t lanes = table.size(1);
  const int64_t size = gather.shape.dims.back().factor;
  const int64_t whole_rows = lanes / size;
  const auto parts = static_cast<double>(whole_rows);
  const OpId ids = operands[1];
  const OpId rows = builder.Gather(operands[0], builder.BinaryScalar(OpKind::kDivide, ids, parts));
  const OpId part = builder.BinaryScalar(OpKind::kRemainder, ids, parts);
  return builder.MatMul(OnlyPart(builder, rows, part, size),
                        StackedIdentities(builder, lanes, size, table.dtype));
}

}  // namespace

Change PackedRows(const Graph& graph, OpId table, int64_t lanes) {
  Change change;
  if (!IsPackable(graph, graph.op(table), lanes)) return change;
  change.replace[table] = [lanes](GraphBuilder& builder, const Op& op, std::span<const OpId>) {
    const int64_t rows = CeilDiv(op.shape.elements(), lanes);
    return builder.Variable(Shape::Of(op.shape.dtype, {rows, lanes}), op.name,
                            op.as<VariableAttrs>().trainable);
  };
  for (const OpId lookup : graph.users(table)) {
    change.replace[lookup] = PackedLookup;
  }
  return change;
}

}  // namespace tilewise
