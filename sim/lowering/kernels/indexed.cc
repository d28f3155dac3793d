// Gather and scatter: one DMA per row, issued one after the other by the
// scalar unit; scatter reads, combines and writes each row, or only writes it
// when the old value does not matter (tpu-lowering 5). A slice is contiguous
// within the rows of its tiles, and beyond where it takes whole tiled dims.

#include "sim/lowering/kernels/indexed.h"

#include <algorithm>

namespace tilewise {
namespace {

// Instruction slots lost per row to address arithmetic and DMA issue; ours.
constexpr double kSlotsPerRow = 16;

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
  if (layout.tile_sublanes > 1) {
    moves.run = std::min(moves.run,
                         layout.tile_lanes * BitWidth(table.shape.dtype) / 8);
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
  bool whole = true;        // every dim so far, minor first
  bool whole_tiles = true;  // every tiled dim
  for (size_t i = 0; i < layout.minor_to_major.size(); ++i) {
    const int64_t dim = layout.minor_to_major[i];
    const int64_t size = sizes[static_cast<size_t>(dim)];
    const bool all = size == operand.shape.size(dim);
    const auto memory = static_cast<double>(
        all ? PaddedSize(operand.shape, layout, dim) : size);
    taken *= memory;
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
  OpWork work;
  const double rows = MovesOfIndexed(context, op).rows;
  work.vector.alu = kSlotsPerRow * rows;
  if (TakesRows(op)) return work;
  const Op& updates =
      context.operand(op, static_cast<int>(op.operands.size()) - 1);
  work.vector.alu += kSlotsPerRow * rows + context.registers(updates);
  return work;
}

}  // namespace tilewise
