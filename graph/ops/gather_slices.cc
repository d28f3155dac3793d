// Gather-slices and scatter-slices. Both relate three shapes: the operand, the
// indices into it, and the slices, one per index.

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/dims.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

absl::Status CheckIndexDim(const GatherDims& gather, const Shape& indices) {
  if (gather.index_dim < 0 || gather.index_dim > indices.rank()) {
    return InvalidInput(
        fmt::format("found index dim {} of {}, expected 0 to "
                    "{}",
                    gather.index_dim, FormatShape(indices), indices.rank()));
  }
  int64_t components = 1;
  if (gather.index_dim < indices.rank()) {
    const Dim& dim = indices.dims[gather.index_dim];
    if (dim.per_batch) {
      return WrongOperand(1, indices, "as many index components for every batch");
    }
    components = dim.factor;
  }
  if (static_cast<int64_t>(gather.start_dims.size()) == components) {
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("found {} start dims for {} index components",
                                  gather.start_dims.size(), components));
}

absl::Status CheckBatchDims(const GatherDims& gather, const Shape& operand, const Shape& indices) {
  if (gather.operand_batch.size() != gather.indices_batch.size()) {
    return InvalidInput(
        fmt::format("found {} and {} batch dims, expected as "
                    "many",
                    gather.operand_batch.size(), gather.indices_batch.size()));
  }
  TW_RETURN_IF_ERROR(CheckDims(gather.indices_batch, indices.rank(), "indices_batch"));
  for (size_t i = 0; i < gather.operand_batch.size(); ++i) {
    const int64_t of_operand = gather.operand_batch[i];
    const int64_t of_indices = gather.indices_batch[i];
    if (of_indices == gather.index_dim) {
      return InvalidInput(fmt::format("indices_batch has the index dim {}", of_indices));
    }
    if (operand.dims[of_operand] == indices.dims[of_indices]) {
      continue;
    }
    return InvalidInput(
        fmt::format("batch dim {} of {} and dim {} of {} "
                    "differ",
                    of_operand, FormatShape(operand), of_indices, FormatShape(indices)));
  }
  return absl::OkStatus();
}

// Checks all that a gather and a scatter have in common, but for the slices' sizes.
absl::Status CheckGatherDims(const GatherDims& gather, const Shape& operand, const Shape& indices) {
  const int64_t rank = operand.rank();
  TW_RETURN_IF_ERROR(CheckDims(JoinedDims(gather.collapsed_dims, gather.operand_batch), rank,
                               "collapsed_dims and operand_batch"));
  TW_RETURN_IF_ERROR(CheckDims(JoinedDims(gather.start_dims, gather.operand_batch), rank,
                               "start_dims and operand_batch"));
  TW_RETURN_IF_ERROR(CheckIndexDim(gather, indices));
  TW_RETURN_IF_ERROR(CheckBatchDims(gather, operand, indices));
  const auto kept = DimsInNeither(rank, gather.collapsed_dims, gather.operand_batch);
  if (gather.offset_dims.size() != kept.size()) {
    return InvalidInput(
        fmt::format("found {} offset dims for {} dims of a "
                    "slice of {}",
                    gather.offset_dims.size(), kept.size(), FormatShape(operand)));
  }
  if (!std::is_sorted(gather.offset_dims.begin(), gather.offset_dims.end())) {
    return InvalidInput("found offset dims out of order, expected ascending");
  }
  return absl::OkStatus();
}

// The size of a slice along an operand's dim; nothing when it does not fit.
std::optional<Dim> SlicedDim(Dim whole, int64_t size) {
  if (size == kWholeDim) return whole;
  if (size == 1) return Dim{1, false};
  if (whole.per_batch || size < 1 || size > whole.factor) return std::nullopt;
  return Dim{size, false};
}

