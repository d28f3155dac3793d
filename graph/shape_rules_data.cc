// Shape rules of ops that move or reduce elements. A per-batch dim can be
// moved, joined, reversed, reduced and reshaped as a whole, but not cut or
// padded: its size is not known yet.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/math.h"
#include "graph/shape_rules.h"

namespace tilewise {
namespace {

absl::Status CheckCount(const char* what, size_t found, int64_t expected) {
  if (static_cast<int64_t>(found) == expected) return absl::OkStatus();
  return InvalidInput(fmt::format("found {} {}, expected {}, one per dim",
                                  found, what, expected));
}

// Elements of one example; the caller has checked that they fit.
int64_t FactorProduct(const Shape& shape) {
  int64_t product = 1;
  for (const Dim& dim : shape.dims) product *= dim.factor;
  return product;
}

int64_t PerBatchDims(const Shape& shape) {
  return std::count_if(shape.dims.begin(), shape.dims.end(),
                       [](const Dim& dim) { return dim.per_batch; });
}

// The size left of `dim` by [start, limit) at `stride`.
absl::StatusOr<Dim> SliceDim(Dim dim, int64_t start, int64_t limit,
                             int64_t stride) {
  if (dim.per_batch) {
    if (start == 0 && limit == kWholeDim && stride == 1) return dim;
    return InvalidInput(
        "found a slice of the batch dim, expected it to be kept whole");
  }
  if (start < 0 || limit <= start || limit > dim.factor) {
    return InvalidInput(fmt::format("slice [{}:{}] does not fit size {}", start,
                                    limit, dim.factor));
  }
  if (stride < 1) {
    return InvalidInput(
        fmt::format("found stride {}, expected 1 or more", stride));
  }
  return Dim{(limit - start - 1) / stride + 1, false};
}

// size + low + high + (size - 1) * interior. Negative padding cuts off.
absl::StatusOr<Dim> PadDim(Dim dim, int64_t low, int64_t high,
                           int64_t interior) {
  if (low == 0 && high == 0 && interior == 0) return dim;
  if (dim.per_batch) {
    return InvalidInput("found padding of the batch dim, expected none");
  }
  for (const int64_t amount : {low, high}) {
    if (amount < -kMaxElements || amount > kMaxElements) {
      return InvalidInput(fmt::format("found padding {}, expected {} to {}",
                                      amount, -kMaxElements, kMaxElements));
    }
  }
  if (interior < 0 || interior > kMaxElements) {
    return InvalidInput(
        fmt::format("found interior padding {}, expected 0 to "
                    "{}",
                    interior, kMaxElements));
  }
  const std::optional<int64_t> between = CheckedMul(dim.factor - 1, interior);
  if (!between || *between > kMaxElements) {
    return InvalidInput(fmt::format(
        "found interior padding {} of size {}, expected at most {} elements",
        interior, dim.factor, kMaxElements));
  }
  const int64_t size = dim.factor + low + high + *between;
  if (size < 1) {
    return InvalidInput(fmt::format(
        "found padding {} and {} of size {}, expected some of it to be left",
        low, high, dim.factor));
  }
  return Dim{size, false};
}

}  // namespace

ShapeOr BroadcastShape(const Op& op, Shapes operands) {
  const Shape& from = *operands[0];
  const std::vector<int64_t>& mapping = op.attrs->dims;
  TW_RETURN_IF_ERROR(CheckCount("mapped dims", mapping.size(), from.rank()));
  TW_RETURN_IF_ERROR(CheckDims(mapping, op.shape.rank(), "dims"));
  if (!std::is_sorted(mapping.begin(), mapping.end())) {
    return InvalidInput("found mapped dims out of order, expected ascending");
  }
  for (size_t i = 0; i < mapping.size(); ++i) {
    if (op.shape.dims[static_cast<size_t>(mapping[i])] != from.dims[i]) {
      return InvalidInput(fmt::format(
          "{} does not map to {} by dims {}: dim {} differs in size",
          FormatShape(from), FormatShape(op.shape), fmt::join(mapping, ","),
          i));
    }
  }
  return op.shape.WithType(from.dtype);
}

ShapeOr ReshapeShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckSizes(op.shape));
  const Shape& from = *operands[0];
  if (FactorProduct(from) != FactorProduct(op.shape) ||
      PerBatchDims(from) != PerBatchDims(op.shape)) {
    return InvalidInput(
        fmt::format("{} has not as many elements as {}", FormatShape(from),
                    FormatShape(op.shape.WithType(from.dtype))));
  }
  return op.shape.WithType(from.dtype);
}

