// Gather and scatter: a loop over the rows on one core; scatter reads, combines
// and writes each row, or only writes it when the old value does not matter
// (tpu-lowering 5). A row is one sublane of its tiles: 128 lanes of it lie
// together and move as one piece. Slices of whole tiled dims lie together
// beyond that.

#include "sim/lowering/kernels/indexed.h"

#include <algorithm>

#include "base/math.h"

namespace tilewise {
namespace {

// Rows of dim 0 of a table.
RowMoves TableRows(const OpContext& context, const Op& table,
                   const Op& indices) {
  RowMoves moves;
  const Layout& layout = context.layout(table.id);
  const int64_t rows = indices.shape.elements();
  moves.rows = static_cast<double>(rows);
  if (table.shape.rank() == 0 || table.shape.size(0) == 0) return moves;
  const int64_t row_bytes = std::max<int64_t>(
      1, context.padded(table).value / PaddedSize(table.shape, layout, 0));
  moves.bytes = Bytes{row_bytes} * rows;
  moves.run = row_bytes;
  const int64_t piece =
      std::max<int64_t>(1, layout.tile_lanes * BitWidth(table.shape.dtype) / 8);
  moves.pieces = moves.rows * static_cast<double>(CeilDiv(row_bytes, piece));
  if (layout.tile_sublanes > 1) {
    moves.run = std::min(moves.run, piece);
  }
  return moves;
}

// Sizes of the slice at each place, by dim of the operand.
std::vector<int64_t> SliceSizes(const OpContext& context, const Op& op) {
  const GatherDims& gather = op.attrs->gather;
  if (op.kind == OpKind::kGatherSlices) return gather.slice_sizes;
  const Shape& updates = context.operand(op, 2).shape;
  std::vector<int64_t> sizes(op.shape.dims.size(), -1);
  for (const int64_t dim : gather.collapsed_dims) {
    sizes[static_cast<size_t>(dim)] = 1;
  }
  for (const int64_t dim : gather.operand_batch) {
    sizes[static_cast<size_t>(dim)] = 1;
  }
  size_t next = 0;
  for (int64_t& size : sizes) {
    if (size < 0) size = updates.size(gather.offset_dims[next++]);
  }
  return sizes;
}

RowMoves Slices(const OpContext& context, const Op& op) {
  const Op& operand = context.operand(op, 0);
  const Op& indices = context.operand(op, 1);
  const Layout& layout = context.layout(operand.id);
  const auto components =
      static_cast<int64_t>(op.attrs->gather->start_dims.size());
  const int64_t places =
      indices.shape.elements() / std::max<int64_t>(1, components);
  const std::vector<int64_t> sizes = SliceSizes(context, op);
  RowMoves moves;
  moves.rows = static_cast<double>(places);
  double taken = 1;
  double run = 1;
  moves.pieces = moves.rows;
  bool whole = true;        // every dim so far, minor first
  bool whole_tiles = true;  // every tiled dim
  for (size_t i = 0; i < layout.minor_to_major.size(); ++i) {
    const int64_t dim = layout.minor_to_major[i];
    const int64_t size = sizes[static_cast<size_t>(dim)];
    const bool all = size == operand.shape.size(dim);
    const auto memory = static_cast<double>(
        all ? PaddedSize(operand.shape, layout, dim) : size);
    taken *= memory;
    const int64_t in_piece = i == 0   ? layout.tile_lanes
                             : i == 1 ? layout.tile_sublanes
                                      : 1;
    moves.pieces *=
        static_cast<double>(CeilDiv(size, std::max<int64_t>(1, in_piece)));
    if (whole) run *= memory;
    whole = whole && all;
    if (i < 2) whole_tiles = whole;
  }
  const double bytes = static_cast<double>(BitWidth(operand.shape.dtype)) / 8;
  if (layout.tile_sublanes > 1 && !whole_tiles) {
    run = std::min(run, static_cast<double>(layout.tile_lanes));
  }
  moves.bytes = {static_cast<int64_t>(taken * bytes * moves.rows)};
  moves.run = std::max<int64_t>(1, static_cast<int64_t>(run * bytes));
  return moves;
}

}  // namespace

bool TakesRows(const Op& op) {
  return op.kind == OpKind::kGather || op.kind == OpKind::kGatherSlices;
}

RowMoves MovesOfIndexed(const OpContext& context, const Op& op) {
  switch (op.kind) {
    case OpKind::kGather:
      return TableRows(context, context.operand(op, 0), context.operand(op, 1));
    case OpKind::kScatterAdd:
      return TableRows(context, op, context.operand(op, 0));
    default:
      return Slices(context, op);
  }
}

OpWork LowerIndexed(const OpContext& context, const Op& op) {
  const RowMoves moves = MovesOfIndexed(context, op);
  const IndexedCycles& costs = context.chip.indexed;
  double cycles = costs.row * moves.rows;
  if (!TakesRows(op)) {
    cycles += (op.attrs->assign ? costs.put : costs.add) * moves.pieces;
  } else if (costs.sparse_core_row > 0) {
    cycles = costs.sparse_core_row * moves.rows;
  } else {
    cycles += costs.take * moves.pieces;
  }
  OpWork work;  // no other instruction finds a place in the loop
  work.vector.alu = cycles * context.chip.vector_alu_slots;
  return work;
}

}  // namespace tilewise
