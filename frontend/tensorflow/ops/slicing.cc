// Parts of tensors: slices by masks, by size, and into equal parts.

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/strided_slice.h"
#include "library/broadcast.h"
#include "library/gather.h"

namespace tilewise::tf {
namespace {

// x with one index of each dim that has an index in `begin`, a tensor.
OpId TakeDynamic(GraphBuilder& b, OpId x, OpId begin, const StridedSlice& slice) {
  std::vector<OpId> starts;
  std::vector<int64_t> dims, sizes;
  for (size_t i = 0; i < slice.dynamic.size(); ++i) {
    if (!slice.dynamic[i]) continue;
    const OpId start = VectorElement(b, begin, *slice.dynamic[i]);
    const auto dim = static_cast<int64_t>(i);
    if (b.shape(x).dims[i].per_batch) {
      x = TakeAlong(b, x, b.Reshape(start, {{1, false}}), dim);
      continue;
    }
    starts.push_back(start);
    dims.push_back(dim);
    sizes.push_back(1);
  }
  return dims.empty() ? x : b.DynamicSlice(x, starts, dims, sizes);
}

absl::Status StridedSliceOp(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape from, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(auto slice, ReadStridedSlice(ctx, 1, from.dims));
  if (!slice) {
    if (const KnownValue* known = ctx.Folded(0)) ctx.SetKnown(0, {known->dtype, {0}, {}});
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const std::vector<Dim> dims = slice->ResultDims(from.dims);
  if (ctx.Folded(1) == nullptr) {
    TW_ASSIGN_OR_RETURN(const OpId begin, Tensor(ctx, 1));
    x = TakeDynamic(b, x, begin, *slice);
    for (size_t i = 0; i < slice->cuts.size(); ++i) {
      if (slice->dynamic[i]) slice->cuts[i] = Cut{};
    }
  }
  TW_ASSIGN_OR_RETURN(x, CutAll(b, x, slice->cuts));
  return ctx.Result(b.shape(x).dims == dims ? x : b.Reshape(x, dims));
}

// Operands: shape of x, begin, end, strides, dy.
absl::Status StridedSliceGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto dims, KnownSizes(ctx, 0, "shape"));
  TW_ASSIGN_OR_RETURN(const auto slice, ReadStridedSlice(ctx, 1, dims));
  TW_ASSIGN_OR_RETURN(OpId dy, Tensor(ctx, 4));
  if (!slice) return absl::OkStatus();
  std::vector<Dim> cut_dims;
  for (size_t i = 0; i < dims.size(); ++i) {
    const Cut& cut = slice->cuts[i];
    if (slice->dynamic[i]) {
      return InvalidInput("the start of a slice is not known without running the model");
    }
    cut_dims.push_back(cut.whole ? dims[i] : Dim{cut.count, false});
  }
  GraphBuilder& b = ctx.builder();
  if (b.shape(dy).dims != cut_dims) dy = b.Reshape(dy, cut_dims);
  TW_ASSIGN_OR_RETURN(const OpId dx, PutBack(b, dy, dims, slice->cuts));
  return ctx.Result(dx);
}

// x with `value` at the indices of the slice.
absl::StatusOr<OpId> Updated(OpContext& ctx, OpId x, OpId value) {
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  TW_ASSIGN_OR_RETURN(const auto slice, ReadStridedSlice(ctx, 1, from.dims));
  if (!slice) return x;
  std::vector<Dim> dims;
  std::vector<OpId> starts;
  std::vector<int64_t> at;
  for (size_t i = 0; i < from.dims.size(); ++i) {
    const Cut& cut = slice->cuts[i];
    dims.push_back(cut.whole ? from.dims[i] : Dim{cut.count, false});
    if (cut.whole) continue;
    if (cut.stride != 1 && cut.count > 1) {
      return InvalidInput("an update of a slice with strides");
    }
    at.push_back(static_cast<int64_t>(i));
    if (!slice->dynamic[i]) {
      starts.push_back(b.Scalar(static_cast<double>(cut.start), DType::kS32));
      continue;
    }
    TW_ASSIGN_OR_RETURN(const OpId begin, Tensor(ctx, 1));
    starts.push_back(b.Convert(VectorElement(b, begin, *slice->dynamic[i]), DType::kS32));
  }
  const OpId stretched = b.BroadcastTo(value, slice->ResultDims(from.dims));
  const OpId part = b.Reshape(stretched, dims);
  if (at.empty()) return part;
  return b.DynamicUpdateSlice(x, part, starts, at);
}

absl::Status TensorStridedSliceUpdate(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId value, Tensor(ctx, 4));
  TW_ASSIGN_OR_RETURN(const OpId updated, Updated(ctx, x, value));
  return ctx.Result(updated);
}

