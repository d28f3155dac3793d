// Shape rules of dots, indexed access, recurrent cells and composite ops.

#include <algorithm>

#include <fmt/format.h>

#include "graph/shape_rules.h"

namespace tilewise {
namespace {

bool Holds(const std::vector<int64_t>& dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// Each dim of `lhs` has the size of its partner in `rhs`.
absl::Status CheckPairs(Shapes operands, const std::vector<int64_t>& lhs,
                        const std::vector<int64_t>& rhs, const char* what) {
  if (lhs.size() != rhs.size()) {
    return InvalidInput(fmt::format("found {} and {} {} dims, expected as many",
                                    lhs.size(), rhs.size(), what));
  }
  for (size_t i = 0; i < lhs.size(); ++i) {
    const Dim& left = operands[0]->dims[static_cast<size_t>(lhs[i])];
    const Dim& right = operands[1]->dims[static_cast<size_t>(rhs[i])];
    if (left == right) continue;
    return InvalidInput(fmt::format("{} dim {} of {} and dim {} of {} differ",
                                    what, lhs[i], FormatShape(*operands[0]),
                                    rhs[i], FormatShape(*operands[1])));
  }
  return absl::OkStatus();
}

std::vector<int64_t> Joined(std::vector<int64_t> a,
                            const std::vector<int64_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Dims of gather's result and of scatter-add's updates.
Shape RowsShape(const Shape& table, const Shape& indices) {
  Shape rows(table.dtype, indices.dims);
  rows.dims.insert(rows.dims.end(), table.dims.begin() + 1, table.dims.end());
  return rows;
}

int64_t Gates(CellKind cell) {
  switch (cell) {
    case CellKind::kSimpleRnn:
      return 1;
    case CellKind::kLstm:
      return 4;
    case CellKind::kGru:
      return 3;
  }
  return 1;
}

bool IsQuantizedType(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kS4 || dtype == DType::kS8 ||
         dtype == DType::kF8E4M3 || dtype == DType::kF8E5M2;
}

// Sizes of the blocks of a kernel for groups of rows, which are the only batch
// dim.
absl::Status CheckBlocks(const Op& op) {
  constexpr int64_t kMost = 1 << 20;
  const std::vector<WindowDim>& sizes = op.attrs->window;
  if (sizes.empty()) return absl::OkStatus();
  const bool in_range =
      std::all_of(sizes.begin(), sizes.end(), [](const WindowDim& block) {
        return block.size >= 1 && block.size <= kMost;
      });
  if (sizes.size() == 3 && in_range && op.attrs->dot->lhs_batch.size() == 1) {
    return absl::OkStatus();
  }
  return InvalidInput(
      fmt::format("found {} sizes of blocks and {} batch dims, expected three "
                  "sizes of 1 to {} and one batch dim",
                  sizes.size(), op.attrs->dot->lhs_batch.size(), kMost));
}

// In which the matrix unit adds up products of `dtype`.
DType WideType(DType dtype) {
  if (IsComplex(dtype)) return DType::kC64;
  return IsFloat(dtype) ? DType::kF32 : DType::kS32;
}

}  // namespace

ShapeOr DotShape(const Op& op, Shapes operands) {
  const DotDims& dot = op.attrs->dot;
  const Shape& lhs = *operands[0];
  const Shape& rhs = *operands[1];
  if (lhs.dtype != rhs.dtype) {
    return WrongOperand(1, rhs, fmt::format("type {}", DTypeName(lhs.dtype)));
  }
  TW_RETURN_IF_ERROR(CheckBlocks(op));
  if (!IsQuantizedType(op.attrs->quantized)) {
    return InvalidInput(
        fmt::format("found products quantized to {}, expected s4, s8, f8e4m3, "
                    "f8e5m2, or f32 for none",
                    DTypeName(op.attrs->quantized)));
  }
  const auto lhs_used = Joined(dot.lhs_batch, dot.lhs_contract);
  const auto rhs_used = Joined(dot.rhs_batch, dot.rhs_contract);
  TW_RETURN_IF_ERROR(CheckDims(lhs_used, lhs.rank(), "operand 0"));
  TW_RETURN_IF_ERROR(CheckDims(rhs_used, rhs.rank(), "operand 1"));
  TW_RETURN_IF_ERROR(
      CheckPairs(operands, dot.lhs_batch, dot.rhs_batch, "batch"));
  TW_RETURN_IF_ERROR(
      CheckPairs(operands, dot.lhs_contract, dot.rhs_contract, "contracted"));
  Shape shape(op.attrs->wide ? WideType(lhs.dtype) : lhs.dtype, {});
  for (const int64_t dim : dot.lhs_batch) {
    shape.dims.push_back(lhs.dims[static_cast<size_t>(dim)]);
  }
  for (int64_t dim = 0; dim < lhs.rank(); ++dim) {
    if (Holds(lhs_used, dim)) continue;
    shape.dims.push_back(lhs.dims[static_cast<size_t>(dim)]);
  }
  for (int64_t dim = 0; dim < rhs.rank(); ++dim) {
    if (Holds(rhs_used, dim)) continue;
    shape.dims.push_back(rhs.dims[static_cast<size_t>(dim)]);
  }
  return shape;
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
    return InvalidInput(fmt::format("found table {}, expected rank 1 or more",
                                    FormatShape(table)));
  }
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, RowsShape(table, *operands[0])));
  return table;
}

