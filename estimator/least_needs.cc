// Kernels one after the other, as long as their units work; gathers over their links beside them.

#include <algorithm>
#include <vector>

#include "estimator/estimate.h"
#include "estimator/links.h"
#include "sim/lowering/kernels/unit_time.h"
#include "sim/lowering/latency_hiding_schedule/beside_kernels.h"

namespace tilewise {
namespace {

// An argument that is copied from the host lies there.
bool IsInHbm(const Graph& graph, const Op& argument) {
  return std::ranges::none_of(graph.users(argument.id), [&](OpId user) {
    return graph.op(user).kind == OpKind::kCopyFromHost;
  });
}

// Arguments are there all along. What an iteration of a loop over layers makes and the loop of
// gradients reads is there when that one ends, and no kernel of a loop runs again.
Bytes LeastHbm(const Program& program, const Repetitions& how_often, const Chip& chip) {
  const Graph& graph = program.graph;
  const auto bytes = [&](const Op& op) {
    return PaddedBytes(op.shape, program.layouts[op.id], chip);
  };
  Bytes least;
  for (const Op& op : graph.ops()) {
    if (IsArgument(op) && IsInHbm(graph, op)) least += bytes(op) * how_often.ops[op.id];
  }
  std::vector<bool> is_kept(graph.ops().size());
  for (const Kernel& kernel : program.kernels) {
    const Op& root = graph.op(kernel.root);
    if (!root.loop.is_one_trip() || root.phase != Phase::kBackward) continue;
    for (const OpId id : kernel.inputs) is_kept[id] = true;
  }
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    for (const OpId id : program.kernels[k].outputs) {
      const Op& op = graph.op(id);
      const bool counts = is_kept[id] && op.loop.is_one_trip() && op.phase == Phase::kForward &&
                          op.kind != OpKind::kCopyToHost;
      if (counts) least += bytes(op) * how_often.kernels[k];
    }
  }
  return std::max(Bytes{}, least - chip.promotion_room());
}

Seconds LeastStep(const Program& program, const Repetitions& how_often, const Target& target,
                  const XlaFlags& flags) {
  Seconds in_order;
  Links links(target);
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const Kernel& kernel = program.kernels[k];
    if (kernel.kind == KernelKind::kHostCopy) continue;
    const double times = how_often.kernels[k];
    if (kernel.kind != KernelKind::kCollective) {
      const Seconds work = ComputeTime(kernel, target.chip) + target.chip.kernel_overhead;
      in_order += work * static_cast<double>(kernel.repeat) * times;
    } else if (RunsBesideKernels(kernel, target.chip, flags)) {
      links.Add(kernel, times);
    } else {
      in_order += links.Time(kernel) * times;  // some are merged later, which saves no bytes
    }
  }
  return std::max(in_order, links.busiest());
}

}  // namespace

LeastNeeds LeastNeedsOf(const Program& program, const Repetitions& how_often, const Target& target,
                        const XlaFlags& flags) {
  return {.step = LeastStep(program, how_often, target, flags),
          .hbm = LeastHbm(program, how_often, target.chip)};
}

}  // namespace tilewise
