// Gather and scatter: a loop over the rows on one core; scatter reads, combines
// and writes each row, or only writes it when the old value does not matter
// (tpu-lowering 5). Where rows are counted along the sublanes, a row is one
// sublane of its tiles: 128 lanes of it lie together and move as one piece. Rows
// and slices of whole tiled dims lie together beyond that.

#include <algorithm>

#include "base/math.h"
#include "graph/ops/dims.h"
#include "sim/lowering/kernels/root_of_kernel.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/partition/split_dims.h"

namespace tilewise {
namespace {

struct RowMoves {
  double rows = 0;    // one per index
  double pieces = 0;  // of all rows: parts of registers that they come in
  Bytes bytes;        // of all rows, with their padding
  int64_t run = 0;    // bytes that lie together
};

// Rows of dim 0 of a table.
RowMoves TableRows(const OpContext& context, const Op& table, const Op& indices) {
  RowMoves moves;
  const Layout& layout = context.layout(table.id);
  const int64_t rows = indices.shape.elements();
  moves.rows = static_cast<double>(rows);
  if (table.shape.rank() == 0 || table.shape.size(0) == 0) return moves;
  const int64_t row_bytes =
      std::max<int64_t>(1, context.padded(table).value / PaddedSize(table.shape, layout, 0));
  moves.bytes = Bytes{row_bytes} * rows;
  moves.run = row_bytes;
  const int64_t piece = std::max<int64_t>(1, layout.tile_lanes * BitWidth(table.shape.dtype) / 8);
  moves.pieces = moves.rows * static_cast<double>(CeilDiv(row_bytes, piece));
  const std::vector<int64_t>& order = layout.minor_to_major;
  if (layout.tile_sublanes > 1 && order.size() > 1 && order[1] == 0) {
    moves.run = std::min(moves.run, piece);
  }
  return moves;
}

// Sizes of the slice at each index, by dim of the operand.
std::vector<int64_t> SliceSizes(const OpContext& context, const Op& op) {
  const GatherDims& gather = op.as<SlicesAttrs>();
  if (op.kind == OpKind::kGatherSlices) return gather.slice_sizes;
  const Shape& updates = context.operand(op, 2).shape;
  std::vector<int64_t> sizes(op.shape.dims.size(), -1);
  for (const int64_t dim : gather.collapsed_dims) {
    sizes[dim] = 1;
  }
  for (const int64_t dim : gather.operand_batch) {
    sizes[dim] = 1;
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
  const auto components = static_cast<int64_t>(op.as<SlicesAttrs>().start_dims.size());
  const int64_t places = indices.shape.elements() / std::max<int64_t>(1, components);
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
    const int64_t size = sizes[dim];
    const bool all = size == operand.shape.size(dim);
    const auto memory = static_cast<double>(all ? PaddedSize(operand.shape, layout, dim) : size);
    taken *= memory;
    const int64_t in_piece = i == 0 ? layout.tile_lanes : i == 1 ? layout.tile_sublanes : 1;
    moves.pieces *= static_cast<double>(CeilDiv(size, std::max<int64_t>(1, in_piece)));
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

bool TakesRows(const Op& op) {
  return op.kind == OpKind::kGather || op.kind == OpKind::kGatherSlices;
}

// Every slice is moved by itself, whatever the indices are.
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

// Rather than adding to what was there.
bool Assigns(const Op& op) {
  return op.kind == OpKind::kScatterSlices && op.as<SlicesAttrs>().assign;
}

// XLA sorts the rows first where one component indexes them, and no row waits
// for another where the indices are promised to be sorted or unique. Any other
// index may be that of the row before it, which has to be written first; XLA's
// normalizer makes indices of batch dims, too.
bool WaitsForEachRow(const Op& op) {
  if (op.kind != OpKind::kScatterSlices) return false;
  const auto& attrs = op.as<SlicesAttrs>();
  return !attrs.promised && attrs.start_dims.size() + attrs.operand_batch.size() > 1;
}

OpWork IndexedWork(const OpContext& context, const Op& op) {
  const RowMoves moves = MovesOfIndexed(context, op);
  const IndexedCycles& costs = context.chip.indexed;
  double cycles = costs.row * moves.rows;
  if (!TakesRows(op)) {
    cycles += (Assigns(op) ? costs.put : costs.add) * moves.pieces;
    if (WaitsForEachRow(op)) cycles += costs.serial * moves.rows;
  } else if (costs.sparse_core_row > 0) {
    cycles = costs.sparse_core_row * moves.rows;
  } else {
    cycles += costs.take * moves.pieces;
  }
  OpWork work;  // no other instruction is scheduled in the loop
  work.vector.alu = cycles * context.chip.vector_alu_slots;
  return work;
}

// Operands are read from the memory that they are in, but for the table, of
// which rows are read.
void SetTakenTraffic(const RootOfKernel& root, const RowMoves& moves, Kernel& kernel) {
  const Op& table = root.operand(0);
  if (ReadsInput(kernel, table.id)) {
    kernel.hbm_read -= root.context.padded(table);
    if (root.op.kind == OpKind::kGatherSlices) {
      kernel.vector.loads -= root.context.registers(table);
    }
  }
  kernel.hbm_read += moves.bytes;
}

// The old value is copied to where slices are put, unless it may be
// overwritten.
void ScatterInPlace(const RootOfKernel& root, Kernel& kernel) {
  if (!OverwritesOperand(root, kernel)) return;
  const Bytes whole = root.context.padded(root.op);
  kernel.hbm_read -= whole;
  kernel.hbm_write -= whole;
  kernel.vector.loads -= root.context.registers(root.op);
  kernel.vector.stores -= root.context.registers(root.op);
}

// Returns the efficiency of rows that are moved at `efficiency` and of the copy of the old value,
// which is one long transfer, together.
double WithCopy(const RootOfKernel& root, const RowMoves& moves, double efficiency) {
  const double rows = static_cast<double>(moves.bytes.value) * (Assigns(root.op) ? 1 : 2);
  const double copied = 2 * static_cast<double>(root.context.padded(root.op).value);
  if (efficiency <= 0 || rows + copied <= 0) return efficiency;
  return (rows + copied) / (rows / efficiency + copied);
}

// Rows are moved one by one; each is contiguous only within its tiles.
void SetRowTraffic(const RootOfKernel& root, Kernel& kernel) {
  const RowMoves moves = MovesOfIndexed(root.context, root.op);
  if (moves.run == 0) return;
  kernel.dma_row_efficiency =
      std::min(1.0, static_cast<double>(moves.run) /
                        static_cast<double>(root.context.chip.dma_min_row_bytes));
  if (TakesRows(root.op)) return SetTakenTraffic(root, moves, kernel);
  const bool copies = root.op.kind == OpKind::kScatterSlices && !OverwritesOperand(root, kernel);
  if (root.op.kind == OpKind::kScatterSlices) ScatterInPlace(root, kernel);
  if (!Assigns(root.op)) kernel.hbm_read += moves.bytes;
  kernel.hbm_write += moves.bytes;
  if (copies) kernel.dma_row_efficiency = WithCopy(root, moves, kernel.dma_row_efficiency);
}

// The dim of `indices` that is the `nth` batch dim of a gather.
int64_t IndexDim(const GatherDims& gather, int64_t nth) {
  return nth < gather.index_dim ? nth : nth + 1;
}

// The `nth` dim of the operand that slices keep.
int64_t KeptDim(const GatherDims& gather, int64_t nth) {
  int64_t dim = 0;
  while (true) {
    const bool kept = !HasDim(gather.collapsed_dims, dim) && !HasDim(gather.operand_batch, dim);
    if (kept && nth-- == 0) return dim;
    ++dim;
  }
}

int64_t CountBelow(const std::vector<int64_t>& dims, int64_t dim) {
  return std::count_if(dims.begin(), dims.end(), [&](int64_t other) { return other < dim; });
}

// What a batch dim of `from` is called in `to`; whole for another dim.
int64_t Partner(const std::vector<int64_t>& from, const std::vector<int64_t>& to, int64_t dim) {
  const auto at = std::find(from.begin(), from.end(), dim);
  return at == from.end() ? kWhole : to[at - from.begin()];
}

// A dim of a slice only where all of it is taken.
std::optional<int64_t> GatherSlicesOperandDim(const Graph& graph, const Op& op, size_t operand,
                                              int64_t dim) {
  const GatherDims& gather = op.as<SlicesAttrs>();
  const int64_t offsets = CountBelow(gather.offset_dims, dim);
  if (HasDim(gather.offset_dims, dim)) {
    const int64_t kept = KeptDim(gather, offsets);
    if (op.shape.size(dim) != graph.operand(op, 0).shape.size(kept)) {
      return std::nullopt;
    }
    return operand == 0 ? kept : kWhole;
  }
  const int64_t place = IndexDim(gather, dim - offsets);
  return operand == 1 ? place : Partner(gather.indices_batch, gather.operand_batch, place);
}

std::optional<int64_t> ScatterSlicesOperandDim(const Graph& graph, const Op& op, size_t operand,
                                               int64_t dim) {
  const GatherDims& gather = op.as<SlicesAttrs>();
  const Shape& updates = graph.operand(op, 2).shape;
  if (operand == 0) return DimUnless(HasDim(gather.collapsed_dims, dim), dim);
  const int64_t batch = Partner(gather.operand_batch, gather.indices_batch, dim);
  for (int64_t i = 0; i < updates.rank(); ++i) {
    const int64_t offsets = CountBelow(gather.offset_dims, i);
    if (HasDim(gather.offset_dims, i)) {
      if (KeptDim(gather, offsets) != dim) continue;
      if (updates.size(i) != op.shape.size(dim)) return std::nullopt;
      return operand == 1 ? kWhole : i;
    }
    if (batch == kWhole || IndexDim(gather, i - offsets) != batch) continue;
    return operand == 1 ? batch : i;
  }
  return std::nullopt;
}

std::optional<int64_t> GatherOperandDim(const Graph& graph, const Op& op, size_t operand,
                                        int64_t dim) {
  const int64_t index_rank = graph.operand(op, 1).shape.rank();
  if (dim < index_rank) return operand == 1 ? dim : kWhole;
  return operand == 0 ? dim - index_rank + 1 : kWhole;
}

std::optional<int64_t> ScatterAddOperandDim(const Graph& graph, const Op& op, size_t operand,
                                            int64_t dim) {
  if (dim == 0) return std::nullopt;
  const int64_t index_rank = graph.operand(op, 0).shape.rank();
  return operand == 0 ? kWhole : index_rank + dim - 1;
}

// Elements of a row lie in the lanes: whichever of its dims, but not one that counts rows.
bool AcceptsTableFirst(const Op&, size_t index, const DimOrder& order) {
  return index != 0 || order[0] != 0;
}

bool AcceptsGathered(const Graph& graph, const Op& op, const DimOrder& order) {
  return order[0] >= graph.operand(op, 1).shape.rank();
}

bool AcceptsUpdatesSecond(const Op&, size_t index, const DimOrder& order) {
  return index != 1 || order[0] == static_cast<int64_t>(order.size()) - 1;
}

bool AcceptsScattered(const Graph&, const Op&, const DimOrder& order) { return order[0] != 0; }

}  // namespace

constexpr LoweringTraits lowering_traits::kGather = {.operand_dim = GatherOperandDim,
                                                     .accepts_operand = AcceptsTableFirst,
                                                     .accepts_result = AcceptsGathered,
                                                     .kernel = KernelKind::kIndexed,
                                                     .work = IndexedWork,
                                                     .set_traffic = SetRowTraffic};
constexpr LoweringTraits lowering_traits::kScatterAdd = {.operand_dim = ScatterAddOperandDim,
                                                         .accepts_operand = AcceptsUpdatesSecond,
                                                         .accepts_result = AcceptsScattered,
                                                         .kernel = KernelKind::kIndexed,
                                                         .work = IndexedWork,
                                                         .set_traffic = SetRowTraffic};
constexpr LoweringTraits lowering_traits::kGatherSlices = {.operand_dim = GatherSlicesOperandDim,
                                                           .kernel = KernelKind::kIndexed,
                                                           .work = IndexedWork,
                                                           .set_traffic = SetRowTraffic};
constexpr LoweringTraits lowering_traits::kScatterSlices = {
    .operand_dim = ScatterSlicesOperandDim,
    .same_order = LoweringTraits::SameOrder::kFirst,
    .kernel = KernelKind::kIndexed,
    .work = IndexedWork,
    .set_traffic = SetRowTraffic};

}  // namespace tilewise
