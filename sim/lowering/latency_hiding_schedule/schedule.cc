// Pass schedule: the issue order. Small sums are combined where the compiler
// does so; gradients are summed and variables updated as soon as they can be,
// which frees the gradients early (but those that a loop over layers trains:
// after it); everything else keeps its order. A variable is not overwritten
// before its last reader. Collectives that the chip's compiler makes
// asynchronous run beside kernels; gathers are issued as much ahead of their
// use as they take. Buffers are placed again for the new order.

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "graph/op_traits.h"
#include "graph/topological_order.h"
#include "hardware/mesh.h"
#include "hardware/torus.h"
#include "sim/lowering/buffer_assignment/live_ranges.h"
#include "sim/lowering/latency_hiding_schedule/all_reduce_buckets.h"
#include "sim/lowering/latency_hiding_schedule/beside_kernels.h"
#include "sim/lowering/latency_hiding_schedule/gathers_ahead.h"
#include "sim/lowering/latency_hiding_schedule/layer_trips.h"
#include "sim/lowering/latency_hiding_schedule/on_demand.h"
#include "sim/lowering/passes.h"

namespace tilewise {
namespace {

// Kernel that writes each value.
std::vector<KernelId> Writers(const Program& program) {
  std::vector<KernelId> writer(program.graph.size());
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    for (const OpId id : program.kernels[k].outputs) {
      writer[id] = k;
    }
  }
  return writer;
}

KernelEdges DataEdges(const Program& program, const std::vector<KernelId>& writer) {
  KernelEdges edges;
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    for (const OpId id : program.kernels[k].inputs) {
      const KernelId from = writer[id];
      if (from >= 0) edges.emplace_back(from, k);
    }
  }
  return edges;
}

// The kernel that writes what `id` is made of by bitcasts or within a kernel.
KernelId WriterBehind(const Graph& graph, const std::vector<KernelId>& writer, OpId id) {
  while (writer[id] < 0 && !graph.op(id).operands.empty()) {
    id = graph.op(id).operands[0];
  }
  return writer[id];
}

// Adds edges to the kernels behind barriers, and to copies from the host, from what they wait for.
void AddWaits(const Program& program, const std::vector<KernelId>& writer, KernelEdges& edges) {
  const Graph& graph = program.graph;
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    for (const OpId id : program.kernels[k].ops) {
      const Op& op = graph.op(id);
      if (!TraitsOf(op.kind).waits) {
        continue;
      }
      for (size_t i = 1; i < op.operands.size(); ++i) {
        const KernelId from = WriterBehind(graph, writer, op.operands[i]);
        if (from >= 0 && from != k) edges.emplace_back(from, k);
      }
    }
  }
}

// Returns the edges from every reader of a variable to the kernel that overwrites it.
KernelEdges OverwriteEdges(const Program& program, const std::vector<KernelId>& writer) {
  std::vector<KernelId> overwriter(writer.size());
  for (const Output& output : program.graph.outputs()) {
    if (output.role != Output::Role::kState) continue;
    overwriter[output.variable] = writer[output.value];
  }
  KernelEdges edges;
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    for (const OpId id : program.kernels[k].inputs) {
      const KernelId to = overwriter[id];
      if (to >= 0 && to != k) edges.emplace_back(k, to);
    }
  }
  return edges;
}

// A value that tensor parallelism keeps in parts.
bool IsShared(const Kernel& kernel) {
  return kernel.overlappable && kernel.collective == OpKind::kAllGather &&
         kernel.phase != Phase::kUpdate && kernel.mesh_axis == MeshAxisName(MeshAxis::kTensor);
}

// Says of each gather whether the compiler makes it as a sum.
class GathersBySum {
 public:
  explicit GathersBySum(const LoweringContext& context)
      : target_(context.target),
        may_be_(context.target.chip.gathers_by_sum && !context.options.xla_flags.prefers_gathers) {}

