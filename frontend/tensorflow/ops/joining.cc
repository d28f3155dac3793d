// Several tensors as one: concatenation, stacking, stitching.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"

namespace tilewise::tf {
namespace {

// What has no elements adds none, unless all have none.
absl::Status ConcatenateRange(OpContext& ctx, int64_t begin, int64_t end, int64_t axis) {
  std::vector<OpId> xs;
  for (int64_t i = begin; i < end; ++i) {
    if (ctx.input(i).is_empty()) continue;
    TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, i));
    xs.push_back(x);
  }
  if (xs.empty()) {
    if (begin < end) ctx.Forward(0, begin);
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(const int64_t dim, NormalAxis(axis, ctx.builder().shape(xs[0]).rank()));
  return ctx.Result(ctx.builder().Concatenate(xs, dim));
}

absl::Status ConcatV2(OpContext& ctx) {
  const int64_t last = ctx.num_inputs() - 1;
  TW_ASSIGN_OR_RETURN(const int64_t axis, KnownSingle(ctx, last, "axis"));
  return ConcatenateRange(ctx, 0, last, axis);
}

absl::Status Concat(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const int64_t axis, KnownSingle(ctx, 0, "concat_dim"));
  return ConcatenateRange(ctx, 1, ctx.num_inputs(), axis);
}

absl::Status ParallelConcat(OpContext& ctx) {
  return ConcatenateRange(ctx, 0, ctx.num_inputs(), 0);
}

absl::Status Pack(OpContext& ctx) {
  const int64_t axis = ctx.Int("axis", 0);
  TW_ASSIGN_OR_RETURN(std::vector<OpId> xs, Tensors(ctx, 0, ctx.num_inputs()));
  if (xs.empty()) return absl::OkStatus();
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const int64_t dim, NormalAxis(axis, b.shape(xs[0]).rank() + 1));
  for (OpId& x : xs) x = Unsqueezed(b, x, {dim});
  return ctx.Result(xs.size() == 1 ? xs[0] : b.Concatenate(xs, dim));
}

// The values of all indices, one operand after the other, and which of them
// each row of the result is taken from: the last one that names it.
struct Stitch {
  std::vector<int64_t> source;
  int64_t rows = 0;
};

absl::StatusOr<Stitch> ReadStitch(const OpContext& ctx, int64_t operands) {
  Stitch stitch;
  std::vector<int64_t> all;
  for (int64_t i = 0; i < operands; ++i) {
    TW_ASSIGN_OR_RETURN(const auto indices, KnownList(ctx, i, "indices"));
    all.insert(all.end(), indices.begin(), indices.end());
  }
  for (const int64_t index : all) {
    if (index < 0 || index >= kMaxKnownElements) {
      return InvalidInput(fmt::format("found index {}", index));
    }
    stitch.rows = std::max(stitch.rows, index + 1);
  }
  stitch.source.assign(stitch.rows, 0);
  for (size_t i = 0; i < all.size(); ++i) {
    stitch.source[all[i]] = static_cast<int64_t>(i);
  }
  return stitch;
}

// Indices, then data: row indices[i][j] of the result is data[i][j].
absl::Status DynamicStitch(OpContext& ctx) {
  const int64_t n = ctx.num_inputs() / 2;
  TW_ASSIGN_OR_RETURN(const Stitch stitch, ReadStitch(ctx, n));
  if (stitch.rows == 0) return absl::OkStatus();
  GraphBuilder& b = ctx.builder();
  std::vector<OpId> rows;
  for (int64_t i = 0; i < n; ++i) {
    const KnownValue* indices = ctx.Folded(i);
    if (indices->size() == 0) continue;
    TW_ASSIGN_OR_RETURN(const OpId data, Tensor(ctx, n + i));
    std::vector<Dim> dims = b.shape(data).dims;
    const size_t rank = indices->rank();
    if (dims.size() < rank) return InvalidInput("data has too few dims");
    dims.erase(dims.begin(), dims.begin() + static_cast<int64_t>(rank));
    dims.insert(dims.begin(), Dim{indices->size(), false});
    rows.push_back(b.Reshape(data, dims));
  }
  const OpId joined = b.Concatenate(rows, 0);
  return ctx.Result(b.Gather(joined, ctx.OpOfKnown(KnownVector(stitch.source, DType::kS32))));
}

constexpr OpEntry kJoiningOps[] = {
    {"Concat", Concat},
    {"ConcatV2", ConcatV2},
    {"DynamicStitch", DynamicStitch},
    {"Pack", Pack},
    {"ParallelConcat", ParallelConcat},
    {"ParallelDynamicStitch", DynamicStitch},
    {"Stack", Pack},
};

}  // namespace

std::span<const OpEntry> JoiningOps() { return kJoiningOps; }

}  // namespace tilewise::tf
