// Gather and scatter-add: rows of dim 0 of a table, taken or added to.

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/permutation.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

// Dims of gather's result and of scatter-add's updates.
Shape RowsShape(const Shape& table, const Shape& indices) {
  Shape rows(table.dtype, indices.dims);
  rows.dims.insert(rows.dims.end(), table.dims.begin() + 1, table.dims.end());
  return rows;
}

ShapeOr GatherShape(const Op&, Shapes operands) {
  if (operands[0]->rank() < 1) {
    return WrongOperand(0, *operands[0], "rank 1 or more");
  }
  TW_RETURN_IF_ERROR(CheckInteger(operands, 1));
  return RowsShape(*operands[0], *operands[1]);
}

ShapeOr ScatterAddShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckInteger(operands, 0));
  const Shape table = op.shape.WithType(operands[1]->dtype);
  if (table.rank() < 1) {
    return InvalidInput(fmt::format("found table {}, expected rank 1 or more", FormatShape(table)));
  }
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, RowsShape(table, *operands[0])));
  return table;
}

Gradients GatherGradient(const GradientCall& call) {
  if (call.op.as<GatherAttrs>().permutes) {
    GraphBuilder& b = call.builder;
    const OpId inverse = InverseOrder(b, call.operand(1));
    return {Permute(b, call.dy, FitRows(b, inverse, call.shape(0).dims[0])), kNoOp};
  }
  return {call.builder.ScatterAdd(call.operand(1), call.dy, call.shape(0)), kNoOp};
}

Gradients ScatterAddGradient(const GradientCall& call) {
  return {kNoOp, call.builder.Gather(call.dy, call.operand(0))};
}

// Index dims are dims of the indices, the others are those of a row of the
// table.
struct RowSlots {
  int32_t table;
  int32_t indices;
  int32_t rows;
};

void LinkRows(const LinkCall& call, RowSlots slots) {
  const auto add = [&](int32_t operand, int64_t dim) {
    operand == DimSlot::kResult ? call.links.AddResult(dim) : call.links.Add(operand, dim);
  };
  const int64_t places = call.shape(static_cast<size_t>(slots.indices)).rank();
  const int64_t table_rank = slots.table == DimSlot::kResult
                                 ? call.rank()
                                 : call.shape(static_cast<size_t>(slots.table)).rank();
  for (int64_t dim = 0; dim < places; ++dim) {
    add(slots.indices, dim);
    add(slots.rows, dim);
    call.links.Close();
  }
  for (int64_t dim = 1; dim < table_rank; ++dim) {
    add(slots.table, dim);
    add(slots.rows, places + dim - 1);
    call.links.Close();
  }
}

void LinkTakenRows(const LinkCall& call) {
  LinkRows(call, {.table = 0, .indices = 1, .rows = DimSlot::kResult});
}

void LinkAddedRows(const LinkCall& call) {
  LinkRows(call, {.table = DimSlot::kResult, .indices = 0, .rows = 1});
}

constexpr auto kGatherFields = FieldsOf<GatherAttrs, &GatherAttrs::permutes>("permutes");

}  // namespace

constexpr OpTraits op_traits::kGather = {.operands = 2,
                                         .attributes = kGatherFields,
                                         .shape = GatherShape,
                                         .gradient = GatherGradient,
                                         .links = LinkTakenRows};
constexpr OpTraits op_traits::kScatterAdd = {.operands = 2,
                                             .shape = ScatterAddShape,
                                             .gradient = ScatterAddGradient,
                                             .links = LinkAddedRows};

}  // namespace tilewise
