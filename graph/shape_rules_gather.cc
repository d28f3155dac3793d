// Shape rules of gathers and scatters of slices. Both relate three shapes: the
// operand, the places that index into it, and the slices, one per place.

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/shape_rules.h"

namespace tilewise {
namespace {

bool Has(const std::vector<int64_t>& dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// Dims of `rank` that are in neither list, ascending.
std::vector<int64_t> OtherDims(int64_t rank, const std::vector<int64_t>& a,
                               const std::vector<int64_t>& b) {
  std::vector<int64_t> others;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (!Has(a, dim) && !Has(b, dim)) others.push_back(dim);
  }
  return others;
}

std::vector<int64_t> Joined(std::vector<int64_t> a,
                            const std::vector<int64_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

absl::Status CheckIndexDim(const GatherDims& gather, const Shape& indices) {
  if (gather.index_dim < 0 || gather.index_dim > indices.rank()) {
    return InvalidInput(
        fmt::format("found index dim {} of {}, expected 0 to "
                    "{}",
                    gather.index_dim, FormatShape(indices), indices.rank()));
  }
  int64_t components = 1;
  if (gather.index_dim < indices.rank()) {
    const Dim& dim = indices.dims[static_cast<size_t>(gather.index_dim)];
    if (dim.per_batch) {
      return WrongOperand(1, indices,
                          "as many index components for every batch");
    }
    components = dim.factor;
  }
  if (static_cast<int64_t>(gather.start_dims.size()) == components) {
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("found {} start dims for {} index components",
                                  gather.start_dims.size(), components));
}

absl::Status CheckBatchDims(const GatherDims& gather, const Shape& operand,
                            const Shape& indices) {
  if (gather.operand_batch.size() != gather.indices_batch.size()) {
    return InvalidInput(
        fmt::format("found {} and {} batch dims, expected as "
                    "many",
                    gather.operand_batch.size(), gather.indices_batch.size()));
  }
  TW_RETURN_IF_ERROR(
      CheckDims(gather.indices_batch, indices.rank(), "indices_batch"));
  for (size_t i = 0; i < gather.operand_batch.size(); ++i) {
    const int64_t of_operand = gather.operand_batch[i];
    const int64_t of_indices = gather.indices_batch[i];
    if (of_indices == gather.index_dim) {
      return InvalidInput(
          fmt::format("indices_batch has the index dim {}", of_indices));
    }
    if (operand.dims[static_cast<size_t>(of_operand)] ==
        indices.dims[static_cast<size_t>(of_indices)]) {
      continue;
    }
    return InvalidInput(fmt::format(
        "batch dim {} of {} and dim {} of {} "
        "differ",
        of_operand, FormatShape(operand), of_indices, FormatShape(indices)));
  }
  return absl::OkStatus();
}

// All that a gather and a scatter have in common, but for the slices' sizes.
absl::Status CheckGatherDims(const GatherDims& gather, const Shape& operand,
                             const Shape& indices) {
  const int64_t rank = operand.rank();
  TW_RETURN_IF_ERROR(
      CheckDims(Joined(gather.collapsed_dims, gather.operand_batch), rank,
                "collapsed_dims and operand_batch"));
  TW_RETURN_IF_ERROR(CheckDims(Joined(gather.start_dims, gather.operand_batch),
                               rank, "start_dims and operand_batch"));
  TW_RETURN_IF_ERROR(CheckIndexDim(gather, indices));
  TW_RETURN_IF_ERROR(CheckBatchDims(gather, operand, indices));
  const auto kept =
      OtherDims(rank, gather.collapsed_dims, gather.operand_batch);
  if (gather.offset_dims.size() != kept.size()) {
    return InvalidInput(fmt::format(
        "found {} offset dims for {} dims of a "
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
ShapeOr Slices(const GatherDims& gather, DType dtype, const Shape& indices,
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
    slices.dims.push_back(Has(gather.offset_dims, dim) ? slice[next_offset++]
                                                       : places[next_place++]);
  }
  return slices;
}

}  // namespace

ShapeOr GatherSlicesShape(const Op& op, Shapes operands) {
  const GatherDims& gather = op.attrs->gather;
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
    const auto i = static_cast<size_t>(dim);
    const std::optional<Dim> size =
        SlicedDim(operand.dims[i], gather.slice_sizes[i]);
    if (!size) {
      return InvalidInput(fmt::format(
          "found slice sizes {} of {}, which do "
          "not fit dim {}",
          fmt::join(gather.slice_sizes, ","), FormatShape(operand), dim));
    }
    const bool left_out =
        Has(gather.collapsed_dims, dim) || Has(gather.operand_batch, dim);
    if (!left_out) {
      slice.push_back(*size);
    } else if (*size != Dim{1, false}) {
      return InvalidInput(
          fmt::format("found slice size {} in dim {}, which is "
                      "left out, expected 1",
                      gather.slice_sizes[i], dim));
    }
  }
  return Slices(gather, operand.dtype, indices, slice);
}

ShapeOr ScatterSlicesShape(const Op& op, Shapes operands) {
  const GatherDims& gather = op.attrs->gather;
  const Shape& operand = *operands[0];
  const Shape& indices = *operands[1];
  const Shape& updates = *operands[2];
  TW_RETURN_IF_ERROR(CheckInteger(operands, 1));
  TW_RETURN_IF_ERROR(CheckReducer(op.attrs->reducer, operands, 0));
  TW_RETURN_IF_ERROR(CheckGatherDims(gather, operand, indices));
  TW_RETURN_IF_ERROR(
      CheckDims(gather.offset_dims, updates.rank(), "offset_dims"));
  const auto kept =
      OtherDims(operand.rank(), gather.collapsed_dims, gather.operand_batch);
  std::vector<Dim> slice;
  for (size_t i = 0; i < kept.size(); ++i) {
    const Dim whole = operand.dims[static_cast<size_t>(kept[i])];
    const Dim part = updates.dims[static_cast<size_t>(gather.offset_dims[i])];
    const int64_t size = part == whole ? kWholeDim : part.factor;
    if (SlicedDim(whole, size) != part) {
      return WrongOperand(2, updates,
                          fmt::format("slices that fit dim {} of {}", kept[i],
                                      FormatShape(operand)));
    }
    slice.push_back(part);
  }
  TW_ASSIGN_OR_RETURN(const Shape expected,
                      Slices(gather, operand.dtype, indices, slice));
  TW_RETURN_IF_ERROR(CheckSame(operands, 2, expected));
  return operand;
}

}  // namespace tilewise
