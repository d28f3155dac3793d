// Operations that move elements. Forms whose sizes are operands are lowered to
// those with sizes of their own where the operands are known.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend/mlir/lowerers.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;
using hlo::Instruction;
using hlo::InstructionExtras;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

// Fails unless the operation has `count` operands at least.
absl::Status ExpectOperands(Body& body, const Operation& op, size_t count) {
  if (op.operands.size() >= count && op.results == 1) return absl::OkStatus();
  return body.lowering().Error(
      op, fmt::format("found {} operands and {} results, expected {} and 1", op.operands.size(),
                      op.results, count));
}

bool Ascending(const Dims& dims) {
  for (size_t i = 1; i < dims.size(); ++i) {
    if (dims[i] <= dims[i - 1]) return false;
  }
  return true;
}

// Fills open dims of a broadcast that no operand of known sizes has told.
void TakeOperandDims(const Dims& x, const Dims& dims, HloShape& shape) {
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t& dim = shape.dims[dims[i]];
    if (dim == kUnknownDim && x[i] != 1) dim = x[i];
  }
}

// XLA's broadcast stretches no dim of size 1: those are taken out before.
Index BroadcastInDim(Body& body, const Operation& op, Index x, HloShape shape, const Dims& dims) {
  Dims kept;
  Dims kept_dims;
  const Dims from = body.shape(x).dims;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t to = shape.dims[dims[i]];
    if (from[i] == 1 && to != 1) continue;
    kept.push_back(from[i]);
    kept_dims.push_back(dims[i]);
  }
  if (!Ascending(kept_dims)) {  // a transposition first
    Dims order(kept_dims.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
    x = body.Reshape(op, x, kept);
    std::sort(order.begin(), order.end(),
              [&](int64_t a, int64_t b) { return kept_dims[a] < kept_dims[b]; });
    Instruction transpose;
    transpose.opcode = Opcode::kTranspose;
    transpose.operands = {x};
    transpose.dims = order;
    Dims moved;
    for (int64_t i : order) moved.push_back(kept[i]);
    transpose.shape = ArrayShape(body.shape(x).dtype, moved);
    x = body.Add(op, std::move(transpose));
    std::sort(kept_dims.begin(), kept_dims.end());
    return body.Broadcast(op, x, std::move(shape), kept_dims);
  }
  // If only dims of size 1 are new, the elements keep their order.
  int64_t grows = 1;
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    bool mapped = false;
    for (int64_t dim : kept_dims) mapped = mapped || dim == static_cast<int64_t>(i);
    if (!mapped && shape.dims[i] != 1) grows = 2;
  }
  if (grows == 1) return body.Reshape(op, x, shape.dims);
  x = body.Reshape(op, x, kept);
  return body.Broadcast(op, x, std::move(shape), kept_dims);
}

// Sizes of slices in all dims; a dim of the batch is taken whole.
Index DynamicSlice(Body& body, const Operation& op, std::vector<Index> operands, Dims sizes,
                   HloShape shape) {
  Instruction slice;
  slice.opcode = Opcode::kDynamicSlice;
  slice.operands = std::move(operands);
  slice.Extras().slice->sizes = std::move(sizes);
  slice.shape = std::move(shape);
  return body.Add(op, std::move(slice));
}

// Element `i` of a vector, as a scalar.
Index ElementOf(Body& body, const Operation& op, Index vector, int64_t i) {
  Instruction slice;
  slice.opcode = Opcode::kSlice;
  slice.operands = {vector};
  slice.Extras().slice->starts = {i};
  slice.Extras().slice->limits = {i + 1};
  slice.Extras().slice->strides = {1};
  slice.shape = ArrayShape(body.shape(vector).dtype, {1});
  return body.Reshape(op, body.Add(op, std::move(slice)), {});
}

// [0:2, 4:8:2] or the attributes of the generic form.
absl::Status ReadSliceLimits(Body& body, const Operation& op, const Dims& x,
                             InstructionExtras& extras) {
  const Attribute* ranges = op.Find("ranges");
  if (ranges == nullptr) {
    TW_ASSIGN_OR_RETURN(extras.slice->starts, IntegersOr(body, op, {"start_indices"}, x.size(), 0));
    TW_ASSIGN_OR_RETURN(extras.slice->limits, IntegersOr(body, op, {"limit_indices"}, x.size(), 0));
    TW_ASSIGN_OR_RETURN(extras.slice->strides, IntegersOr(body, op, {"strides"}, x.size(), 1));
    return absl::OkStatus();
  }
  std::string_view rest = ranges->text.substr(1, ranges->text.size() - 2);
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    const Dims range = BracketIntegers(rest.substr(0, comma));
    if (range.size() < 2 || range.size() > 3) {
      return body.lowering().Error(op, "expected ranges as start:limit:stride");
    }
    extras.slice->starts.push_back(range[0]);
    extras.slice->limits.push_back(range[1]);
    extras.slice->strides.push_back(range.size() == 3 ? range[2] : 1);
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  if (extras.slice->starts.size() != x.size()) {
    return body.lowering().Error(
        op, fmt::format("found {} ranges, expected {}", extras.slice->starts.size(), x.size()));
  }
  return absl::OkStatus();
}

