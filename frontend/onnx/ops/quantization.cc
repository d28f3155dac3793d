// Quantised ops. Matmuls of integers stay matmuls of integers, with wide
// sums; what surrounds them is scaled in floats.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/convolution.h"
#include "frontend/onnx/ops/made.h"
#include "frontend/onnx/tensor_data.h"
#include "library/broadcast.h"
#include "library/elementary.h"
#include "library/gather.h"
#include "library/matmul.h"
#include "library/reductions.h"
#include "library/windows.h"

namespace tilewise::onnx {
namespace {

// A scale or zero point: a scalar, one per index of `axis`, or one per block.
OpId SpreadOver(NodeContext& ctx, OpId parameter, OpId x, int64_t axis, DType type) {
  GraphBuilder& b = ctx.builder();
  parameter = b.Convert(parameter, type);
  const Shape shape = b.shape(x);
  const Shape own = b.shape(parameter);
  if (!ctx.ok()) return kNoOp;
  if (own.rank() == 1 && shape.rank() >= 1) {
    const OpId like = b.Convert(x, type);
    return AlongDim(b, parameter, like, DimOf(b, axis, shape.rank()));
  }
  if (own.rank() == shape.rank() && own.dims != shape.dims) {
    // Blocks along the axis.
    const size_t at = DimOf(b, axis, shape.rank());
    if (!ctx.ok()) return kNoOp;
    const int64_t blocks = own.dims[at].factor;
    const int64_t size = shape.dims[at].factor;
    if (blocks >= 1 && size % blocks == 0 && blocks != size && blocks != 1) {
      std::vector<Dim> spread = own.dims;
      spread.insert(spread.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                    Dim{size / blocks, false});
      std::vector<int64_t> mapping;
      mapping.reserve(own.dims.size());
      for (size_t i = 0; i < own.dims.size(); ++i) {
        mapping.push_back(static_cast<int64_t>(i <= at ? i : i + 1));
      }
      return b.Reshape(b.Broadcast(parameter, spread, mapping), shape.dims);
    }
  }
  return b.BroadcastTo(parameter, shape.dims);
}

// (x - zero) * scale, in the type of the scale; `zero` may be kNoOp.
OpId Dequantized(NodeContext& ctx, OpId x, OpId scale, OpId zero, int64_t axis) {
  GraphBuilder& b = ctx.builder();
  const DType type = b.shape(scale).dtype;
  OpId y = b.Convert(x, type);
  if (zero != kNoOp) {
    y = b.Binary(OpKind::kSubtract, y, SpreadOver(ctx, zero, x, axis, type));
  }
  return b.Binary(OpKind::kMultiply, y, SpreadOver(ctx, scale, x, axis, type));
}

void DequantizeLinear(NodeContext& ctx) {
  const OpId x = ctx.Input(0);
  const OpId scale = ctx.Input(1);
  ctx.Set(0, Dequantized(ctx, x, scale, ctx.OptionalInput(2), ctx.Int("axis", 1)));
}

// The first `count` numbers of 4 bits that the bytes of the last dim hold.
OpId Nibbles(GraphBuilder& b, OpId bytes, int64_t count) {
  if (!b.ok()) return kNoOp;
  Shape shape = b.shape(bytes);
  const int64_t stored = 2 * shape.dims.back().factor;
  Shape pairs(DType::kU4, shape.dims);
  pairs.dims.push_back({2, false});
  shape.dims.back().factor = stored;
  const OpId all = b.Reshape(b.BitcastConvert(bytes, pairs), shape.dims);
  return count == stored ? all : b.SliceDim(all, shape.rank() - 1, 0, count);
}

// Rows of a table in blocks, each with its scale and maybe its zero point: only
// those that are taken are widened.
void GatherBlockQuantized(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const Shape table = ctx.ShapeOf(0);
  const int64_t from = AxisOf(ctx, "gather_axis", 0, table.rank());
  int64_t axis = AxisOf(ctx, "quantize_axis", 1, table.rank());
  if (!ctx.ok()) return;
  const int64_t bits = ctx.Int("bits", 4);
  const bool packed = table.dtype == DType::kU8 && bits != 8;
  if (packed && (bits != 4 || axis != table.rank() - 1 || from == axis)) {
    return ctx.Fail(
        fmt::format("found {} bits along dim {} of {}", bits, axis, FormatShape(table)));
  }
  const OpId places = ctx.AnyInput(1);
  const auto take = [&](OpId x) { return TakeAlong(b, x, places, from); };
  OpId x = take(ctx.Input(0));
  const OpId scale = take(ctx.Input(2));
  OpId zero = ctx.Has(3) ? take(ctx.Input(3)) : kNoOp;
  if (!ctx.ok()) return;
  if (packed) {
    x = Nibbles(b, x, 2 * table.dims.back().factor);
    if (zero != kNoOp) zero = Nibbles(b, zero, b.shape(scale).dims.back().factor);
  }
  if (axis > from) axis += b.shape(places).rank() - 1;
  ctx.Set(0, Dequantized(ctx, x, scale, zero, axis));
}

// x / scale, rounded, + zero point, clamped to the type.
OpId Quantized(NodeContext& ctx, OpId x, OpId scale, OpId zero, int64_t axis, DType type) {
  GraphBuilder& b = ctx.builder();
  const DType real = b.shape(x).dtype;
  OpId y = b.Binary(OpKind::kDivide, x, SpreadOver(ctx, scale, x, axis, real));
  if (IsFloat(type)) return b.Convert(y, type);
  y = b.Unary(OpKind::kRoundNearestEven, y);
  if (zero != kNoOp) {
    y = b.Binary(OpKind::kAdd, y, SpreadOver(ctx, zero, x, axis, real));
  }
  const int64_t bits = BitWidth(type);
  if (bits > 32) return b.Convert(y, type);
  const bool is_signed =
      type == DType::kS8 || type == DType::kS16 || type == DType::kS4 || type == DType::kS32;
  const double high = static_cast<double>((int64_t{1} << (is_signed ? bits - 1 : bits)) - 1);
  y = Clamp(b, y, is_signed ? -high - 1 : 0, high);
  return b.Convert(y, type);
}

void QuantizeLinear(NodeContext& ctx) {
  DType type = ctx.Has(2) ? ctx.ShapeOf(2).dtype : DType::kU8;
  if (ctx.Int("output_dtype", 0) != 0) {
    type = ElementOf(static_cast<int32_t>(ctx.Int("output_dtype", 0))).value_or(type);
  }
  ctx.Set(0, Quantized(ctx, ctx.Input(0), ctx.Input(1), ctx.OptionalInput(2), ctx.Int("axis", 1),
                       type));
}

void DynamicQuantizeLinear(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  const std::vector<int64_t> all = AllDims(b, x);
  const OpId high = Clamp(b, ReduceOf(b, Reduction::kMax, x, all, false), 0, std::nullopt);
  const OpId low = Clamp(b, ReduceOf(b, Reduction::kMin, x, all, false), std::nullopt, 0);
  const OpId scale = WithScalar(b, OpKind::kDivide, b.Binary(OpKind::kSubtract, high, low), 255);
  const OpId exact = b.Binary(OpKind::kDivide, b.Unary(OpKind::kNegate, low), scale);
  const OpId zero = b.Convert(b.Unary(OpKind::kRoundNearestEven, exact), DType::kU8);
  ctx.Set(0, Quantized(ctx, x, scale, zero, 0, DType::kU8));
  ctx.Set(1, scale);
  ctx.Set(2, zero);
}

// Operands of eight bits of one type: the matrix unit multiplies no mixed ones.
void SameBytes(GraphBuilder& b, OpId& x, OpId& y) {
  if (b.shape(x).dtype == b.shape(y).dtype) return;
  x = b.Convert(x, DType::kS8);
  y = b.Convert(y, DType::kS8);
}

OpId IntegerMatMul(NodeContext& ctx, OpId x, OpId y) {
  GraphBuilder& b = ctx.builder();
  SameBytes(b, x, y);
  MatMulOptions options;
  options.wide = true;
  return NumpyMatMul(b, x, y, options);
}

OpId IntegerConv(NodeContext& ctx, OpId x, size_t weight) {
  GraphBuilder& b = ctx.builder();
  OpId kernel = ctx.WeightInput(weight, {-1, KernelOrder(ctx.ShapeOf(weight).rank())});
  SameBytes(b, x, kernel);
  return b.Convert(Convolved(ctx, x, kernel), DType::kS32);
}

void MatMulInteger(NodeContext& ctx) { ctx.Set(0, IntegerMatMul(ctx, ctx.Input(0), ctx.Input(1))); }

// The same, scaled to floats, with a bias.
void MatMulIntegerToFloat(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  OpId y = b.Convert(IntegerMatMul(ctx, ctx.Input(0), ctx.Input(1)), DType::kF32);
  y = b.Binary(OpKind::kMultiply, y, SpreadOver(ctx, ctx.Input(2), y, -1, DType::kF32));
  y = b.Binary(OpKind::kMultiply, y, SpreadOver(ctx, ctx.Input(3), y, -1, DType::kF32));
  if (ctx.Has(6)) y = BinaryOf(b, OpKind::kAdd, y, ctx.Input(6));
  ctx.Set(0, y);
}

void DynamicQuantizeMatMul(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  const OpId scaled = Quantized(ctx, x, b.Scalar(1, b.shape(x).dtype), kNoOp, 0, DType::kS8);
  OpId y = b.Convert(IntegerMatMul(ctx, scaled, ctx.Input(1)), DType::kF32);
  y = b.Binary(OpKind::kMultiply, y, SpreadOver(ctx, ctx.Input(2), y, -1, DType::kF32));
  if (ctx.Has(4)) y = BinaryOf(b, OpKind::kAdd, y, ctx.Input(4));
  ctx.Set(0, y);
}

void ConvInteger(NodeContext& ctx) { ctx.Set(0, IntegerConv(ctx, ctx.Input(0), 1)); }

// Integer sums to the quantised result: scaled by x_scale w_scale / y_scale.
void SetRequantized(NodeContext& ctx, OpId sum, size_t x_scale, size_t w_scale, size_t y_scale,
                    int64_t axis) {
  GraphBuilder& b = ctx.builder();
  OpId y = b.Convert(sum, DType::kF32);
  y = b.Binary(OpKind::kMultiply, y, SpreadOver(ctx, ctx.Input(x_scale), y, axis, DType::kF32));
  y = b.Binary(OpKind::kMultiply, y, SpreadOver(ctx, ctx.Input(w_scale), y, axis, DType::kF32));
  const DType type = ctx.Has(y_scale + 1) ? ctx.ShapeOf(y_scale + 1).dtype : DType::kU8;
  ctx.Set(0, Quantized(ctx, y, ctx.Input(y_scale), ctx.OptionalInput(y_scale + 1), axis, type));
}

void QLinearMatMul(NodeContext& ctx) {
  const OpId sum = IntegerMatMul(ctx, ctx.Input(0), ctx.Input(3));
  SetRequantized(ctx, sum, 1, 4, 6, -1);
}

void QLinearConv(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  OpId sum = IntegerConv(ctx, ctx.Input(0), 3);
  if (ctx.Has(8) && ctx.ok()) {
    sum = b.Binary(OpKind::kAdd, sum, AlongDim(b, ctx.Input(8), sum, 1));
  }
  SetRequantized(ctx, sum, 1, 4, 6, 1);
}

// Operand `at` (followed by its scale and zero point) as floats.
OpId Real(NodeContext& ctx, size_t at) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(at);
  OpId y = b.Convert(x, DType::kF32);
  if (ctx.Has(at + 2)) {
    y = b.Binary(OpKind::kSubtract, y, SpreadOver(ctx, ctx.Input(at + 2), x, 0, DType::kF32));
  }
  return b.Binary(OpKind::kMultiply, y, SpreadOver(ctx, ctx.Input(at + 1), x, 0, DType::kF32));
}

void SetQuantized(NodeContext& ctx, OpId y, size_t scale) {
  const DType type = ctx.Has(scale + 1) ? ctx.ShapeOf(scale + 1).dtype : ctx.ShapeOf(0).dtype;
  ctx.Set(0, Quantized(ctx, y, ctx.Input(scale), ctx.OptionalInput(scale + 1), 0, type));
}

template <OpKind kKind>
void QLinearBinary(NodeContext& ctx) {
  const OpId y = BinaryOf(ctx.builder(), kKind, Real(ctx, 0), Real(ctx, 3));
  SetQuantized(ctx, y, 6);
}

void QLinearSigmoid(NodeContext& ctx) {
  SetQuantized(ctx, ctx.builder().Unary(OpKind::kLogistic, Real(ctx, 0)), 3);
}

void QLinearLeakyRelu(NodeContext& ctx) {
  SetQuantized(ctx, Activated(ctx, Real(ctx, 0), "LeakyRelu", {ctx.Float("alpha", 0.01)}), 3);
}

void QLinearSoftmax(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = Real(ctx, 0);
  const int64_t rank = b.shape(x).rank();
  SetQuantized(ctx, b.Softmax(x, AxisOf(ctx, "axis", -1, rank)), 3);
}

void QLinearGlobalAveragePool(NodeContext& ctx) {
  const bool first = ctx.Int("channels_last", 0) == 0;
  SetQuantized(ctx, GlobalAveragePool(ctx.builder(), Real(ctx, 0), first), 3);
}

void QLinearAveragePool(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = Real(ctx, 0);
  const bool first = ctx.Int("channels_last", 0) == 0;
  const WindowSpec window = WindowOf(ctx, ctx.Ints("kernel_shape"), SpatialSizes(b, x, first));
  if (!ctx.ok()) return;
  SetQuantized(ctx,
               AveragePool(b, x, window.dims, first, ctx.Int("count_include_pad", 0) != 0,
                           window.ceil_extra),
               3);
}

// y_scale, y_zero, then triples.
void QLinearConcat(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  std::vector<OpId> parts;
  for (size_t i = 2; i + 1 < ctx.input_count(); i += 3) {
    parts.push_back(Real(ctx, i));
  }
  if (parts.empty() || !ctx.ok()) return ctx.Fail("found nothing to join");
  const OpId all = b.Concatenate(parts, AxisOf(ctx, "axis", 0, b.shape(parts[0]).rank()));
  ctx.Set(0, Quantized(ctx, all, ctx.Input(0), ctx.OptionalInput(1), 0, ctx.ShapeOf(2).dtype));
}

constexpr OpEntry kQuantizationOps[] = {
    {kStandard, "QuantizeLinear", QuantizeLinear},
    {kStandard, "DequantizeLinear", DequantizeLinear},
    {kStandard, "DynamicQuantizeLinear", DynamicQuantizeLinear},
    {kStandard, "MatMulInteger", MatMulInteger},
    {kStandard, "ConvInteger", ConvInteger},
    {kStandard, "QLinearMatMul", QLinearMatMul},
    {kStandard, "QLinearConv", QLinearConv},
    {kMicrosoft, "GatherBlockQuantized", GatherBlockQuantized},
    {kMicrosoft, "MatMulIntegerToFloat", MatMulIntegerToFloat},
    {kMicrosoft, "DynamicQuantizeMatMul", DynamicQuantizeMatMul},
    {kMicrosoft, "QLinearAdd", QLinearBinary<OpKind::kAdd>},
    {kMicrosoft, "QLinearMul", QLinearBinary<OpKind::kMultiply>},
    {kMicrosoft, "QLinearSigmoid", QLinearSigmoid},
    {kMicrosoft, "QLinearLeakyRelu", QLinearLeakyRelu},
    {kMicrosoft, "QLinearSoftmax", QLinearSoftmax},
    {kMicrosoft, "QLinearGlobalAveragePool", QLinearGlobalAveragePool},
    {kMicrosoft, "QLinearAveragePool", QLinearAveragePool},
    {kMicrosoft, "QLinearConcat", QLinearConcat},
};

}  // namespace

std::span<const OpEntry> QuantizationOps() { return kQuantizationOps; }

}  // namespace tilewise::onnx