absl::Status ResourceStridedSliceAssign(OpContext& ctx) {
  const OpId x = ctx.ReadVariable(0);
  if (x == kNoOp) return ctx.builder().TakeStatus();
  TW_ASSIGN_OR_RETURN(const OpId value, Tensor(ctx, 4));
  TW_ASSIGN_OR_RETURN(const OpId updated, Updated(ctx, x, value));
  ctx.UpdateVariable(0, updated);
  return absl::OkStatus();
}

// The cuts of Slice; `dims` are those of the operand.
absl::StatusOr<std::vector<Cut>> SliceCuts(const KnownValue& begin, const KnownValue& size,
                                           const std::vector<Dim>& dims) {
  if (begin.elements.size() != dims.size() || size.elements.size() != dims.size()) {
    return InvalidInput("begin and size have not one number for each dim");
  }
  std::vector<Cut> cuts(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    const KnownNumber start = begin.elements[i], count = size.elements[i];
    const Dim dim = dims[i];
    const auto factor = static_cast<double>(dim.factor);
    const bool all = count == KnownNumber{-1, false} || count == KnownNumber{factor, dim.per_batch};
    if (start.value == 0 && all) continue;
    if (start.per_batch || count.per_batch || (dim.per_batch && all)) {
      return InvalidInput("a slice depends on the batch");
    }
    const double rest = factor - start.value;
    const double n = count.value == -1 ? rest : count.value;
    const auto most = static_cast<double>(kMaxElements);
    if (!(start.value >= 0 && start.value < most && n >= 0 && n < most &&
          (dim.per_batch || n <= rest))) {
      return InvalidInput(fmt::format("a slice of {} from {} of size {}", n, start.value, factor));
    }
    cuts[i] = {false, static_cast<int64_t>(start.value), static_cast<int64_t>(n), 1};
  }
  return cuts;
}

std::vector<int64_t> CutSizes(const std::vector<Cut>& cuts, const Shape& from) {
  std::vector<int64_t> sizes = from.sizes();
  for (size_t i = 0; i < cuts.size(); ++i) {
    if (!cuts[i].whole) sizes[i] = cuts[i].count;
  }
  return sizes;
}

bool TakesNothing(const std::vector<Cut>& cuts) {
  for (const Cut& cut : cuts) {
    if (!cut.whole && cut.count < 1) return true;
  }
  return false;
}

// A slice whose start is data: its sizes must be known.
absl::Status DynamicSlice(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId begin, Tensor(ctx, 1));
  TW_ASSIGN_OR_RETURN(const auto wanted, KnownSizes(ctx, 2, "size"));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  if (wanted.size() != from.dims.size()) {
    return InvalidInput("begin and size have not one number for each dim");
  }
  if (IsEmpty(wanted)) return absl::OkStatus();
  std::vector<OpId> starts;
  std::vector<int64_t> dims, sizes;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == from.dims[i]) continue;
    if (wanted[i].per_batch || from.dims[i].per_batch) {
      return InvalidInput("a slice depends on the batch");
    }
    const auto dim = static_cast<int64_t>(i);
    starts.push_back(VectorElement(b, begin, dim));
    dims.push_back(dim);
    sizes.push_back(wanted[i].factor);
  }
  return ctx.Result(dims.empty() ? x : b.DynamicSlice(x, starts, dims, sizes));
}

absl::Status Slice(OpContext& ctx) {
  const KnownValue* begin = ctx.Folded(1);
  const KnownValue* size = ctx.Folded(2);
  if (begin == nullptr || size == nullptr) return DynamicSlice(ctx);
  TW_ASSIGN_OR_RETURN(const Shape from, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(const auto cuts, SliceCuts(*begin, *size, from.dims));
  if (TakesNothing(cuts)) {
    if (ctx.Folded(0) != nullptr) ctx.SetKnown(0, {from.dtype, CutSizes(cuts, from), {}});
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId part, CutAll(ctx.builder(), x, cuts));
  return ctx.Result(part);
}

// Parts of `sizes` along `axis`, the results of the node.
absl::Status SetParts(OpContext& ctx, int64_t operand, int64_t axis,
                      const std::vector<int64_t>& sizes) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, operand));
  int64_t start = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto result = static_cast<int64_t>(i);
    if (sizes[i] > 0) ctx.Set(result, ctx.builder().SliceDim(x, axis, start, start + sizes[i]));
    start += sizes[i];
  }
  return absl::OkStatus();
}