// The last dim of the narrower type numbers the parts of a wider element.
ShapeOr BitcastConvertShape(const Op& op, Shapes operands) {
  Shape shape = operands[0]->WithType(op.shape.dtype);
  const int64_t from = BitWidth(operands[0]->dtype);
  const int64_t to = BitWidth(shape.dtype);
  if (IsComplex(shape.dtype) != IsComplex(operands[0]->dtype)) {
    return WrongOperand(
        0, *operands[0],
        fmt::format("a type to read as {}", DTypeName(shape.dtype)));
  }
  if (from > to) shape.dims.push_back({from / to, false});
  if (from < to) {
    if (shape.rank() == 0 || shape.dims.back() != Dim{to / from, false}) {
      return WrongOperand(0, *operands[0],
                          fmt::format("a last dim of {} to read as {}",
                                      to / from, DTypeName(shape.dtype)));
    }
    shape.dims.pop_back();
  }
  return shape;
}

ShapeOr TransposeShape(const Op& op, Shapes operands) {
  const Shape& from = *operands[0];
  TW_RETURN_IF_ERROR(
      CheckCount("permuted dims", op.attrs->dims.size(), from.rank()));
  TW_RETURN_IF_ERROR(CheckDims(op.attrs->dims, from.rank(), "dims"));
  Shape shape(from.dtype, {});
  for (const int64_t dim : op.attrs->dims) {
    shape.dims.push_back(from.dims[static_cast<size_t>(dim)]);
  }
  return shape;
}

ShapeOr ReverseShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckDims(op.attrs->dims, operands[0]->rank(), "dims"));
  return *operands[0];
}

ShapeOr SliceShape(const Op& op, Shapes operands) {
  const Attributes& attrs = op.attrs;
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckCount("starts", attrs.starts.size(), shape.rank()));
  TW_RETURN_IF_ERROR(CheckCount("limits", attrs.limits.size(), shape.rank()));
  TW_RETURN_IF_ERROR(CheckCount("strides", attrs.strides.size(), shape.rank()));
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    TW_ASSIGN_OR_RETURN(
        shape.dims[i], SliceDim(shape.dims[i], attrs.starts[i], attrs.limits[i],
                                attrs.strides[i]));
  }
  return shape;
}

ShapeOr PadShape(const Op& op, Shapes operands) {
  const Attributes& attrs = op.attrs;
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, Shape(shape.dtype, {})));
  TW_RETURN_IF_ERROR(CheckCount("pad_low", attrs.pad_low.size(), shape.rank()));
  TW_RETURN_IF_ERROR(
      CheckCount("pad_high", attrs.pad_high.size(), shape.rank()));
  TW_RETURN_IF_ERROR(
      CheckCount("pad_interior", attrs.pad_interior.size(), shape.rank()));
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    TW_ASSIGN_OR_RETURN(shape.dims[i],
                        PadDim(shape.dims[i], attrs.pad_low[i],
                               attrs.pad_high[i], attrs.pad_interior[i]));
  }
  return shape;
}

ShapeOr ConcatenateShape(const Op& op, Shapes operands) {
  if (op.attrs->dims.size() != 1) {
    return InvalidInput("expected one dim to concatenate");
  }
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckDims(op.attrs->dims, shape.rank(), "dims"));
  const auto dim = static_cast<size_t>(op.attrs->dims[0]);
  for (size_t i = 1; i < operands.size(); ++i) {
    Shape expected = *operands[0];
    const Shape& found = *operands[i];
    if (found.dims.size() == expected.dims.size() &&
        found.dims[dim].per_batch == expected.dims[dim].per_batch) {
      expected.dims[dim] = found.dims[dim];
    }
    TW_RETURN_IF_ERROR(CheckSame(operands, i, expected));
    shape.dims[dim].factor += found.dims[dim].factor;
    TW_RETURN_IF_ERROR(CheckSizes(shape));
  }
  return shape;
}

ShapeOr ReduceShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReducer(op.attrs->reducer, operands, 0));
  const Shape& from = *operands[0];
  const std::vector<int64_t>& dims = op.attrs->dims;
  TW_RETURN_IF_ERROR(CheckDims(dims, from.rank(), "dims"));
  Shape shape(from.dtype, {});
  for (int64_t dim = 0; dim < from.rank(); ++dim) {
    if (std::find(dims.begin(), dims.end(), dim) == dims.end()) {
      shape.dims.push_back(from.dims[static_cast<size_t>(dim)]);
    }
  }
  return shape;
}

ShapeOr ArgReduceShape(const Op& op, Shapes operands) {
  if (op.attrs->dims.size() != 1) {
    return InvalidInput("expected one dim to search along");
  }
  if (op.attrs->reducer != Reducer::kMax &&
      op.attrs->reducer != Reducer::kMin) {
    return InvalidInput("expected the place of a max or a min");
  }
  TW_RETURN_IF_ERROR(CheckDims(op.attrs->dims, operands[0]->rank(), "dims"));
  Shape shape = operands[0]->WithType(DType::kS32);
  shape.dims.erase(shape.dims.begin() +
                   static_cast<ptrdiff_t>(op.attrs->dims[0]));
  return shape;
}

}  // namespace tilewise