  bool Has(const Kernel& kernel) {
    if (!may_be_ || kernel.kind != KernelKind::kCollective ||
        kernel.collective != OpKind::kAllGather) {
      return false;
    }
    const auto [group, is_new] = is_by_sum_.try_emplace({kernel.mesh_axis, kernel.participants});
    if (is_new) {
      const CoreGroup cores = FindGroup(target_, kernel.mesh_axis, kernel.participants);
      group->second = std::ranges::count(cores.spans, true, &TorusSpan::closed) >= kClosedAxes;
    }
    return group->second;
  }

 private:
  static constexpr int kClosedAxes = 3;  // from 4x4x4 chips on (pytorch/xla pull request 6528)

  const Target& target_;
  bool may_be_;
  std::map<std::pair<std::string, int64_t>, bool> is_by_sum_;  // by axis of the mesh and cores
};

// Returns for each kernel whether it is a copy to the host, or made for such copies alone.
std::vector<bool> LeavesForHost(const Program& program) {
  std::vector<bool> stays(program.graph.size());
  for (const Output& output : program.graph.outputs()) {
    stays[output.value] = true;
  }
  std::vector<bool> leaves(program.kernels.size());
  for (size_t k = program.kernels.size(); k-- > 0;) {
    const Kernel& kernel = program.kernels[k];
    leaves[k] = kernel.goes_to_host() || std::none_of(kernel.outputs.begin(), kernel.outputs.end(),
                                                      [&stays](OpId id) { return stays[id]; });
    if (leaves[k]) continue;
    for (const OpId id : kernel.inputs) stays[id] = true;
  }
  return leaves;
}

// Whether it updates what a loop over layers trains: the loop hands its gradients out when it
// ends. A gradient that is summed whole is on its way beside the loop, where there is one.
bool AwaitsLoop(const Program& program, const Kernel& kernel, bool has_loop) {
  if (kernel.phase != Phase::kUpdate || kernel.kind == KernelKind::kCollective) {
    return false;
  }
  return std::any_of(kernel.inputs.begin(), kernel.inputs.end(), [&](OpId id) {
    const Op& op = program.graph.op(id);
    const bool is_of_loop = op.kind == OpKind::kVariable && op.loop.is_one_trip();
    return is_of_loop ||
           (has_loop && op.kind == OpKind::kAllReduce && op.phase == Phase::kBackward);
  });
}

// Returns for each op whether it is made of inputs of the step and constants alone, as token ids
// are.
std::vector<bool> MadeOfInputs(const Graph& graph) {
  std::vector<bool> made;
  for (const Op& op : graph.ops()) {
    made.push_back(op.kind != OpKind::kVariable &&
                   std::all_of(op.operands.begin(), op.operands.end(),
                               [&](OpId operand) { return made[operand]; }));
  }
  return made;
}

// What leaves for the host does so as soon as it can. A gather of activations
// gives way to all that could run beside it.
int Urgency(const Program& program, const Kernel& kernel, bool leaves, bool has_loop) {
  if (AwaitsLoop(program, kernel, has_loop)) return 4;
  if (kernel.phase == Phase::kUpdate || leaves) return 0;
  if (kernel.kind != KernelKind::kCollective) return 2;
  return IsGather(kernel) ? 3 : 1;
}

// The last kernel of a loop over layers that computes gradients; none: no loop.
KernelId LastOfGradientLoops(const Program& program) {
  for (KernelId k(program.kernels.size()); k > 0;) {
    --k;
    const Kernel& kernel = program.kernels[k];
    if (kernel.phase == Phase::kBackward && program.graph.op(kernel.root).loop.is_one_trip()) {
      return k;
    }
  }
  return {};
}