// The batch in equal parts: its dim is split in two first.
absl::Status SplitBatch(OpContext& ctx, int64_t operand, int64_t axis, int64_t parts) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, operand));
  GraphBuilder& b = ctx.builder();
  std::vector<Dim> dims = b.shape(x).dims;
  Dim& dim = dims[axis];
  if (dim.factor % parts != 0) {
    return InvalidInput(
        fmt::format("{} in {} parts depends on the batch", FormatShape(b.shape(x)), parts));
  }
  dim.factor /= parts;
  std::vector<Dim> split = dims;
  split.insert(split.begin() + axis, Dim{parts, false});
  const OpId wide = b.Reshape(x, split);
  for (int64_t i = 0; i < parts; ++i) {
    ctx.Set(i, b.Reshape(b.SliceDim(wide, axis, i, i + 1), dims));
  }
  return absl::OkStatus();
}

constexpr int64_t kMaxParts = 65536;

absl::Status Split(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape from, TensorShapeOf(ctx, 1));
  TW_ASSIGN_OR_RETURN(int64_t axis, KnownSingle(ctx, 0, "split_dim"));
  TW_ASSIGN_OR_RETURN(axis, NormalAxis(axis, from.rank()));
  const int64_t parts = ctx.Int("num_split", 1);
  const Dim dim = from.dims[axis];
  if (parts < 1 || parts > kMaxParts) {
    return InvalidInput(fmt::format("found {} parts", parts));
  }
  if (parts == 1) {
    ctx.Forward(0, 1);
    return absl::OkStatus();
  }
  if (dim.per_batch) return SplitBatch(ctx, 1, axis, parts);
  if (dim.factor % parts != 0) {
    return InvalidInput(fmt::format("found {} parts of size {}", parts, dim.factor));
  }
  return SetParts(ctx, 1, axis, std::vector<int64_t>(parts, dim.factor / parts));
}

absl::Status SplitV(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape from, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(auto sizes, KnownList(ctx, 1, "size_splits"));
  TW_ASSIGN_OR_RETURN(int64_t axis, KnownSingle(ctx, 2, "split_dim"));
  TW_ASSIGN_OR_RETURN(axis, NormalAxis(axis, from.rank()));
  if (sizes.size() == 1) {
    return ctx.ForwardFirst();
  }
  int64_t rest = from.dims[axis].factor;
  for (const int64_t size : sizes) {
    if (size > rest) return InvalidInput("the parts are larger than the whole");
    rest -= size < 0 ? 0 : size;
  }
  for (int64_t& size : sizes) {
    if (size < 0) size = rest;
  }
  return SetParts(ctx, 0, axis, sizes);
}

absl::Status Unpack(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape from, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(const int64_t axis, NormalAxis(ctx.Int("axis", 0), from.rank()));
  const Dim dim = from.dims[axis];
  const int64_t parts = ctx.Int("num", dim.factor);
  if (parts > kMaxParts || (!dim.per_batch && parts > dim.factor)) {
    return InvalidInput(fmt::format("found {} parts of {}", parts, FormatShape(from)));
  }
  for (int64_t i = 0; i < parts; ++i) {
    TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
    std::vector<Cut> cuts(from.dims.size());
    cuts[axis] = {false, i, 1, 1};
    TW_ASSIGN_OR_RETURN(const OpId part, CutAll(ctx.builder(), x, cuts));
    ctx.Set(i, Squeezed(ctx.builder(), part, {axis}));
  }
  return absl::OkStatus();
}

constexpr OpEntry kSlicingOps[] = {
    {"ResourceStridedSliceAssign", ResourceStridedSliceAssign},
    {"Slice", Slice},
    {"Split", Split},
    {"SplitV", SplitV},
    {"StridedSlice", StridedSliceOp},
    {"StridedSliceGrad", StridedSliceGrad},
    {"TensorStridedSliceUpdate", TensorStridedSliceUpdate},
    {"Unpack", Unpack},
    {"Unstack", Unpack},
};

}  // namespace

std::span<const OpEntry> SlicingOps() { return kSlicingOps; }

}  // namespace tilewise::tf
