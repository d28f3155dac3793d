// Random numbers. Seeds and keys are left out: the device's generator keeps its
// own state.

#include "frontend/program/ops/made.h"

namespace tilewise::program {
namespace {

constexpr std::array<std::pair<std::string_view, OpKind>, 3> kKinds = {{
    {"uniform", OpKind::kRngUniform},
    {"normal", OpKind::kRngNormal},
    {"bits", OpKind::kRngBits},
}};

// Numbers of 16 bits are rounded from wider ones.
void RandomCall(OpCall& call) {
  const OpKind* kind = OfKind(call, kKinds, "uniform");
  if (kind == nullptr) return;
  const bool bits = *kind == OpKind::kRngBits;
  const Shape shape = ShapeAttr(call, TypeOf(call, bits ? DType::kU32 : DType::kF32));
  if (!call.ok()) return;
  if (HasNoElements(shape)) return call.SetValue(0, Value::Empty(shape));
  const bool is_wide = BitWidth(shape.dtype) == 64;
  const DType drawn = bits ? (is_wide ? DType::kU64 : DType::kU32)
                           : (shape.dtype == DType::kF64 ? DType::kF64 : DType::kF32);
  GraphBuilder& b = call.builder();
  call.Set(0, b.Convert(b.Rng(*kind, shape.WithType(drawn)), shape.dtype));
}

// Logits [.., classes] -> a class of each row.
void CategoricalCall(OpCall& call) {
  const OpId logits = call.Input(0);
  call.Set(0, call.builder().RngCategorical(logits));
}

// 0, 1, ... in an order of its own: bits are sorted.
void PermutationCall(OpCall& call) {
  const int64_t size = call.Int("size", 0);
  if (size < 1) return call.Fail(fmt::format("found {} places", size));
  GraphBuilder& b = call.builder();
  const OpId bits = b.Rng(OpKind::kRngBits, Shape::Of(DType::kU32, {size}));
  const OpId places = b.Iota(Shape::Of(TypeOf(call, DType::kS32), {size}), 0);
  call.Set(0, b.Sort({bits, places}, 0, false, 1));
}

constexpr OpEntry kRandomOps[] = {
    {"random", RandomCall},
    {"categorical", CategoricalCall},
    {"permutation", PermutationCall},
};

}  // namespace

std::span<const OpEntry> RandomOps() { return kRandomOps; }

}  // namespace tilewise::program