// Dims of `indices` without the index dim, with those of `slice` put in at
// the offset dims. Their number fits.
ShapeOr SlicesShape(const GatherDims& gather, DType dtype, const Shape& indices,
                    const std::vector<Dim>& slice) {
  std::vector<Dim> places = indices.dims;
  if (gather.index_dim < indices.rank()) {
    places.erase(places.begin() + static_cast<ptrdiff_t>(gather.index_dim));
  }
  const auto rank = static_cast<int64_t>(places.size() + slice.size());
  TW_RETURN_IF_ERROR(CheckDims(gather.offset_dims, rank, "offset_dims"));
  Shape slices(dtype, {});
  size_t next_place = 0;
  size_t next_offset = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    slices.dims.push_back(HasDim(gather.offset_dims, dim) ? slice[next_offset++]
                                                          : places[next_place++]);
  }
  return slices;
}

ShapeOr GatherSlicesShape(const Op& op, Shapes operands) {
  const GatherDims& gather = op.as<SlicesAttrs>();
  const Shape& operand = *operands[0];
  const Shape& indices = *operands[1];
  TW_RETURN_IF_ERROR(CheckInteger(operands, 1));
  TW_RETURN_IF_ERROR(CheckGatherDims(gather, operand, indices));
  if (static_cast<int64_t>(gather.slice_sizes.size()) != operand.rank()) {
    return InvalidInput(
        fmt::format("found {} slice sizes, expected {}, one "
                    "per dim",
                    gather.slice_sizes.size(), operand.rank()));
  }
  std::vector<Dim> slice;
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    const std::optional<Dim> size = SlicedDim(operand.dims[dim], gather.slice_sizes[dim]);
    if (!size) {
      return InvalidInput(
          fmt::format("found slice sizes {} of {}, which do "
                      "not fit dim {}",
                      fmt::join(gather.slice_sizes, ","), FormatShape(operand), dim));
    }
    const bool left_out = HasDim(gather.collapsed_dims, dim) || HasDim(gather.operand_batch, dim);
    if (!left_out) {
      slice.push_back(*size);
    } else if (*size != Dim{1, false}) {
      return InvalidInput(
          fmt::format("found slice size {} in dim {}, which is "
                      "left out, expected 1",
                      gather.slice_sizes[dim], dim));
    }
  }
  return SlicesShape(gather, operand.dtype, indices, slice);
}

ShapeOr ScatterSlicesShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<SlicesAttrs>();
  const GatherDims& gather = attrs;
  const Shape& operand = *operands[0];
  const Shape& indices = *operands[1];
  const Shape& updates = *operands[2];
  TW_RETURN_IF_ERROR(CheckInteger(operands, 1));
  TW_RETURN_IF_ERROR(CheckReducer(attrs.reducer, operands, 0));
  TW_RETURN_IF_ERROR(CheckGatherDims(gather, operand, indices));
  TW_RETURN_IF_ERROR(CheckDims(gather.offset_dims, updates.rank(), "offset_dims"));
  const auto kept = DimsInNeither(operand.rank(), gather.collapsed_dims, gather.operand_batch);
  std::vector<Dim> slice;
  for (size_t i = 0; i < kept.size(); ++i) {
    const Dim whole = operand.dims[kept[i]];
    const Dim part = updates.dims[gather.offset_dims[i]];
    const int64_t size = part == whole ? kWholeDim : part.factor;
    if (SlicedDim(whole, size) != part) {
      return WrongOperand(
          2, updates, fmt::format("slices that fit dim {} of {}", kept[i], FormatShape(operand)));
    }
    slice.push_back(part);
  }
  TW_ASSIGN_OR_RETURN(const Shape expected, SlicesShape(gather, operand.dtype, indices, slice));
  TW_RETURN_IF_ERROR(CheckSame(operands, 2, expected));
  return operand;
}

// dy from where the updates of a scatter went.
OpId UpdatesGradient(const GradientCall& call) {
  const Shape updates = call.shape(2);
  GatherDims dims = call.op.as<SlicesAttrs>();
  std::vector<int64_t>& sizes = dims.slice_sizes;
  sizes.assign(call.op.shape.dims.size(), 0);
  for (const int64_t dim : dims.collapsed_dims) {
    sizes[dim] = 1;
  }
  for (const int64_t dim : dims.operand_batch) {
    sizes[dim] = 1;
  }
  size_t next = 0;
  for (int64_t& size : sizes) {
    if (size == 1) continue;
    const Dim part = updates.dims[dims.offset_dims[next++]];
    size = part.per_batch ? kWholeDim : part.factor;
  }
  return call.builder.GatherSlices(call.dy, call.operand(1), std::move(dims));
}

