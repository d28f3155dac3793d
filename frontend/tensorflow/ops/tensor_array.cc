// TensorArrays: the list travels in the flow, the last operand.

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/tensor_list.h"

namespace tilewise::tf {
namespace {

absl::StatusOr<TensorList> ReadFlow(const OpContext& ctx) {
  const int64_t flow = ctx.num_inputs() - 1;
  const TensorList* list = ctx.List(flow);
  if (list == nullptr) return ReadList(ctx, 0);
  const TensorList* handle = ctx.List(0);
  TensorList joined = *list;
  if (handle != nullptr && !joined.length) joined.length = handle->length;
  if (handle != nullptr && !joined.element) joined.element = handle->element;
  return joined;
}

absl::Status ArrayCreate(OpContext& ctx) {
  return CreateList(ctx, TypeOr(ctx, "dtype", DType::kF32), ElementDims(ctx, -1), 0);
}

// Handle, index, value, flow -> flow.
absl::Status ArrayWrite(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(TensorList list, ReadFlow(ctx));
  TW_ASSIGN_OR_RETURN(const OpId place, IndexAt(ctx, 1));
  TW_ASSIGN_OR_RETURN(const OpId item, Tensor(ctx, 2));
  TW_ASSIGN_OR_RETURN(list, Written(ctx, std::move(list), place, item));
  ctx.SetList(0, std::move(list));
  return absl::OkStatus();
}

absl::Status ArrayRead(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const TensorList list, ReadFlow(ctx));
  TW_ASSIGN_OR_RETURN(const OpId place, IndexAt(ctx, 1));
  TW_ASSIGN_OR_RETURN(const OpId item, ElementAt(ctx, list, place));
  return ctx.Result(item);
}

absl::Status ArrayGather(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(TensorList list, ReadFlow(ctx));
  if (!list.element) list.element = ElementDims(ctx, -1);
  return SetGathered(ctx, list, 1);
}

// Handle, indices, value, flow: all rows.
absl::Status ArrayScatter(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, StackedOperand(ctx, 2));
  ctx.SetList(0, FromTensor(ctx.builder(), x));
  return absl::OkStatus();
}

absl::Status ArraySize(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const TensorList list, ReadFlow(ctx));
  return SetLength(ctx, list);
}

absl::Status ArrayConcat(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const TensorList list, ReadFlow(ctx));
  return SetConcatenated(ctx, list);
}

// Handle, value, lengths, flow: rows of equal length.
absl::Status ArraySplit(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, StackedOperand(ctx, 1));
  TW_ASSIGN_OR_RETURN(const auto lengths, KnownList(ctx, 2, "lengths"));
  GraphBuilder& b = ctx.builder();
  std::vector<Dim> dims = b.shape(x).dims;
  const auto parts = static_cast<int64_t>(lengths.size());
  if (parts < 1 || dims[0].per_batch || dims[0].factor % parts != 0 ||
      lengths[0] != dims[0].factor / parts) {
    return InvalidInput("parts of different lengths");
  }
  dims[0].factor /= parts;
  dims.insert(dims.begin(), Dim{parts, false});
  ctx.SetList(0, FromTensor(b, b.Reshape(x, dims)));
  return absl::OkStatus();
}

// A list of gradients like the one given; handle and flow.
absl::Status ArrayGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(TensorList list, ReadFlow(ctx));
  list.stacked = kNoOp;
  ctx.SetList(0, list);
  ctx.SetList(1, list);
  return absl::OkStatus();
}

constexpr OpEntry kTensorArrayOps[] = {
    {"TensorArray", ArrayCreate},           {"TensorArrayCloseV2", Nothing},
    {"TensorArrayCloseV3", Nothing},        {"TensorArrayConcatV2", ArrayConcat},
    {"TensorArrayConcatV3", ArrayConcat},   {"TensorArrayGatherV2", ArrayGather},
    {"TensorArrayGatherV3", ArrayGather},   {"TensorArrayGradV3", ArrayGrad},
    {"TensorArrayReadV2", ArrayRead},       {"TensorArrayReadV3", ArrayRead},
    {"TensorArrayScatterV2", ArrayScatter}, {"TensorArrayScatterV3", ArrayScatter},
    {"TensorArraySizeV2", ArraySize},       {"TensorArraySizeV3", ArraySize},
    {"TensorArraySplitV2", ArraySplit},     {"TensorArraySplitV3", ArraySplit},
    {"TensorArrayV2", ArrayCreate},         {"TensorArrayV3", ArrayCreate},
    {"TensorArrayWriteV2", ArrayWrite},     {"TensorArrayWriteV3", ArrayWrite},
};

}  // namespace

std::span<const OpEntry> TensorArrayOps() { return kTensorArrayOps; }

}  // namespace tilewise::tf
