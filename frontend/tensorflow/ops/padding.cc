// Padding with a value or with a mirror image.

#include <algorithm>

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/rearrange.h"

namespace tilewise::tf {
namespace {

struct Amounts {
  std::vector<int64_t> low, high;
};

// A [rank, 2] tensor of amounts before and after.
absl::StatusOr<Amounts> ReadAmounts(const OpContext& ctx, int64_t operand, int64_t rank) {
  TW_ASSIGN_OR_RETURN(const auto list, KnownList(ctx, operand, "paddings"));
  if (static_cast<int64_t>(list.size()) != 2 * rank) {
    return InvalidInput(fmt::format("found {} amounts of padding for rank {}", list.size(), rank));
  }
  Amounts amounts;
  for (const int64_t amount : list) {
    if (amount < 0 || amount > kMaxElements) {
      return InvalidInput(fmt::format("found padding {}", amount));
    }
  }
  for (size_t i = 0; i < list.size(); i += 2) {
    amounts.low.push_back(list[i]);
    amounts.high.push_back(list[i + 1]);
  }
  return amounts;
}

bool IsNothing(const Amounts& amounts) {
  for (size_t i = 0; i < amounts.low.size(); ++i) {
    if (amounts.low[i] != 0 || amounts.high[i] != 0) return false;
  }
  return true;
}

absl::Status Pad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  const int64_t rank = ctx.builder().shape(x).rank();
  TW_ASSIGN_OR_RETURN(const Amounts amounts, ReadAmounts(ctx, 1, rank));
  if (IsNothing(amounts)) {
    return ctx.Result(x);
  }
  // The value does not matter to costs: 0 stands for one that is data.
  const double value = ctx.KnownNumber(2).value_or(0);
  const std::vector<int64_t> none(rank, 0);
  return ctx.Result(ctx.builder().Pad(x, value, amounts.low, amounts.high, none));
}

// How far the mirror is from the end: REFLECT leaves the end itself out.
int64_t MirrorOffset(const OpContext& ctx) {
  return ctx.Text("mode", "REFLECT") == "SYMMETRIC" ? 0 : 1;
}

absl::Status CheckMirror(const Amounts& amounts, const Shape& shape, int64_t offset) {
  for (size_t i = 0; i < amounts.low.size(); ++i) {
    const int64_t most = std::max(amounts.low[i], amounts.high[i]);
    if (most == 0) continue;
    const Dim& dim = shape.dims[i];
    if (dim.per_batch || most + offset > dim.factor) {
      return InvalidInput(
          fmt::format("found {} mirrored elements of {}", most, FormatShape(shape)));
    }
  }
  return absl::OkStatus();
}

absl::Status MirrorPad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  const Shape from = ctx.builder().shape(x);
  TW_ASSIGN_OR_RETURN(const Amounts amounts, ReadAmounts(ctx, 1, from.rank()));
  const int64_t offset = MirrorOffset(ctx);
  TW_RETURN_IF_ERROR(CheckMirror(amounts, from, offset));
  const PadMode mode = offset == 0 ? PadMode::kSymmetric : PadMode::kReflect;
  return ctx.Result(PadWith(ctx.builder(), x, mode, 0, amounts.low, amounts.high));
}

// x padded by zeros along one dim.
OpId PadDim(GraphBuilder& b, OpId x, int64_t dim, int64_t low, int64_t high) {
  std::vector<int64_t> before(b.shape(x).rank(), 0);
  std::vector<int64_t> after = before;
  const std::vector<int64_t> none = before;
  before[dim] = low;
  after[dim] = high;
  return b.Pad(x, 0, before, after, none);
}

// The edges are folded back onto what they are images of.
absl::Status MirrorPadGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(OpId dy, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(dy);
  TW_ASSIGN_OR_RETURN(const Amounts amounts, ReadAmounts(ctx, 1, from.rank()));
  const int64_t offset = MirrorOffset(ctx);
  for (int64_t dim = 0; dim < from.rank(); ++dim) {
    const int64_t low = amounts.low[dim], high = amounts.high[dim];
    if (low == 0 && high == 0) continue;
    const int64_t size = from.dims[dim].factor - low - high;
    if (from.dims[dim].per_batch || size < std::max(low, high) + offset) {
      return InvalidInput(fmt::format("the mirrored edges of {} do not fit", FormatShape(from)));
    }
    OpId sum = b.SliceDim(dy, dim, low, low + size);
    if (low > 0) {
      const OpId edge = b.Reverse(b.SliceDim(dy, dim, 0, low), {dim});
      sum = b.Binary(OpKind::kAdd, sum, PadDim(b, edge, dim, offset, size - low - offset));
    }
    if (high > 0) {
      const OpId edge = b.Reverse(b.SliceDim(dy, dim, low + size, low + size + high), {dim});
      sum = b.Binary(OpKind::kAdd, sum, PadDim(b, edge, dim, size - high - offset, offset));
    }
    dy = sum;
  }
  return ctx.Result(dy);
}

constexpr OpEntry kPaddingOps[] = {
    {"MirrorPad", MirrorPad},
    {"MirrorPadGrad", MirrorPadGrad},
    {"Pad", Pad},
    {"PadV2", Pad},
};

}  // namespace

std::span<const OpEntry> PaddingOps() { return kPaddingOps; }

}  // namespace tilewise::tf
