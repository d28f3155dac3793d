// Lists as stacked tensors.

#include "frontend/tensorflow/ops/tensor_list.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/operands.h"
#include "library/gather.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 31;

Shape StackedShape(const TensorList& list) {
  Shape shape(list.dtype, {{list.length.value_or(1), false}});
  shape.dims.insert(shape.dims.end(), list.element->begin(), list.element->end());
  return shape;
}

// The list as a tensor; zeros that no iteration has written yet are made
// outside of the loop and carried into it.
OpId Stacked(OpContext& ctx, const TensorList& list) {
  if (list.stacked != kNoOp) return list.stacked;
  GraphBuilder& b = ctx.builder();
  const EnclosingLoop here = b.op(b.Scalar(0, DType::kS32)).loop;
  if (here.id == 0) return b.Constant(0, StackedShape(list));
  b.SetLoop({});
  const OpId zeros = b.Constant(0, StackedShape(list));
  b.SetLoop(here);
  return b.Barrier(zeros, {});
}

}  // namespace

std::optional<std::vector<Dim>> ElementDims(const OpContext& ctx, int64_t operand) {
  if (const KnownValue* known = ctx.Folded(operand); known != nullptr) {
    if (known->rank() == 0) return std::nullopt;  // -1: of unknown rank
    auto dims = KnownAsDims(*known);
    if (dims && !IsEmpty(*dims)) return dims;
    return std::nullopt;
  }
  const auto shape = ctx.ShapeAttr("element_shape");
  return shape ? OpContext::ToDims(*shape) : std::nullopt;
}

absl::StatusOr<TensorList> ReadList(const OpContext& ctx, int64_t operand) {
  const TensorList* list = ctx.List(operand);
  if (list != nullptr) return *list;
  return InvalidInput(fmt::format("operand {} is no list", operand));
}

absl::StatusOr<OpId> IndexAt(OpContext& ctx, int64_t operand) {
  TW_ASSIGN_OR_RETURN(const OpId place, Tensor(ctx, operand));
  if (ctx.builder().shape(place).rank() == 0) return place;
  return ctx.builder().Reshape(place, {});
}

absl::Status CreateList(OpContext& ctx, DType dtype, std::optional<std::vector<Dim>> element,
                        int64_t length_operand) {
  TensorList list;
  list.dtype = dtype;
  list.element = std::move(element);
  list.length = ctx.KnownInt(length_operand);
  if (list.length && (*list.length < 1 || *list.length > kMostElements)) {
    list.length.reset();
  }
  ctx.SetList(0, list);
  ctx.SetList(1, list);  // of a TensorArray: its flow
  return absl::OkStatus();
}

absl::StatusOr<TensorList> Written(OpContext& ctx, TensorList list, OpId place, OpId item) {
  GraphBuilder& b = ctx.builder();
  const Shape shape = b.shape(item);
  if (!list.length) list.length = std::max<int64_t>(ctx.loop_trips(), 1);
  if (list.stacked == kNoOp) {
    list.element = shape.dims;
    list.dtype = shape.dtype;
  }
  std::vector<Dim> row = shape.dims;
  row.insert(row.begin(), Dim{1, false});
  const OpId stacked = Stacked(ctx, list);
  const Shape whole = b.shape(stacked);
  if (whole.dtype != shape.dtype || whole.rank() != shape.rank() + 1 || whole.dims[0].per_batch ||
      !std::equal(shape.dims.begin(), shape.dims.end(), whole.dims.begin() + 1)) {
    return InvalidInput(
        fmt::format("found {} for an element of {}", FormatShape(shape), FormatShape(whole)));
  }
  list.stacked = b.DynamicUpdateSlice(stacked, b.Reshape(item, row), {place}, {0});
  return list;
}

absl::StatusOr<OpId> ElementAt(OpContext& ctx, const TensorList& list, OpId place) {
  GraphBuilder& b = ctx.builder();
  if (list.stacked == kNoOp) {
    if (!list.element) return InvalidInput("what a list holds is not known");
    return b.Constant(0, {list.dtype, *list.element});
  }
  std::vector<Dim> element = b.shape(list.stacked).dims;
  element.erase(element.begin());
  const OpId row = b.shape(list.stacked).dims[0].per_batch
                       ? TakeAlong(b, list.stacked, place, 0)
                       : b.DynamicSlice(list.stacked, {place}, {0}, {1});
  return b.Reshape(row, element);
}

TensorList FromTensor(const GraphBuilder& b, OpId x) {
  TensorList list;
  const Shape& shape = b.shape(x);
  list.dtype = shape.dtype;
  list.element.emplace(shape.dims.begin() + 1, shape.dims.end());
  if (!shape.dims[0].per_batch) list.length = shape.dims[0].factor;
  list.stacked = x;
  return list;
}

absl::Status SetStacked(OpContext& ctx, const TensorList& list) {
  if (list.stacked == kNoOp && !list.element) {
    return InvalidInput("what a list holds is not known");
  }
  return ctx.Result(Stacked(ctx, list));
}

absl::Status SetLength(OpContext& ctx, const TensorList& list) {
  if (list.stacked != kNoOp) {
    const Dim length = ctx.builder().shape(list.stacked).dims[0];
    KnownValue known = KnownScalar(static_cast<double>(length.factor), DType::kS32);
    known.elements[0].per_batch = length.per_batch;
    return ctx.Result(std::move(known));
  }
  if (!list.length) return InvalidInput("the length of a list is not known");
  return ctx.Result(KnownScalar(static_cast<double>(*list.length), DType::kS32));
}

// Rows at `indices`; all of them, in order, when these are known to be that.
absl::Status SetGathered(OpContext& ctx, const TensorList& list, int64_t indices) {
  const auto known = ctx.KnownInts(indices);
  const bool all = known && list.length && static_cast<int64_t>(known->size()) == *list.length;
  if (all || list.stacked == kNoOp) return SetStacked(ctx, list);
  if (ctx.builder().shape(list.stacked).dims[0].per_batch) {
    return ctx.Result(list.stacked);
  }
  TW_ASSIGN_OR_RETURN(const OpId places, Tensor(ctx, indices));
  return ctx.Result(ctx.builder().Gather(list.stacked, places));
}

// The first two dims as one.
absl::Status SetConcatenated(OpContext& ctx, const TensorList& list) {
  GraphBuilder& b = ctx.builder();
  if (list.stacked == kNoOp || b.shape(list.stacked).rank() < 2) {
    return InvalidInput("what a list holds is not known");
  }
  const Shape from = b.shape(list.stacked);
  TW_ASSIGN_OR_RETURN(const Dim rows, ElementsOf({from.dims[0], from.dims[1]}));
  std::vector<Dim> dims(from.dims.begin() + 1, from.dims.end());
  dims[0] = rows;
  return ctx.Result(b.Reshape(list.stacked, dims));
}

absl::StatusOr<OpId> StackedOperand(OpContext& ctx, int64_t operand) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, operand));
  if (ctx.builder().shape(x).rank() >= 1) return x;
  return InvalidInput("a list made of a scalar");
}

}  // namespace tilewise::tf
