// Ops that give elements other dims or another type: reshape, transpose, tile,
// cast.

#include <optional>

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"

namespace tilewise::tf {
namespace {

// The dims that `wanted` asks for; one of them may be -1: what is left, the
// batch if no other dim has it.
absl::StatusOr<std::vector<Dim>> ReshapedDims(const Shape& from, const KnownValue& wanted) {
  TW_ASSIGN_OR_RETURN(const Dim all, ElementsOf(from.dims));
  std::vector<Dim> dims;
  std::optional<size_t> open;
  int64_t product = 1;
  bool has_batch = false;
  for (const KnownNumber& number : wanted.elements) {
    if (number.value == -1 && !open) {
      open = dims.size();
      dims.emplace_back();
      continue;
    }
    if (!(number.value >= 1 && number.value <= static_cast<double>(kMaxElements))) {
      return InvalidInput(fmt::format("found size {}", number.value));
    }
    const auto size = static_cast<int64_t>(number.value);
    const auto next = CheckedMul(product, size);
    if (!next) return InvalidInput("found sizes beyond all counts");
    product = *next;
    has_batch = has_batch || number.per_batch;
    dims.push_back({size, number.per_batch});
  }
  if (open && all.factor % product == 0) {
    dims[*open] = {all.factor / product, all.per_batch && !has_batch};
    return dims;
  }
  // A first dim that was fixed to some batch, of a tensor that has the batch.
  if (all.per_batch && !has_batch && !open && !dims.empty()) {
    const int64_t rest = product / dims[0].factor;
    if (all.factor % rest == 0) {
      dims[0] = {all.factor / rest, true};
      return dims;
    }
  }
  if (product != all.factor || has_batch != all.per_batch) {
    return InvalidInput(fmt::format("{} has not as many elements as asked for", FormatShape(from)));
  }
  return dims;
}

absl::Status Reshape(OpContext& ctx) {
  const KnownValue* wanted = ctx.Folded(1);
  if (const KnownValue* known = ctx.Folded(0); known != nullptr && known->size() == 0) {
    const auto sizes = ctx.KnownInts(1);
    if (sizes && ctx.SetIfKnown(0, KnownReshape(*known, *sizes))) return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  const Shape from = ctx.builder().shape(x);
  if (wanted == nullptr) {
    const std::optional<Shape> recorded = ctx.RecordedShape(0, from.dtype);
    if (!recorded) {
      return InvalidInput("the shape is not known without running the model");
    }
    return ctx.Result(ctx.builder().Reshape(x, recorded->dims));
  }
  TW_ASSIGN_OR_RETURN(const auto dims, ReshapedDims(from, *wanted));
  return ctx.Result(dims == from.dims ? x : ctx.builder().Reshape(x, dims));
}

absl::Status Squeeze(OpContext& ctx) {
  std::vector<int64_t> dims = ctx.Ints("squeeze_dims");
  if (dims.empty()) dims = ctx.Ints("axis");
  TW_ASSIGN_OR_RETURN(const OpId x, AnyTensor(ctx, 0));
  const Shape from = ctx.builder().shape(x);
  if (dims.empty()) {
    for (int64_t i = 0; i < from.rank(); ++i) {
      if (from.dims[i] == Dim{1, false}) dims.push_back(i);
    }
  }
  return ctx.Result(Squeezed(ctx.builder(), x, dims));
}

absl::Status ExpandDims(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const int64_t axis, KnownSingle(ctx, 1, "axis"));
  TW_ASSIGN_OR_RETURN(const OpId x, AnyTensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const int64_t dim, NormalAxis(axis, ctx.builder().shape(x).rank() + 1));
  return ctx.Result(Unsqueezed(ctx.builder(), x, {dim}));
}

absl::Status Transpose(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto permutation, KnownList(ctx, 1, "perm"));
  TW_ASSIGN_OR_RETURN(const OpId x, AnyTensor(ctx, 0));
  std::vector<int64_t> dims = permutation;
  const int64_t rank = ctx.builder().shape(x).rank();
  for (int64_t& dim : dims) {
    TW_ASSIGN_OR_RETURN(dim, NormalAxis(dim, rank));
  }
  return ctx.Result(ctx.builder().Transpose(x, dims));
}

absl::Status BroadcastTo(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto dims, KnownSizes(ctx, 1, "shape"));
  TW_ASSIGN_OR_RETURN(const Shape from, TensorShapeOf(ctx, 0));
  if (IsEmpty(dims)) {
    ctx.SetValue(0, Value::Empty({from.dtype, dims}));
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  return ctx.Result(ctx.builder().BroadcastTo(x, dims));
}

// Each dim that is repeated gets a dim in front of it, which is then merged
// with it. A dim of size 1 may become the batch.
absl::Status Tile(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto times, KnownSizes(ctx, 1, "multiples"));
  TW_ASSIGN_OR_RETURN(const Shape from, TensorShapeOf(ctx, 0));
  if (static_cast<int64_t>(times.size()) != from.rank()) {
    return InvalidInput(fmt::format("found {} multiples of {}", times.size(), FormatShape(from)));
  }
  if (IsEmpty(times) || IsEmpty(from.dims)) {
    const KnownValue* known = ctx.Folded(0);
    const auto repeats = ctx.KnownInts(1);
    if (known != nullptr && repeats) ctx.SetIfKnown(0, KnownTile(*known, *repeats));
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  std::vector<Dim> spread, merged;
  std::vector<int64_t> mapping;
  for (size_t i = 0; i < times.size(); ++i) {
    const bool repeats = times[i] != Dim{1, false};
    if (repeats) spread.push_back(times[i]);
    mapping.push_back(static_cast<int64_t>(spread.size()));
    spread.push_back(from.dims[i]);
    TW_ASSIGN_OR_RETURN(const Dim size, ElementsOf({times[i], from.dims[i]}));
    merged.push_back(size);
  }
  if (merged == from.dims) {
    return ctx.Result(x);
  }
  const OpId wide = ctx.builder().Broadcast(x, spread, mapping);
  return ctx.Result(ctx.builder().Reshape(wide, merged));
}

absl::Status Cast(OpContext& ctx) {
  const std::optional<DType> to = ctx.Type("DstT");
  if (!to) return InvalidInput("the type to cast to is no type of numbers");
  TW_ASSIGN_OR_RETURN(const OpId x, AnyTensor(ctx, 0));
  return ctx.Result(*to == DType::kPred ? AsPred(ctx.builder(), x) : ctx.builder().Convert(x, *to));
}

absl::Status Bitcast(OpContext& ctx) {
  const std::optional<DType> to = ctx.Type("type");
  if (!to) return InvalidInput("the type to cast to is no type of numbers");
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  Shape shape = ctx.builder().shape(x);
  const int64_t from_bits = BitWidth(shape.dtype), to_bits = BitWidth(*to);
  if (from_bits > to_bits) {
    shape.dims.push_back({from_bits / to_bits, false});
  } else if (from_bits < to_bits && shape.rank() > 0) {
    shape.dims.pop_back();
  }
  return ctx.Result(ctx.builder().BitcastConvert(x, shape.WithType(*to)));
}

constexpr OpEntry kReshapingOps[] = {
    {"Bitcast", Bitcast},
    {"BroadcastTo", BroadcastTo},
    {"Cast", Cast},
    {"ConjugateTranspose", Transpose},
    {"ExpandDims", ExpandDims},
    {"Reshape", Reshape},
    {"Squeeze", Squeeze},
    {"Tile", Tile},
    {"Transpose", Transpose},
};

}  // namespace

std::span<const OpEntry> ReshapingOps() { return kReshapingOps; }

}  // namespace tilewise::tf