absl::Status CheckStrides(Body& body, const Operation& op, const Dims& strides) {
  for (int64_t stride : strides) {
    if (stride < 1) {
      return body.lowering().Error(
          op, fmt::format("found a stride of {}, expected at least 1", stride));
    }
  }
  return absl::OkStatus();
}

// Starts, limits and strides are operands: constants, multiples of the batch,
// or not known.
absl::Status LowerRealDynamicSlice(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 4));
  TW_ASSIGN_OR_RETURN(const std::vector<Index> operands, body.Operands(op));
  const Dims x = body.shape(operands[0]).dims;
  const SizeValues* limits = body.sizes(operands[2]);
  const auto starts = ConstantsOf(body, operands[1], x.size());
  const auto strides = ConstantsOf(body, operands[3], x.size());
  Instruction slice;
  slice.opcode = Opcode::kSlice;
  bool known = starts && strides && limits != nullptr && limits->size() == x.size();
  for (size_t i = 0; known && i < x.size(); ++i) {
    const int64_t limit = AsDim((*limits)[i]).value_or(kUnknownDim);
    // Part of the batch has no form.
    known = (*strides)[i] > 0 && (limit >= 0 ? x[i] >= 0 : limit == x[i] && (*starts)[i] == 0);
    slice.Extras().slice->limits.push_back(limit);
  }
  if (known) {
    slice.operands = {operands[0]};
    slice.Extras().slice->starts = *starts;
    slice.Extras().slice->strides = *strides;
    return body.Finish(op, std::move(slice));
  }
  std::vector<Index> pieces = {operands[0]};
  for (size_t i = 0; i < x.size(); ++i) {
    pieces.push_back(ElementOf(body, op, operands[1], static_cast<int64_t>(i)));
  }
  HloShape shape = body.ResultShape(op);
  for (size_t i = 0; i < shape.dims.size() && i < x.size(); ++i) {
    if (shape.dims[i] == kUnknownDim) shape.dims[i] = x[i];
  }
  Dims sizes = shape.dims;
  return body.Alias(op,
                    DynamicSlice(body, op, std::move(pieces), std::move(sizes), std::move(shape)));
}

}  // namespace

// broadcast_in_dim %x, dims = [..]; dynamic_broadcast_in_dim %x, %sizes too.
absl::Status LowerBroadcastInDim(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 1));
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  const Dims from = body.shape(x).dims;
  TW_ASSIGN_OR_RETURN(const Dims dims,
                      IntegersOr(body, op, {"dims", "broadcast_dimensions"}, from.size(), 0));
  HloShape shape = body.ResultShape(op);
  TW_RETURN_IF_ERROR(CheckDims(body, op, dims, shape.dims.size()));
  if (op.operands.size() > 1) {
    TW_ASSIGN_OR_RETURN(const Index sizes, body.Operand(op, 1));
    TakeSizes(body, sizes, shape);
  }
  TakeOperandDims(from, dims, shape);
  for (int64_t& dim : shape.dims) {
    if (dim != kUnknownDim) continue;
    dim = -1;
    body.lowering().Note("RD002", &op,
                         "a size of a broadcast does not follow from its "
                         "operands; the batch is taken");
  }
  return body.Alias(op, BroadcastInDim(body, op, x, std::move(shape), dims));
}

// New dims in front.
absl::Status LowerBroadcast(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 1));
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  HloShape shape = body.ResultShape(op);
  const size_t rank = body.shape(x).dims.size();
  if (shape.dims.size() < rank || HasOpenDims(shape)) {
    return body.lowering().Error(op, "expected a result of known larger rank");
  }
  Dims dims(rank);
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = static_cast<int64_t>(shape.dims.size() - rank + i);
  }
  return body.Alias(op, body.Broadcast(op, x, std::move(shape), std::move(dims)));
}

absl::Status LowerReshape(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 1));
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  Instruction reshape;
  reshape.opcode = Opcode::kReshape;
  reshape.operands = {x};
  reshape.shape = body.ResultShape(op);
  if (op.operands.size() > 1) {  // dynamic_reshape
    TW_ASSIGN_OR_RETURN(const Index sizes, body.Operand(op, 1));
    TakeSizes(body, sizes, reshape.shape);
  }
  return body.Alias(op, body.Add(op, std::move(reshape)));
}

absl::Status LowerTranspose(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 1));
  Instruction transpose;
  transpose.opcode = Opcode::kTranspose;
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  const size_t rank = body.shape(x).dims.size();
  TW_ASSIGN_OR_RETURN(transpose.dims, IntegersOr(body, op, {"dims", "permutation"}, rank, 0));
  TW_RETURN_IF_ERROR(CheckDims(body, op, transpose.dims, rank));
  transpose.operands = {x};
  return body.Finish(op, std::move(transpose));
}