// Kernels by urgency, then as they stand. A gather of inputs for a gradient does
// not wait for loops over layers, as what else its reader needs waits in memory.
std::vector<KernelId> MostUrgentFirst(const Program& program) {
  const std::vector<bool> leaves = LeavesForHost(program);
  const std::vector<bool> of_inputs = MadeOfInputs(program.graph);
  const KernelId loops_end = LastOfGradientLoops(program);
  std::vector<KernelId> order;
  std::vector<int> urgency;
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    order.push_back(k);
    const Kernel& kernel = program.kernels[k];
    urgency.push_back(Urgency(program, kernel, leaves[k], loops_end >= 0));
    const bool is_for_gradient = IsGather(kernel) && kernel.phase == Phase::kBackward;
    if (is_for_gradient && of_inputs[kernel.root] && k < loops_end) urgency.back() = 2;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](KernelId a, KernelId b) { return urgency[a] < urgency[b]; });
  return order;
}

// The kernels in an order that keeps to `edges`; none when they go round.
std::vector<KernelId> Sorted(const Program& program, const std::vector<KernelId>& urgent,
                             const KernelEdges& edges) {
  std::vector<int32_t> rank(urgent.size());
  for (size_t i = 0; i < urgent.size(); ++i) {
    rank[urgent[i]] = static_cast<int32_t>(i);
  }
  OnDemand on_demand(program, edges);
  std::vector<std::pair<int32_t, int32_t>> ranked;
  for (const auto& [from, to] : on_demand.OfOthers(edges)) {
    ranked.emplace_back(rank[from], rank[to]);
  }
  const TopologicalOrder sorted = OrderTopologically(static_cast<int32_t>(rank.size()), ranked);
  if (!sorted.cycle.empty()) return {};
  std::vector<KernelId> order;
  for (const int32_t at : sorted.order) {
    order.push_back(urgent[at]);
  }
  return on_demand.Insert(order);
}

std::vector<KernelId> IssueOrder(const Program& program) {
  const std::vector<KernelId> writer = Writers(program);
  const std::vector<KernelId> urgent = MostUrgentFirst(program);
  KernelEdges edges = DataEdges(program, writer);
  AddWaits(program, writer, edges);
  const KernelEdges data_only = edges;
  const KernelEdges overwrites = OverwriteEdges(program, writer);
  edges.insert(edges.end(), overwrites.begin(), overwrites.end());
  std::vector<KernelId> order = Sorted(program, urgent, edges);
  // A reader that needs the new value of its variable: that one then gets a
  // buffer of its own.
  if (order.empty()) order = Sorted(program, urgent, data_only);
  TW_CHECK(order.size() == program.kernels.size());
  return order;
}

// Moves each kernel to its place, along the cycles of the permutation.
void Reorder(Program& program) {
  std::vector<KernelId> from = IssueOrder(program);
  std::vector<Kernel>& kernels = program.kernels;
  for (KernelId begin = 0; begin < from.size(); ++begin) {
    if (from[begin] == begin) continue;
    Kernel first = std::move(kernels[begin]);
    KernelId at = begin;
    while (from[at] != begin) {
      kernels[at] = std::move(kernels[from[at]]);
      at = std::exchange(from[at], at);
    }
    kernels[at] = std::move(first);
    from[at] = at;
  }
}

}  // namespace

absl::Status RunSchedule(Program& program, const LoweringContext& context) {
  if (context.options.compiler.combines_all_reduces) {
    Reorder(program);  // sums are combined as they come
    CombineAllReduces(program, context.target.chip);
  }
  GathersBySum gathers_by_sum(context);
  for (Kernel& kernel : program.kernels) {
    kernel.by_sum = gathers_by_sum.Has(kernel);
    kernel.overlappable = RunsBesideKernels(kernel, context.target.chip, context.options.xla_flags);
    kernel.in_pieces = context.options.xla_flags.gathers_in_pieces && IsShared(kernel);
  }
  Reorder(program);
  FormIterations(program, context.options.xla_flags, context.target);
  IssueGathersAhead(program, context.target);
  AssignBuffers(program, context.target.chip, context.options.xla_flags);
  return absl::OkStatus();
}

}  // namespace tilewise