ShapeOr RngCategoricalShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  if (operands[0]->rank() < 1) {
    return WrongOperand(0, *operands[0], "rank 1 or more");
  }
  Shape shape = operands[0]->WithType(DType::kS32);
  shape.dims.pop_back();
  return shape;
}

ShapeOr RecurrentShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  const Shape& z = *operands[0];
  const Shape& u = *operands[1];
  const int64_t gates = Gates(op.attrs->cell);
  if (z.rank() != 3 || z.dims[1].per_batch || z.dims[2].per_batch) {
    return WrongOperand(0, z, "[batch,time,gates x units]");
  }
  if (z.dims[2].factor % gates != 0) {
    return WrongOperand(0, z,
                        fmt::format("a multiple of {} gates in dim 2", gates));
  }
  const int64_t units = z.dims[2].factor / gates;
  TW_RETURN_IF_ERROR(
      CheckSame(operands, 1, Shape::Of(z.dtype, {units, gates * units})));
  return Shape(u.dtype, {z.dims[0], z.dims[1], {units, false}});
}

ShapeOr RecurrentGradShape(const Op& op, Shapes operands) {
  TW_ASSIGN_OR_RETURN(const Shape h, RecurrentShape(op, operands));
  TW_RETURN_IF_ERROR(CheckSame(operands, 2, h));
  TW_RETURN_IF_ERROR(CheckSame(operands, 3, h));
  return *operands[0];
}

ShapeOr SoftmaxShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  if (op.attrs->dims.size() != 1) {
    return InvalidInput("expected one dim to normalise over");
  }
  TW_RETURN_IF_ERROR(CheckDims(op.attrs->dims, operands[0]->rank(), "dims"));
  return *operands[0];
}

ShapeOr CrossEntropyShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  const Shape& logits = *operands[0];
  const Shape& labels = *operands[1];
  if (logits.rank() < 1) return WrongOperand(0, logits, "rank 1 or more");
  Shape loss = logits;
  loss.dims.pop_back();
  const bool one_hot = labels == logits;
  const bool ids = IsInteger(labels.dtype) && labels.dims == loss.dims;
  if (one_hot || ids) return loss;
  return WrongOperand(1, labels,
                      fmt::format("{} or {}", FormatShape(logits),
                                  FormatShape(loss.WithType(DType::kS32))));
}

ShapeOr BatchNormShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  const Shape& x = *operands[0];
  if (op.attrs->dims.size() != 1) {
    return InvalidInput("expected one feature dim");
  }
  TW_RETURN_IF_ERROR(CheckDims(op.attrs->dims, x.rank(), "dims"));
  const Shape feature(x.dtype,
                      {x.dims[static_cast<size_t>(op.attrs->dims[0])]});
  for (size_t i = 1; i < operands.size(); ++i) {
    TW_RETURN_IF_ERROR(CheckSame(operands, i, feature));
  }
  return x;
}

ShapeOr BatchNormTrainingShape(const Op& op, Shapes operands) {
  if (operands.size() == 3 || operands.size() == 5) {
    return BatchNormShape(op, operands);
  }
  return InvalidInput(
      fmt::format("found {} operands, expected 3 or 5", operands.size()));
}

ShapeOr LayerNormShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  const Shape& x = *operands[0];
  const std::vector<int64_t>& dims = op.attrs->dims;
  TW_RETURN_IF_ERROR(CheckDims(dims, x.rank(), "dims"));
  if (dims.empty() || !std::is_sorted(dims.begin(), dims.end())) {
    return InvalidInput("expected one or more ascending dims to normalise");
  }
  Shape weights(x.dtype, {});
  for (const int64_t dim : dims) {
    weights.dims.push_back(x.dims[static_cast<size_t>(dim)]);
  }
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, weights));
  TW_RETURN_IF_ERROR(CheckSame(operands, 2, weights));
  return x;
}

}  // namespace tilewise
