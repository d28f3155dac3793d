// XLA's latency-hiding scheduler works from the last kernel to the first and puts what nothing
// waits for as early as it can: of Qwen3-8B in JAX, layers written out, 3 and 4 sequences of 8,192,
// the recomputed f32 queries of all 36 layers were alive at a time. What the two sizes have in
// common is what FindHeldByBarriers finds, in the types that second runs compute in.

#include "sim/lowering/buffer_assignment/second_runs.h"

#include <algorithm>

#include "graph/op_traits.h"

namespace tilewise {
namespace {

// Returns for each op whether it is made of weights and constants alone.
std::vector<bool> MadeOfWeights(const Graph& graph) {
  std::vector<bool> made;
  made.reserve(graph.size());
  for (const Op& op : graph.ops()) {
    const auto count =
        static_cast<std::ptrdiff_t>(TraitsOf(op.kind).waits ? 1 : op.operands.size());
    made.push_back(op.kind != OpKind::kParameter && ClassOf(op.kind) != OpClass::kTransfer &&
                   std::all_of(op.operands.begin(), op.operands.begin() + count,
                               [&](OpId id) { return made[id]; }));
  }
  return made;
}

// Returns for each op whether a second run can make it without a gradient.
std::vector<bool> FindSecondRuns(const Graph& graph) {
  const std::vector<bool> of_weights = MadeOfWeights(graph);
  std::vector<bool> held(graph.size());
  const auto is_held = [&](OpId id) { return held[id]; };
  const auto is_there = [&](OpId id) {
    const Op& op = graph.op(id);
    return of_weights[id] || held[id] ||
           (op.phase == Phase::kForward && ClassOf(op.kind) != OpClass::kTransfer);
  };
  for (const Op& op : graph.ops()) {
    if (op.phase != Phase::kBackward || op.loop.id != 0 || of_weights[op.id]) continue;
    if (op.kind == OpKind::kBarrier) {
      held[op.id] = is_there(op.operands[0]);
    } else if (!TraitsOf(op.kind).waits) {
      held[op.id] = std::any_of(op.operands.begin(), op.operands.end(), is_held) &&
                    std::all_of(op.operands.begin(), op.operands.end(), is_there);
    }
  }
  return held;
}

bool MovesNoByte(OpKind kind) {
  return kind == OpKind::kBarrier || kind == OpKind::kReshape || kind == OpKind::kTranspose ||
         kind == OpKind::kBroadcast;
}

}  // namespace

std::vector<bool> FindHeldByBarriers(const Graph& graph) {
  const std::vector<bool> second_run = FindSecondRuns(graph);
  std::vector<bool> held(graph.size());
  for (size_t i = graph.size(); i-- > 0;) {
    const Op& op = graph.op(OpId(i));
    if (!second_run[op.id]) continue;
    const auto users = graph.users(op.id);
    held[op.id] = std::any_of(users.begin(), users.end(), [&](OpId user) {
      return !second_run[user] || (MovesNoByte(graph.op(user).kind) && held[user]);
    });
  }
  for (const Op& op : graph.ops()) {
    if (MovesNoByte(op.kind)) held[op.id] = false;
  }
  return held;
}

bool OffloadsWrittenOutLayers(const Program& program) {
  bool offloads = false;
  for (const Kernel& kernel : program.kernels) {
    if (!kernel.goes_to_host()) continue;
    if (program.graph.op(kernel.root).loop.id != 0) return false;
    offloads = true;
  }
  return offloads;
}

}  // namespace tilewise
