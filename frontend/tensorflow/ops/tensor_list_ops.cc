// TensorLists: the list is in the handle.

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/tensor_list.h"
#include "library/broadcast.h"

namespace tilewise::tf {
namespace {

absl::Status ListReserve(OpContext& ctx) {
  return CreateList(ctx, TypeOr(ctx, "element_dtype", DType::kF32), ElementDims(ctx, 0), 1);
}

absl::Status ListFromTensor(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, StackedOperand(ctx, 0));
  ctx.SetList(0, FromTensor(ctx.builder(), x));
  return absl::OkStatus();
}

absl::Status ListScatter(OpContext& ctx) {  // rows, indices: all of them
  return ListFromTensor(ctx);
}

absl::Status ListGetItem(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(TensorList list, ReadList(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId place, IndexAt(ctx, 1));
  if (!list.element) list.element = ElementDims(ctx, 2);
  TW_ASSIGN_OR_RETURN(const OpId item, ElementAt(ctx, list, place));
  return ctx.Result(item);
}

absl::Status ListSetItem(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(TensorList list, ReadList(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId place, IndexAt(ctx, 1));
  TW_ASSIGN_OR_RETURN(const OpId item, Tensor(ctx, 2));
  TW_ASSIGN_OR_RETURN(list, Written(ctx, std::move(list), place, item));
  ctx.SetList(0, std::move(list));
  return absl::OkStatus();
}

absl::Status ListStack(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(TensorList list, ReadList(ctx, 0));
  if (!list.element) list.element = ElementDims(ctx, 1);
  return SetStacked(ctx, list);
}

absl::Status ListLength(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const TensorList list, ReadList(ctx, 0));
  return SetLength(ctx, list);
}

absl::Status ListGather(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(TensorList list, ReadList(ctx, 0));
  if (!list.element) list.element = ElementDims(ctx, 2);
  return SetGathered(ctx, list, 1);
}

absl::Status ListConcat(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const TensorList list, ReadList(ctx, 0));
  return SetConcatenated(ctx, list);
}

absl::Status ListElementShape(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const TensorList list, ReadList(ctx, 0));
  if (!list.element) return InvalidInput("what a list holds is not known");
  return ctx.Result(KnownDims({list.dtype, *list.element}, TypeOr(ctx, "shape_type", DType::kS32)));
}

// The list gets one element in each iteration of a loop, at the index of the
// iteration.
absl::Status ListPushBack(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(TensorList list, ReadList(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId item, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const bool in_loop = b.op(b.Scalar(0, DType::kS32)).loop.id != 0;
  if (in_loop || list.stacked == kNoOp) {
    const OpId place = b.Scalar(0, DType::kS32);
    TW_ASSIGN_OR_RETURN(list, Written(ctx, std::move(list), place, item));
  } else {
    list.stacked = b.Concatenate({list.stacked, Unsqueezed(b, item, {0})}, 0);
    if (list.length) ++*list.length;
  }
  list.pushed = item;
  ctx.SetList(0, std::move(list));
  return absl::OkStatus();
}

absl::Status ListPopBack(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(TensorList list, ReadList(ctx, 0));
  if (!list.element) list.element = ElementDims(ctx, 1);
  const OpId place = ctx.builder().Scalar(0, DType::kS32);
  TW_ASSIGN_OR_RETURN(const OpId item, ElementAt(ctx, list, place));
  ctx.SetList(0, std::move(list));
  ctx.Set(1, item);
  return absl::OkStatus();
}

absl::Status ListResize(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(TensorList list, ReadList(ctx, 0));
  if (list.stacked == kNoOp) list.length = ctx.KnownInt(1);
  ctx.SetList(0, std::move(list));
  return absl::OkStatus();
}

constexpr OpEntry kTensorListOps[] = {
    {"EmptyTensorList", ListReserve},         {"TensorListConcat", ListConcat},
    {"TensorListConcatV2", ListConcat},       {"TensorListElementShape", ListElementShape},
    {"TensorListFromTensor", ListFromTensor}, {"TensorListGather", ListGather},
    {"TensorListGetItem", ListGetItem},       {"TensorListLength", ListLength},
    {"TensorListPopBack", ListPopBack},       {"TensorListPushBack", ListPushBack},
    {"TensorListReserve", ListReserve},       {"TensorListResize", ListResize},
    {"TensorListScatter", ListScatter},       {"TensorListScatterV2", ListScatter},
    {"TensorListSetItem", ListSetItem},       {"TensorListStack", ListStack},
};

}  // namespace

std::span<const OpEntry> TensorListOps() { return kTensorListOps; }

}  // namespace tilewise::tf
