// Checked access to the operands of a node.

#include "frontend/tensorflow/ops/operands.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/math.h"

namespace tilewise::tf {
namespace {

// Sizes that a file states may be anything.
absl::Status CheckProduct(const std::vector<Dim>& dims) {
  int64_t product = 1;
  for (const Dim& dim : dims) {
    if (dim.factor == 0) continue;
    const auto next = CheckedMul(product, dim.factor);
    if (!next || *next > kMaxElements) {
      return InvalidInput(fmt::format("found {}, expected at most {} elements",
                                      FormatShape({DType::kF32, dims}), kMaxElements));
    }
    product = *next;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<OpId> Tensor(OpContext& ctx, int64_t i) {
  if (i >= ctx.num_inputs()) {
    return InvalidInput(
        fmt::format("found {} operands, expected at least {}", ctx.num_inputs(), i + 1));
  }
  if (ctx.input(i).is_empty()) return InvalidInput(fmt::format("operand {} has no elements", i));
  if (!ctx.IsTensor(i)) {
    return InvalidInput(fmt::format("operand {} is no tensor of numbers of known shape", i));
  }
  const OpId op = ctx.Input(i);
  if (op != kNoOp) return op;
  if (!ctx.ok()) return ctx.builder().TakeStatus();
  return InvalidInput(fmt::format("operand {} is no tensor", i));
}

absl::StatusOr<OpId> AnyTensor(OpContext& ctx, int64_t i) {
  if (ctx.input(i).is_empty()) return ctx.AnyInput(i);
  return Tensor(ctx, i);
}

absl::StatusOr<std::vector<OpId>> Tensors(OpContext& ctx, int64_t begin, int64_t end) {
  std::vector<OpId> ops;
  for (int64_t i = begin; i < end; ++i) {
    TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, i));
    ops.push_back(op);
  }
  return ops;
}

absl::StatusOr<Shape> TensorShapeOf(const OpContext& ctx, int64_t i) {
  const std::optional<Shape> shape = ctx.InputShape(i);
  if (shape) return *shape;
  return InvalidInput(fmt::format("the shape of operand {} is not known", i));
}

absl::StatusOr<std::vector<int64_t>> KnownList(const OpContext& ctx, int64_t i,
                                               std::string_view what) {
  if (auto list = ctx.KnownInts(i)) return *std::move(list);
  return InvalidInput(
      fmt::format("operand {} ({}) is not known without running the model", i, what));
}

absl::StatusOr<int64_t> KnownSingle(const OpContext& ctx, int64_t i, std::string_view what) {
  TW_ASSIGN_OR_RETURN(const auto list, KnownList(ctx, i, what));
  if (list.size() == 1) return list[0];
  return InvalidInput(
      fmt::format("operand {} ({}) has {} numbers, expected 1", i, what, list.size()));
}

absl::StatusOr<std::vector<Dim>> KnownSizes(const OpContext& ctx, int64_t i,
                                            std::string_view what) {
  if (const KnownValue* known = ctx.Folded(i)) {
    if (auto dims = KnownAsDims(*known)) {
      TW_RETURN_IF_ERROR(CheckProduct(*dims));
      return *std::move(dims);
    }
  }
  return InvalidInput(
      fmt::format("operand {} ({}) is not known without running the model", i, what));
}

absl::StatusOr<int64_t> NormalAxis(int64_t axis, int64_t rank) {
  if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
  return InvalidInput(fmt::format("found dim {}, expected {} to {}", axis, -rank, rank - 1));
}

absl::StatusOr<std::vector<int64_t>> NormalAxes(std::vector<int64_t> axes, int64_t rank) {
  for (int64_t& axis : axes) {
    TW_ASSIGN_OR_RETURN(axis, NormalAxis(axis, rank));
  }
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

absl::StatusOr<Dim> ElementsOf(const std::vector<Dim>& dims) {
  Dim product;
  for (const Dim& dim : dims) {
    const auto factor = CheckedMul(product.factor, dim.factor);
    if (!factor || *factor > kMaxElements || (product.per_batch && dim.per_batch)) {
      return InvalidInput(
          fmt::format("{} has too many elements, or dims that both depend on "
                      "the batch",
                      FormatShape({DType::kF32, dims})));
    }
    product = {*factor, product.per_batch || dim.per_batch};
  }
  return product;
}

std::vector<int64_t> AllDims(int64_t rank) {
  std::vector<int64_t> dims(rank);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

bool IsEmpty(const std::vector<Dim>& dims) {
  return std::any_of(dims.begin(), dims.end(), [](const Dim& dim) { return dim.factor == 0; });
}

absl::StatusOr<OpId> Flattened(GraphBuilder& b, OpId x) {
  TW_ASSIGN_OR_RETURN(const Dim elements, ElementsOf(b.shape(x).dims));
  if (b.shape(x).rank() == 1) return x;
  return b.Reshape(x, {elements});
}

DType TypeOr(const OpContext& ctx, std::string_view name, DType otherwise) {
  return ctx.Type(name).value_or(otherwise);
}

absl::Status OpaqueResult(OpContext& ctx, int64_t i, Shape shape) {
  if (IsEmpty(shape.dims)) return absl::OkStatus();
  ctx.SetOpaque(i, std::move(shape));
  return absl::OkStatus();
}

}  // namespace tilewise::tf