absl::Status LowerReverse(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 1));
  Instruction reverse;
  reverse.opcode = Opcode::kReverse;
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  reverse.operands = {x};
  reverse.dims = IntegersOf(body, op, {"dims", "dimensions"});
  TW_RETURN_IF_ERROR(CheckDims(body, op, reverse.dims, body.shape(x).dims.size()));
  return body.Finish(op, std::move(reverse));
}

absl::Status LowerConcatenate(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 1));
  TW_ASSIGN_OR_RETURN(Instruction concatenate, body.OnOperands(op, Opcode::kConcatenate));
  concatenate.dims = {IntegerOr(op, {"dim", "dimension"}, 0)};
  for (Index operand : concatenate.operands) {
    TW_RETURN_IF_ERROR(CheckDims(body, op, concatenate.dims, body.shape(operand).dims.size()));
  }
  TW_RETURN_IF_ERROR(CheckDims(body, op, concatenate.dims, body.ResultShape(op).dims.size()));
  return body.Finish(op, std::move(concatenate));
}

// pad %x, %v, low = [..], high = [..], interior = [..]; dynamic_pad has them as
// operands.
absl::Status LowerPad(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 2));
  TW_ASSIGN_OR_RETURN(const std::vector<Index> operands, body.Operands(op));
  const Dims x = body.shape(operands[0]).dims;
  Instruction pad;
  pad.opcode = Opcode::kPad;
  pad.operands = {operands[0], operands[1]};
  InstructionExtras& extras = pad.Extras();
  if (operands.size() >= 5) {
    const auto low = ConstantsOf(body, operands[2], x.size());
    const auto high = ConstantsOf(body, operands[3], x.size());
    const auto interior = ConstantsOf(body, operands[4], x.size());
    if (!low || !high || !interior) return LowerUnknown(body, op);
    extras.pad->low = *low;
    extras.pad->high = *high;
    extras.pad->interior = *interior;
  } else {
    TW_ASSIGN_OR_RETURN(extras.pad->low,
                        IntegersOr(body, op, {"low", "edge_padding_low"}, x.size(), 0));
    TW_ASSIGN_OR_RETURN(extras.pad->high,
                        IntegersOr(body, op, {"high", "edge_padding_high"}, x.size(), 0));
    TW_ASSIGN_OR_RETURN(extras.pad->interior,
                        IntegersOr(body, op, {"interior", "interior_padding"}, x.size(), 0));
  }
  return body.Finish(op, std::move(pad));
}

absl::Status LowerSlice(Body& body, const Operation& op) {
  if (NameOf(op.name) == "real_dynamic_slice") {
    return LowerRealDynamicSlice(body, op);
  }
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 1));
  Instruction slice;
  slice.opcode = Opcode::kSlice;
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  TW_RETURN_IF_ERROR(ReadSliceLimits(body, op, body.shape(x).dims, slice.Extras()));
  TW_RETURN_IF_ERROR(CheckStrides(body, op, slice.Extras().slice->strides));
  slice.operands = {x};
  return body.Finish(op, std::move(slice));
}

absl::Status LowerDynamicSlice(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 1));
  TW_ASSIGN_OR_RETURN(std::vector<Index> operands, body.Operands(op));
  const size_t rank = body.shape(operands[0]).dims.size();
  TW_ASSIGN_OR_RETURN(Dims sizes, IntegersOr(body, op, {"sizes", "slice_sizes"}, rank, 1));
  if (operands.size() != rank + 1) {
    return body.lowering().Error(
        op, fmt::format("found {} starts, expected {}", operands.size() - 1, rank));
  }
  HloShape shape = ArrayShape(body.shape(operands[0]).dtype, sizes);
  return body.Alias(
      op, DynamicSlice(body, op, std::move(operands), std::move(sizes), std::move(shape)));
}

absl::Status LowerDynamicUpdateSlice(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 2));
  TW_ASSIGN_OR_RETURN(Instruction update, body.OnOperands(op, Opcode::kDynamicUpdateSlice));
  return body.Finish(op, std::move(update));
}

absl::Status LowerGetDimensionSize(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(ExpectOperands(body, op, 1));
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  const Dims dims = body.shape(x).dims;
  const int64_t dim = IntegerOr(op, {"dim", "dimension"}, 0);
  TW_RETURN_IF_ERROR(CheckDims(body, op, {dim}, dims.size()));
  const int64_t size = dims[dim];
  if (size >= 0) {
    return body.Alias(op, body.Constant(op, static_cast<double>(size), body.ResultShape(op)));
  }
  Instruction get;
  get.opcode = Opcode::kGetDimensionSize;
  get.operands = {x};
  get.dims = {dim};
  return body.Finish(op, std::move(get));
}

}  // namespace tilewise::mlir
