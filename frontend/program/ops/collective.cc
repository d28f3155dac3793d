// Collectives that a program writes itself, and ops of which only the shape of the result is known.

#include "frontend/program/ops/made.h"

namespace tilewise::program {
namespace {

// Reads the dim of attribute `name`; fails where the operand has none such.
int64_t OneDim(OpCall& call, OpId x, std::string_view name) {
  return DimOf(call.builder(), call.Int(name, 0), call.builder().shape(x).rank());
}

// `group`: the cores that take part; 0: all.
void SetCollective(OpCall& call, OpKind kind, CollectiveAttrs attrs) {
  const OpId x = call.Input(0);
  if (!call.ok()) return;
  attrs.group_size = call.Int("group", 0);
  if (attrs.group_size < 0) return call.Fail(fmt::format("found {} cores", attrs.group_size));
  call.Set(0, attrs.group_size == 1 ? x : call.builder().Add(kind, {x}, std::move(attrs)));
}

void AllReduceCall(OpCall& call) { SetCollective(call, OpKind::kAllReduce, {}); }

void AllGatherCall(OpCall& call) {
  SetCollective(call, OpKind::kAllGather, {.dims = {OneDim(call, call.Input(0), "dim")}});
}

void ReduceScatterCall(OpCall& call) {
  SetCollective(call, OpKind::kReduceScatter, {.dims = {OneDim(call, call.Input(0), "dim")}});
}

void AllToAllCall(OpCall& call) {
  const OpId x = call.Input(0);
  SetCollective(call, OpKind::kAllToAll,
                {.dims = {OneDim(call, x, "split"), OneDim(call, x, "joined")}});
}

void CollectivePermuteCall(OpCall& call) {
  SetCollective(call, OpKind::kCollectivePermute, {.shift = call.Int("shift", 1)});
}

// A kernel of the program's own: its result has a shape, and what it costs is not known.
void CustomCall(OpCall& call) {
  const Shape shape = ShapeAttr(call, TypeOf(call, DType::kF32));
  if (call.ok()) call.SetOpaque(0, shape);
}

constexpr OpEntry kCollectiveOps[] = {
    {"all_gather", AllGatherCall}, {"all_reduce", AllReduceCall},
    {"all_to_all", AllToAllCall},  {"collective_permute", CollectivePermuteCall},
    {"custom_call", CustomCall},   {"reduce_scatter", ReduceScatterCall},
};

}  // namespace

std::span<const OpEntry> CollectiveOps() { return kCollectiveOps; }

}  // namespace tilewise::program
