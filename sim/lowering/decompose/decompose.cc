// Pass decompose: composite ops -> primitive ones, as XLA and its front ends
// expand them. Statistics and normalisations of narrow floats are computed in
// f32.

#include <utility>

#include "sim/lowering/decompose/composite_op.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/passes.h"
#include "sim/lowering/rewrite.h"

namespace tilewise {
namespace {

bool HasComposite(const Graph& graph) {
  for (const Op& op : graph.ops()) {
    if (ClassOf(op.kind) == OpClass::kComposite) return true;
  }
  return false;
}

absl::StatusOr<Graph> DecomposeOnce(Graph graph) {
  Rewrite rewrite(graph);
  OpList ops = std::move(graph).TakeOps();
  for (Op& op : ops) {
    if (ClassOf(op.kind) != OpClass::kComposite) {
      rewrite.Move(std::move(op));
      continue;
    }
    rewrite.EnterContextOf(op);
    const CompositeOp composite = {rewrite.builder(), op, rewrite.Operands(op)};
    rewrite.Replace(op, LoweringTraitsOf(op.kind).decompose(composite));
  }
  return rewrite.Finish();
}

}  // namespace

absl::Status RunDecompose(Program& program, const LoweringContext&) {
  while (HasComposite(program.graph)) {
    TW_ASSIGN_OR_RETURN(program.graph, DecomposeOnce(std::move(program.graph)));
  }
  return absl::OkStatus();
}

}  // namespace tilewise
