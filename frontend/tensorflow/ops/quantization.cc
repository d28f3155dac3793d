// Numbers rounded to a few bits and back, and the ranges that takes.

#include <algorithm>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"
#include "library/reductions.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

// Steps between the smallest and the largest number of `bits` bits.
double Steps(int64_t bits, bool narrow) {
  const int64_t clamped = std::min<int64_t>(std::max<int64_t>(bits, 1), 32);
  const double count = static_cast<double>(int64_t{1} << clamped);
  return count - (narrow ? 2 : 1);
}

// x clamped to [low, high], rounded to a multiple of the step.
Term Rounded(Term x, Term low, Term high, double steps) {
  const Term step = (high - low) / steps;
  const Term clamped = Max(Min(x, high), low);
  const Term place = Unary(OpKind::kFloor, (clamped - low) / step + 0.5);
  return place * step + low;
}

struct QuantizedRange {
  Term low, high;
};

// min and max are attributes, or operands (a vector: one for each feature).
absl::StatusOr<QuantizedRange> ReadRange(OpContext& ctx, Term x, int64_t first) {
  if (ctx.num_inputs() <= first) {
    return QuantizedRange{x.Of(ctx.builder().Scalar(ctx.Float("min", -6), DType::kF32)),
                          x.Of(ctx.builder().Scalar(ctx.Float("max", 6), DType::kF32))};
  }
  TW_ASSIGN_OR_RETURN(const OpId low, Tensor(ctx, first));
  TW_ASSIGN_OR_RETURN(const OpId high, Tensor(ctx, first + 1));
  return QuantizedRange{x.Of(low), x.Of(high)};
}

absl::Status FakeQuant(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, 0));
  const Term x(ctx.builder(), op);
  TW_ASSIGN_OR_RETURN(const QuantizedRange range, ReadRange(ctx, x, 1));
  const double steps = Steps(ctx.Int("num_bits", 8), ctx.Bool("narrow_range", false));
  return ctx.Result(Rounded(x, range.low, range.high, steps).id);
}

// The gradient passes inside of the range; what lies below and above it is that
// of min and max.
absl::Status FakeQuantGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId gradient, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const Term dy(b, gradient), x(b, op);
  TW_ASSIGN_OR_RETURN(const QuantizedRange range, ReadRange(ctx, x, 2));
  const Term below = Compared(Comparison::kLt, x, range.low);
  const Term above = Compared(Comparison::kGt, x, range.high);
  const Term zero = dy.Like(0);
  ctx.Set(0, Where(Binary(OpKind::kOr, below, above), zero, dy).id);
  std::vector<int64_t> dims = AllDims(x.shape().rank());
  if (range.low.shape().rank() == 1 && !dims.empty()) dims.pop_back();
  ctx.Set(1, Sum(Where(below, dy, zero), dims).id);
  ctx.Set(2, Sum(Where(above, dy, zero), dims).id);
  return absl::OkStatus();
}

// The range is given, or that of the numbers themselves.
absl::Status QuantizeAndDequantize(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const Term x(b, op);
  QuantizedRange range;
  if (ctx.Bool("range_given", false) && ctx.num_inputs() > 2) {
    TW_ASSIGN_OR_RETURN(range, ReadRange(ctx, x, 1));
  } else {
    const auto dims = AllDims(x.shape().rank());
    range.low = x.Of(ReduceOf(b, Reduction::kMin, op, dims, false));
    range.high = x.Of(ReduceOf(b, Reduction::kMax, op, dims, false));
  }
  const double steps = Steps(ctx.Int("num_bits", 8), ctx.Bool("narrow_range", false));
  return ctx.Result(Rounded(x, range.low, range.high, steps).id);
}

// Quantises to integers of type T; results 1 and 2 are the range.
absl::Status QuantizeV2(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 3));
  GraphBuilder& b = ctx.builder();
  const Term x(b, xs[0]), low(b, xs[1]), high(b, xs[2]);
  const DType type = TypeOr(ctx, "T", DType::kU8);
  const Term place = (Max(Min(x, high), low) - low) / ((high - low) / Steps(BitWidth(type), false));
  ctx.Set(0, b.Convert(Unary(OpKind::kRoundNearestEven, place).id, type));
  ctx.Forward(1, 1);
  ctx.Forward(2, 2);
  return absl::OkStatus();
}

absl::Status Dequantize(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 3));
  GraphBuilder& b = ctx.builder();
  const int64_t bits = BitWidth(b.shape(xs[0]).dtype);
  const Term x(b, b.Convert(xs[0], b.shape(xs[1]).dtype));
  const Term low(b, xs[1]), high(b, xs[2]);
  const Term y = x * ((high - low) / Steps(bits, false)) + low;
  return ctx.Result(b.Convert(y.id, TypeOr(ctx, "dtype", DType::kF32)));
}

constexpr OpEntry kQuantizationOps[] = {
    {"Dequantize", Dequantize},
    {"FakeQuantWithMinMaxArgs", FakeQuant},
    {"FakeQuantWithMinMaxArgsGradient", FakeQuantGrad},
    {"FakeQuantWithMinMaxVars", FakeQuant},
    {"FakeQuantWithMinMaxVarsGradient", FakeQuantGrad},
    {"FakeQuantWithMinMaxVarsPerChannel", FakeQuant},
    {"FakeQuantWithMinMaxVarsPerChannelGradient", FakeQuantGrad},
    {"QuantizeAndDequantize", QuantizeAndDequantize},
    {"QuantizeAndDequantizeV2", QuantizeAndDequantize},
    {"QuantizeAndDequantizeV3", QuantizeAndDequantize},
    {"QuantizeAndDequantizeV4", QuantizeAndDequantize},
    {"QuantizeAndDequantizeV4Grad", FakeQuantGrad},
    {"QuantizeV2", QuantizeV2},
};

}  // namespace

std::span<const OpEntry> QuantizationOps() { return kQuantizationOps; }

}  // namespace tilewise::tf
