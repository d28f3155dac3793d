// Ops that make tensors from shapes and numbers: most of them are known while
// the model is read.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "frontend/onnx/tensor_data.h"
#include "library/rearrange.h"

namespace tilewise::onnx {
namespace {

bool HasShape(NodeContext& ctx) {
  const bool known = ctx.IsTensor(0) || !ctx.ShapeOf(0).dims.empty();
  if (!known) ctx.Fail("found an operand whose shape is not known");
  return known;
}

void ShapeOp(NodeContext& ctx) {
  if (!HasShape(ctx)) return;
  const KnownValue dims = KnownDims(ctx.ShapeOf(0));
  constexpr int64_t kEnd = int64_t{1} << 40;
  ctx.SetIfKnown(0, KnownSlice(dims, 0, ctx.Int("start", 0), ctx.Int("end", kEnd), 1));
}

void SizeOp(NodeContext& ctx) {
  if (!HasShape(ctx)) return;
  if (ctx.SetIfKnown(0, KnownSize(ctx.ShapeOf(0)))) return;
  ctx.Fail("found a size that is no multiple of the batch");
}

// A tensor of `dims` whose elements are all `value`.
void Fill(NodeContext& ctx, KnownNumber value, DType dtype, const std::vector<Dim>& dims) {
  const Shape shape(dtype, dims);
  if (HasNoElements(shape)) return ctx.SetValue(0, Value::Empty(shape));
  if (value.per_batch && shape.is_static()) {
    if (ctx.SetIfKnown(0, KnownFill(value, shape.sizes(), dtype))) return;
  }
  GraphBuilder& b = ctx.builder();
  ctx.Set(0, b.Broadcast(b.Scalar(value.value, dtype), dims, {}));
}

void ConstantOfShape(NodeContext& ctx) {
  const MaybeKnown shape = ctx.Known(0);
  const auto dims = shape ? KnownAsDims(*shape) : ctx.StatedDims(0);
  if (!dims) return ctx.Fail("found a shape that is not known");
  KnownNumber value;
  DType dtype = DType::kF32;
  if (const AttributeView* given = ctx.Find("value"); given && given->tensor) {
    const MaybeKnown known = KnownTensor(*given->tensor);
    dtype = ElementOf(given->tensor->data_type).value_or(dtype);
    if (known && known->size() == 1) value = known->elements[0];
  }
  Fill(ctx, value, dtype, *dims);
}

void Constant(NodeContext& ctx) {
  for (const char* name : {"value", "sparse_value"}) {
    const AttributeView* value = ctx.Find(name);
    if (value == nullptr || !value->tensor) continue;
    const TensorView& tensor = *value->tensor;
    if (MaybeKnown known = KnownTensor(tensor)) {
      return ctx.SetKnown(0, *std::move(known));
    }
    const absl::StatusOr<Shape> shape = TensorShape(tensor);
    if (!shape.ok()) {
      const bool text = tensor.data_type == onnx_format::TensorProto::STRING;
      return text ? ctx.SetValue(0, Value::Host()) : ctx.Fail(Message(shape.status()));
    }
    if (IsZeros(tensor)) {
      return ctx.Set(0, ctx.builder().Constant(0, *shape));
    }
    // Too large to be a constant of the program text: a weight that an
    // exporter wrote this way, when it has floats.
    const std::string_view weight = ctx.node().outputs.empty() ? "constant" : ctx.node().outputs[0];
    return ctx.SetValue(
        0, ctx.AddWeight({std::string(weight), *shape, IsFloat(shape->dtype), false, &tensor}));
  }
  if (const AttributeView* value = ctx.Find("value_float")) {
    return ctx.SetKnown(0, KnownScalar(value->f, DType::kF32));
  }
  if (const AttributeView* value = ctx.Find("value_int")) {
    return ctx.SetKnown(0, KnownScalar(static_cast<double>(value->i)));
  }
  if (const AttributeView* value = ctx.Find("value_ints")) {
    return ctx.SetKnown(0, KnownVector(value->ints));
  }
  if (const AttributeView* value = ctx.Find("value_floats")) {
    KnownValue known{DType::kF32, {static_cast<int64_t>(value->floats.size())}, {}};
    for (const double number : value->floats) {
      known.elements.push_back({number, false});
    }
    return ctx.SetKnown(0, std::move(known));
  }
  const bool text = ctx.Find("value_string") || ctx.Find("value_strings");
  if (text) return ctx.SetValue(0, Value::Host());
  ctx.Fail("found a constant without a value");
}

void Range(NodeContext& ctx) {
  const MaybeKnown start = ctx.Known(0);
  const MaybeKnown limit = ctx.Known(1);
  const MaybeKnown step = ctx.Known(2);
  if (!start || !limit || !step) {
    const auto stated = ctx.StatedDims(0);
    if (stated && stated->size() == 1) {
      return ctx.Set(0, ctx.builder().Iota({ctx.ShapeOf(0).dtype, *stated}, 0));
    }
    return ctx.Fail("found a range whose ends are not known");
  }
  if (ctx.SetIfKnown(0, KnownRange(*start, *limit, *step))) return;
  // Too long to be known, or up to a multiple of the batch.
  const auto dims = KnownAsDims(*limit);
  const bool counts = KnownReal(*start) == 0.0 && KnownReal(*step) == 1.0;
  if (!dims || dims->size() != 1 || !counts || (*dims)[0].factor == 0) {
    return ctx.Fail("found a range that is no count from 0");
  }
  ctx.Set(0, ctx.builder().Iota({start->dtype, *dims}, 0));
}

void EyeLike(NodeContext& ctx) {
  const Shape like = ctx.ShapeOf(0);
  const AttributeView* given = ctx.Find("dtype");
  const DType dtype = given == nullptr
                          ? like.dtype
                          : ElementOf(static_cast<int32_t>(given->i)).value_or(like.dtype);
  if (like.rank() != 2 || !like.is_static()) {
    return ctx.Fail(fmt::format("found {}, expected a matrix of known size", FormatShape(like)));
  }
  ctx.Set(0,
          Eye(ctx.builder(), like.dims[0].factor, like.dims[1].factor,
              std::clamp<int64_t>(ctx.Int("k", 0), -(int64_t{1} << 31), int64_t{1} << 31), dtype));
}

void ConstantFill(NodeContext& ctx) {
  const MaybeKnown shape = ctx.Known(0);
  auto dims = shape ? KnownAsDims(*shape) : std::nullopt;
  if (!ctx.Has(0)) dims = KnownAsDims(KnownVector(ctx.Ints("shape")));
  if (!dims) return ctx.Fail("found a shape that is not known");
  Fill(ctx, {ctx.Float("value", 0), false}, DType::kF32, *dims);
}

constexpr OpEntry kShapeOps[] = {
    {kStandard, "Shape", ShapeOp},
    {kStandard, "Size", SizeOp},
    {kStandard, "ConstantOfShape", ConstantOfShape},
    {kStandard, "ConstantFill", ConstantFill},
    {kStandard, "Constant", Constant},
    {kStandard, "Range", Range},
    {kStandard, "EyeLike", EyeLike},
};

}  // namespace

std::span<const OpEntry> ShapeOps() { return kShapeOps; }

}  // namespace tilewise::onnx
