// Dim maps of the ops that move, reduce or combine elements in place.

#include "sim/lowering/partition/split_dims.h"

#include <algorithm>

namespace tilewise {
namespace {

bool Has(const std::vector<int64_t>& dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

std::optional<int64_t> Unless(bool excluded, int64_t dim) {
  return excluded ? std::nullopt : std::optional<int64_t>(dim);
}

// The dim of `to` that starts at the same elements as `dim` of `from`: equal
// parts of it are the same elements.
std::optional<int64_t> SameElements(const Shape& from, int64_t dim,
                                    const Shape& to) {
  int64_t before = 1;
  for (int64_t i = 0; i < dim; ++i) before *= from.size(i);
  int64_t product = 1;
  for (int64_t i = 0; i < to.rank() && product <= before; ++i) {
    if (product == before && to.size(i) > 1) return i;
    product *= to.size(i);
  }
  return std::nullopt;
}

std::optional<int64_t> BroadcastDim(const Op& op, int64_t dim) {
  const std::vector<int64_t>& mapping = op.attrs->dims;
  const auto at = std::find(mapping.begin(), mapping.end(), dim);
  return at == mapping.end() ? kWhole : at - mapping.begin();
}

std::optional<int64_t> SliceDim(const Graph& graph, const Op& op, int64_t dim) {
  const auto i = static_cast<size_t>(dim);
  const bool is_all =
      op.shape.size(dim) == graph.operand(op, 0).shape.size(dim);
  return Unless(!is_all || op.attrs->starts[i] != 0, dim);
}

std::optional<int64_t> PadDim(const Op& op, size_t operand, int64_t dim) {
  if (operand != 0) return kWhole;
  const auto i = static_cast<size_t>(dim);
  const bool inside =
      i < op.attrs->pad_interior.size() && op.attrs->pad_interior[i] != 0;
  return Unless(
      op.attrs->pad_low[i] != 0 || op.attrs->pad_high[i] != 0 || inside, dim);
}

std::optional<int64_t> ReduceDim(const Graph& graph, const Op& op,
                                 int64_t dim) {
  const int64_t rank = graph.operand(op, 0).shape.rank();
  for (int64_t i = 0; i < rank; ++i) {
    if (Has(op.attrs->dims, i)) continue;
    if (dim-- == 0) return i;
  }
  return std::nullopt;
}

std::optional<int64_t> WindowedDim(const Op& op, int64_t dim) {
  if (op.kind == OpKind::kCumulative)
    return Unless(Has(op.attrs->dims, dim), dim);
  const int64_t feature = op.attrs->channels_first ? 1 : op.shape.rank() - 1;
  return Unless(dim != 0 && dim != feature, dim);
}

// The dim of `indices` that the `nth` of a gather's places runs along.
int64_t PlaceDim(const GatherDims& gather, int64_t nth) {
  return nth < gather.index_dim ? nth : nth + 1;
}

// The `nth` dim of the operand that slices keep.
int64_t KeptDim(const GatherDims& gather, int64_t nth) {
  int64_t dim = 0;
  while (true) {
    const bool kept =
        !Has(gather.collapsed_dims, dim) && !Has(gather.operand_batch, dim);
    if (kept && nth-- == 0) return dim;
    ++dim;
  }
}

int64_t CountBelow(const std::vector<int64_t>& dims, int64_t dim) {
  return std::count_if(dims.begin(), dims.end(),
                       [&](int64_t other) { return other < dim; });
}

// What a batch dim of `from` is called in `to`; whole for another dim.
int64_t Partner(const std::vector<int64_t>& from,
                const std::vector<int64_t>& to, int64_t dim) {
  const auto at = std::find(from.begin(), from.end(), dim);
  return at == from.end() ? kWhole : to[static_cast<size_t>(at - from.begin())];
}

// A dim of a slice only where all of it is taken.
std::optional<int64_t> GatheredDim(const Graph& graph, const Op& op,
                                   size_t operand, int64_t dim) {
  const GatherDims& gather = op.attrs->gather;
  const int64_t offsets = CountBelow(gather.offset_dims, dim);
  if (Has(gather.offset_dims, dim)) {
    const int64_t kept = KeptDim(gather, offsets);
    if (op.shape.size(dim) != graph.operand(op, 0).shape.size(kept)) {
      return std::nullopt;
    }
    return operand == 0 ? kept : kWhole;
  }
  const int64_t place = PlaceDim(gather, dim - offsets);
  return operand == 1
             ? place
             : Partner(gather.indices_batch, gather.operand_batch, place);
}

std::optional<int64_t> ScatteredDim(const Graph& graph, const Op& op,
                                    size_t operand, int64_t dim) {
  const GatherDims& gather = op.attrs->gather;
  const Shape& updates = graph.operand(op, 2).shape;
  if (operand == 0) return Unless(Has(gather.collapsed_dims, dim), dim);
  const int64_t batch =
      Partner(gather.operand_batch, gather.indices_batch, dim);
  for (int64_t i = 0; i < updates.rank(); ++i) {
    const int64_t offsets = CountBelow(gather.offset_dims, i);
    if (Has(gather.offset_dims, i)) {
      if (KeptDim(gather, offsets) != dim) continue;
      if (updates.size(i) != op.shape.size(dim)) return std::nullopt;
      return operand == 1 ? kWhole : i;
    }
    if (batch == kWhole || PlaceDim(gather, i - offsets) != batch) continue;
    return operand == 1 ? batch : i;
  }
  return std::nullopt;
}

std::optional<int64_t> IndexedDim(const Graph& graph, const Op& op,
                                  size_t operand, int64_t dim) {
  if (op.kind == OpKind::kGatherSlices) {
    return GatheredDim(graph, op, operand, dim);
  }
  if (op.kind == OpKind::kScatterSlices) {
    return ScatteredDim(graph, op, operand, dim);
  }
  const bool is_gather = op.kind == OpKind::kGather;
  const int64_t index_rank = graph.operand(op, is_gather ? 1 : 0).shape.rank();
  if (!is_gather) {
    if (dim == 0) return std::nullopt;
    return operand == 0 ? kWhole : index_rank + dim - 1;
  }
  if (dim < index_rank) return operand == 1 ? dim : kWhole;
  return operand == 0 ? dim - index_rank + 1 : kWhole;
}

std::optional<int64_t> DynamicDim(const Op& op, size_t operand, int64_t dim) {
  const size_t values = op.kind == OpKind::kDynamicSlice ? 1 : 2;
  if (operand >= values) return kWhole;
  return Unless(Has(op.attrs->dims, dim), dim);
}

// Heads: the only dim along which the parts of one attention are independent
// and which no data parallelism has taken.
std::optional<int64_t> AttentionDim(const Graph& graph, const Op& op,
                                    size_t operand, int64_t dim) {
  const auto heads = [](const Shape& shape) -> int64_t {
    return shape.rank() == 3 ? 1 : 2;
  };
  if (dim != heads(op.shape)) return std::nullopt;
  const size_t mask = op.kind == OpKind::kFlashAttention ? 3 : 6;
  const Shape& shape = graph.operand(op, static_cast<int>(operand)).shape;
  if (operand == mask) return shape.size(1) == 1 ? kWhole : 1;
  // All queries read the only key head.
  const bool is_key = operand == 1 || operand == 2;
  if (op.kind == OpKind::kFlashAttention && is_key &&
      (shape.rank() == 3 || shape.size(2) == 1)) {
    return kWhole;
  }
  return heads(shape);
}

std::optional<int64_t> DataDim(const Graph& graph, const Op& op, size_t operand,
                               int64_t dim) {
  switch (op.kind) {
    case OpKind::kBroadcast:
      return BroadcastDim(op, dim);
    case OpKind::kReshape:
      return SameElements(op.shape, dim, graph.operand(op, 0).shape);
    case OpKind::kTranspose:
      return op.attrs->dims[static_cast<size_t>(dim)];
    case OpKind::kReverse:
    case OpKind::kConcatenate:
      return Unless(Has(op.attrs->dims, dim), dim);
    case OpKind::kSlice:
      return SliceDim(graph, op, dim);
    case OpKind::kPad:
      return PadDim(op, operand, dim);
    case OpKind::kDynamicSlice:
    case OpKind::kDynamicUpdateSlice:
      return DynamicDim(op, operand, dim);
    case OpKind::kCopy:
      return dim;
    case OpKind::kBitcastConvert:
      return Unless(dim >= graph.operand(op, 0).shape.rank(), dim);
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> MappedDim(const Graph& graph, const Op& op,
                                 size_t operand, int64_t dim) {
  switch (ClassOf(op.kind)) {
    case OpClass::kElementwise:
      return dim;
    case OpClass::kData:
      return DataDim(graph, op, operand, dim);
    case OpClass::kReduce:
      return ReduceDim(graph, op, dim);
    case OpClass::kWindow:
      return WindowedDim(op, dim);
    case OpClass::kIndex:
      return IndexedDim(graph, op, operand, dim);
    case OpClass::kSort:
      return op.kind == OpKind::kSort ? Unless(Has(op.attrs->dims, dim), dim)
                                      : Unless(dim == op.shape.rank() - 1, dim);
    case OpClass::kAttention:
      return AttentionDim(graph, op, operand, dim);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<int64_t> OperandDim(const Graph& graph, const Op& op,
                                  size_t operand, int64_t result_dim,
                                  int64_t parts) {
  if (op.shape.size(result_dim) % parts != 0) return std::nullopt;
  const std::optional<int64_t> dim = MappedDim(graph, op, operand, result_dim);
  if (!dim || *dim == kWhole) return dim;
  const Shape& shape = graph.operand(op, static_cast<int>(operand)).shape;
  return Unless(shape.size(*dim) % parts != 0, *dim);
}

std::optional<int64_t> ResultDim(const Graph& graph, const Op& op,
                                 size_t operand, int64_t dim, int64_t parts) {
  for (int64_t result = 0; result < op.shape.rank(); ++result) {
    if (OperandDim(graph, op, operand, result, parts) == dim) return result;
  }
  return std::nullopt;
}

int64_t LargestDim(const Shape& shape, int64_t parts) {
  int64_t best = kWhole;
  if (shape.rank() < 2) return best;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t size = shape.size(dim);
    if (size % parts != 0) continue;
    if (best == kWhole || size > shape.size(best)) best = dim;
  }
  return best;
}

}  // namespace tilewise