Gradients GatherSlicesGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  return {b.ScatterSlices(b.Constant(0, call.shape(0)), call.operand(1), call.dy,
                          call.op.as<SlicesAttrs>(), Reducer::kSum, false),
          kNoOp};
}

Gradients AddSlicesGradient(const GradientCall& call) {
  return {call.wants(0) ? call.dy : kNoOp, kNoOp, call.wants(2) ? UpdatesGradient(call) : kNoOp};
}

// What was replaced has no say any more.
Gradients AssignSlicesGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  Gradients result(3, kNoOp);
  if (call.wants(0)) {
    result[0] = b.ScatterSlices(call.dy, call.operand(1), b.Constant(0, call.shape(2)),
                                call.op.as<SlicesAttrs>(), Reducer::kSum, true);
  }
  if (call.wants(2)) result[2] = UpdatesGradient(call);
  return result;
}

Gradients ScatterSlicesGradient(const GradientCall& call) {
  return call.op.as<SlicesAttrs>().assign ? AssignSlicesGradient(call) : AddSlicesGradient(call);
}

bool AssignsOrAdds(const Op& op) {
  const auto& attrs = op.as<SlicesAttrs>();
  return attrs.assign || attrs.reducer == Reducer::kSum;
}

// Dims of the slices (a result, or the updates) that are indices, and those that
// are whole dims of the operand.
void LinkSlices(const LinkCall& call, int32_t slices) {
  const GatherDims& gather = call.op.as<SlicesAttrs>();
  DimLinks& links = call.links;
  const bool is_result = slices == DimSlot::kResult;
  const auto add_slice = [&](int64_t dim) {
    is_result ? links.AddResult(dim) : links.Add(slices, dim);
  };
  const Shape& of_slices = is_result ? call.op.shape : call.shape(static_cast<size_t>(slices));
  int64_t place = 0;
  int64_t kept = 0;
  for (int64_t dim = 0; dim < of_slices.rank(); ++dim) {
    if (!HasDim(gather.offset_dims, dim)) {
      if (place == gather.index_dim) ++place;
      links.Add(1, place++);
      add_slice(dim);
      links.Close();
      continue;
    }
    while (HasDim(gather.collapsed_dims, kept) || HasDim(gather.operand_batch, kept)) {
      ++kept;
    }
    if (call.shape(0).size(kept) == of_slices.size(dim)) {
      links.Add(0, kept);
      add_slice(dim);
      links.Close();
    }
    ++kept;
  }
  for (size_t i = 0; i < gather.operand_batch.size(); ++i) {
    links.Add(0, gather.operand_batch[i]);
    links.Add(1, gather.indices_batch[i]);
    links.Close();
  }
}

void LinkGathered(const LinkCall& call) { LinkSlices(call, DimSlot::kResult); }

void LinkScatter(const LinkCall& call) {
  LinkFirst(call);
  LinkSlices(call, 2);
}

constexpr auto kSlicesFields =
    FieldsOf<SlicesAttrs, &SlicesAttrs::offset_dims, &SlicesAttrs::collapsed_dims,
             &SlicesAttrs::start_dims, &SlicesAttrs::operand_batch, &SlicesAttrs::indices_batch,
             &SlicesAttrs::slice_sizes, &SlicesAttrs::index_dim, &SlicesAttrs::assign,
             &SlicesAttrs::reducer, &SlicesAttrs::promised>(
        "offset_dims", "collapsed_dims", "start_dims", "operand_batch", "indices_batch",
        "slice_sizes", "index_dim", "assign", "reducer", "promised");

}  // namespace

constexpr OpTraits op_traits::kGatherSlices = {.operands = 2,
                                               .attributes = kSlicesFields,
                                               .shape = GatherSlicesShape,
                                               .gradient = GatherSlicesGradient,
                                               .links = LinkGathered};
constexpr OpTraits op_traits::kScatterSlices = {.operands = 3,
                                                .attributes = kSlicesFields,
                                                .shape = ScatterSlicesShape,
                                                .gradient = ScatterSlicesGradient,
                                                .has_gradient = AssignsOrAdds,
                                                .links = LinkScatter};

}  // namespace tilewise
