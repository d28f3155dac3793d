// Elements at indices that are data.

#include "frontend/program/ops/made.h"
#include "library/gather.h"

namespace tilewise::program {
namespace {

constexpr std::array<std::pair<std::string_view, ScatterRule>, 9> kRules = {{
    {"assign", {Reducer::kSum, true}},
    {"set", {Reducer::kSum, true}},
    {"add", {Reducer::kSum, false}},
    {"sum", {Reducer::kSum, false}},
    {"multiply", {Reducer::kProduct, false}},
    {"product", {Reducer::kProduct, false}},
    {"max", {Reducer::kMax, false}},
    {"min", {Reducer::kMin, false}},
    {"none", {Reducer::kSum, true}},
}};

// An index that is known is a slice.
void TakeCall(OpCall& call) {
  GraphBuilder& b = call.builder();
  const OpId x = call.AnyInput(0);
  const int64_t axis = call.Int("axis", 0);
  const KnownValue* known = call.Folded(1);
  if (known != nullptr && known->rank() == 0) {
    return call.Set(0, ElementAlong(b, x, KnownInteger(*known).value_or(0), axis));
  }
  call.Set(0, TakeAlong(b, x, call.AnyInput(1), axis, call.Int("batch_dims", 0)));
}

void TakeAlongCall(OpCall& call) {
  const OpId x = call.Input(0), indices = call.Input(1);
  call.Set(0, TakeElements(call.builder(), x, indices, call.Int("axis", -1)));
}

void GatherNdCall(OpCall& call) {
  const OpId x = call.Input(0), indices = call.Input(1);
  call.Set(0, GatherNd(call.builder(), x, indices, call.Int("batch_dims", 0)));
}

// x, indices, updates, which get the type of x.
struct Scatter {
  OpId x = kNoOp, indices = kNoOp, updates = kNoOp;
  ScatterRule rule;
};
Scatter ScatterOf(OpCall& call) {
  Scatter scatter;
  if (const ScatterRule* rule = OfKind(call, kRules, "assign")) scatter.rule = *rule;
  scatter.x = call.Input(0);
  scatter.indices = call.Input(1);
  scatter.updates = call.builder().Convert(call.Input(2), call.ShapeOf(0).dtype);
  return scatter;
}

void ScatterElementsCall(OpCall& call) {
  const Scatter s = ScatterOf(call);
  if (!call.ok()) return;
  call.Set(
      0, ScatterElements(call.builder(), s.x, s.indices, s.updates, call.Int("axis", -1), s.rule));
}

void ScatterSlicesCall(OpCall& call) {
  const Scatter s = ScatterOf(call);
  if (!call.ok()) return;
  call.Set(0, ScatterAlong(call.builder(), s.x, s.indices, s.updates, call.Int("axis", 0), s.rule));
}

void ScatterNdCall(OpCall& call) {
  const Scatter s = ScatterOf(call);
  if (!call.ok()) return;
  call.Set(0,
           ScatterNd(call.builder(), s.x, s.indices, s.updates, s.rule, call.Int("batch_dims", 0)));
}

void OneHotCall(OpCall& call) {
  GraphBuilder& b = call.builder();
  const DType type = TypeOf(call, DType::kF32);
  const OpId indices = call.Input(0);
  const int64_t depth = call.Int("depth", 0);
  if (depth < 1) return call.Fail(fmt::format("found {} classes", depth));
  const OpId on = b.Scalar(call.Float("on", 1), type), off = b.Scalar(call.Float("off", 0), type);
  call.Set(0, OneHot(b, indices, depth, call.Int("axis", -1), on, off));
}

constexpr OpEntry kIndexOps[] = {
    {"take", TakeCall},
    {"take_along", TakeAlongCall},
    {"gather_nd", GatherNdCall},
    {"scatter", ScatterSlicesCall},          // the inverse of take
    {"scatter_along", ScatterElementsCall},  // of take_along
    {"scatter_nd", ScatterNdCall},           // of gather_nd
    {"one_hot", OneHotCall},
};

}  // namespace

std::span<const OpEntry> IndexOps() { return kIndexOps; }

}  // namespace tilewise::program
