// Sequences and optional values, which are lists of values while the model is
// read.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/rearrange.h"

namespace tilewise::onnx {
namespace {

constexpr size_t kMaxSequence = 1024;

// Null, and a failure, when operand i is no sequence.
const std::vector<Value>* ItemsOf(NodeContext& ctx, size_t i) {
  const Value* value = ctx.InputValue(i);
  if (value != nullptr && value->kind == Value::Kind::kSequence) {
    return value->items().get();
  }
  ctx.Fail("found no sequence");
  return nullptr;
}

void SequenceEmpty(NodeContext& ctx) { ctx.SetValue(0, Value::Of(std::vector<Value>())); }

void SequenceConstruct(NodeContext& ctx) {
  std::vector<Value> items;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    if (ctx.Has(i)) items.push_back(*ctx.InputValue(i));
  }
  ctx.SetValue(0, Value::Of(std::move(items)));
}

// The position that operand i names; the last one when it is not known.
int64_t IndexOf(NodeContext& ctx, size_t i, size_t size, bool insert) {
  const auto count = static_cast<int64_t>(size);
  const int64_t last = insert ? count : count - 1;
  int64_t place = ctx.Has(i) ? ctx.KnownInt(i).value_or(last) : last;
  if (place < 0) place += count;
  if (place < 0 || place > last) {
    ctx.Fail(fmt::format("found place {} in a sequence of {}", place, size));
    return 0;
  }
  return place;
}

void SequenceInsert(NodeContext& ctx) {
  const std::vector<Value>* items = ItemsOf(ctx, 0);
  if (items == nullptr || !ctx.Has(1)) return;
  if (items->size() >= kMaxSequence) return ctx.Fail("found too long a sequence");
  const int64_t place = IndexOf(ctx, 2, items->size(), true);
  if (!ctx.ok()) return;
  std::vector<Value> longer = *items;
  longer.insert(longer.begin() + place, *ctx.InputValue(1));
  ctx.SetValue(0, Value::Of(std::move(longer)));
}

void SequenceAt(NodeContext& ctx) {
  const std::vector<Value>* items = ItemsOf(ctx, 0);
  if (items == nullptr) return;
  if (items->empty()) return ctx.Fail("found an empty sequence");
  const int64_t place = IndexOf(ctx, 1, items->size(), false);
  if (ctx.ok()) ctx.SetValue(0, (*items)[place]);
}

void SequenceErase(NodeContext& ctx) {
  const std::vector<Value>* items = ItemsOf(ctx, 0);
  if (items == nullptr) return;
  if (items->empty()) return ctx.Fail("found an empty sequence");
  const int64_t place = IndexOf(ctx, 1, items->size(), false);
  if (!ctx.ok()) return;
  std::vector<Value> shorter = *items;
  shorter.erase(shorter.begin() + place);
  ctx.SetValue(0, Value::Of(std::move(shorter)));
}

void SequenceLength(NodeContext& ctx) {
  const std::vector<Value>* items = ItemsOf(ctx, 0);
  if (items == nullptr) return;
  ctx.SetKnown(0, KnownScalar(static_cast<double>(items->size())));
}

void ConcatFromSequence(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const std::vector<Value>* items = ItemsOf(ctx, 0);
  if (items == nullptr || items->empty()) {
    return ctx.Fail("found nothing to concatenate");
  }
  std::vector<OpId> parts;
  parts.reserve(items->size());
  for (const Value& item : *items) parts.push_back(ctx.OpOf(item));
  if (!ctx.ok()) return;
  const int64_t axis = ctx.Int("axis", 0);
  if (ctx.Int("new_axis", 0) != 0) return ctx.Set(0, Stack(b, parts, axis));
  const int64_t rank = b.shape(parts[0]).rank();
  ctx.Set(0, parts.size() == 1 ? parts[0] : b.Concatenate(parts, DimOf(b, axis, rank)));
}

void SplitToSequence(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  const int64_t axis = AxisOf(ctx, "axis", 0, b.shape(x).rank());
  if (!ctx.ok()) return;
  const Dim whole = b.shape(x).dims[axis];
  std::vector<int64_t> sizes;
  int64_t chunk = 1;
  if (ctx.Has(1)) {
    const MaybeKnown split = ctx.Known(1);
    const auto given = ctx.KnownInts(1);
    if (!split || !given) return ctx.Fail("found parts that are not known");
    if (split->rank() == 0) {
      chunk = (*given)[0];
    } else {
      sizes = *given;
    }
  }
  if (sizes.empty()) {
    if (chunk < 1 || whole.per_batch || whole.factor / chunk > 4096) {
      return ctx.Fail(fmt::format("found parts of {} of dim {}", chunk, axis));
    }
    for (int64_t begin = 0; begin < whole.factor; begin += chunk) {
      sizes.push_back(std::min(chunk, whole.factor - begin));
    }
  }
  // Each part is a result of its own; they are put in the graph together.
  ctx.SetParts(0, SplitAlong(b, x, axis, sizes),
               !ctx.Has(1) && ctx.Int("keepdims", 1) == 0 ? axis : -1);
}

void Optional(NodeContext& ctx) {
  if (ctx.Has(0)) return ctx.Forward(0, 0);
  ctx.SetValue(0, Value());
}

void OptionalHasElement(NodeContext& ctx) {
  ctx.SetKnown(0, KnownScalar(ctx.Has(0) ? 1 : 0, DType::kPred));
}

constexpr OpEntry kSequenceOps[] = {
    {kStandard, "SequenceEmpty", SequenceEmpty},
    {kStandard, "SequenceConstruct", SequenceConstruct},
    {kStandard, "SequenceInsert", SequenceInsert},
    {kStandard, "SequenceAt", SequenceAt},
    {kStandard, "SequenceErase", SequenceErase},
    {kStandard, "SequenceLength", SequenceLength},
    {kStandard, "ConcatFromSequence", ConcatFromSequence},
    {kStandard, "SplitToSequence", SplitToSequence},
    {kStandard, "Optional", Optional},
    {kStandard, "OptionalHasElement", OptionalHasElement},
    {kStandard, "OptionalGetElement", FirstOperand},
};

}  // namespace

std::span<const OpEntry> SequenceOps() { return kSequenceOps; }

}  // namespace tilewise::onnx
