// From groups of ops to kernels.

#include "sim/lowering/fusion/kernel_graph.h"

#include <algorithm>

#include <fmt/format.h>

#include "graph/op_traits.h"
#include "graph/topological_order.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

template <typename T>
void SortUnique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Groups renumbered by their last op, so that "smallest first" keeps close to
// definition order.
std::vector<int32_t> OrderGroups(const KernelGraph& graph) {
  const auto count = static_cast<int32_t>(graph.ops.size());
  std::vector<int32_t> by_last(graph.ops.size());
  for (int32_t i = 0; i < count; ++i) by_last[i] = i;
  std::sort(by_last.begin(), by_last.end(), [&](int32_t a, int32_t b) {
    const OpId last_a = graph.ops[a].back();
    const OpId last_b = graph.ops[b].back();
    return last_a != last_b ? last_a < last_b : a < b;
  });
  std::vector<int32_t> rank(graph.ops.size());
  for (int32_t i = 0; i < count; ++i) {
    rank[by_last[i]] = i;
  }
  std::vector<std::pair<int32_t, int32_t>> edges;
  for (int32_t i = 0; i < count; ++i) {
    for (const int32_t from : graph.needs[i]) {
      edges.emplace_back(rank[from], rank[i]);
    }
  }
  const TopologicalOrder sorted = OrderTopologically(count, edges);
  TW_CHECK(sorted.cycle.empty());
  std::vector<int32_t> order;
  for (const int32_t at : sorted.order) {
    order.push_back(by_last[at]);
  }
  return order;
}

KernelKind KindOf(const Program& program, const FusionGroup& group, const std::vector<OpId>& ops) {
  if (group.has_matrix) return KernelKind::kMatrix;
  const auto has = [&](OpClass op_class) {
    return std::any_of(ops.begin(), ops.end(),
                       [&](OpId id) { return ClassOf(program.graph.op(id).kind) == op_class; });
  };
  if (has(OpClass::kReduce)) return KernelKind::kReduce;
  const OpKind seed = program.graph.op(group.seed).kind;
  const KernelKind kind = LoweringTraitsOf(seed).kernel;
  return kind == KernelKind::kLoop && has(OpClass::kRandom) ? KernelKind::kRandom : kind;
}

OpId RootOf(const Program& program, const FusionGroup& group, const std::vector<OpId>& ops) {
  if (!group.has_matrix) return group.seed;
  for (const OpId id : ops) {
    if (ClassOf(program.graph.op(id).kind) == OpClass::kMxu) return id;
  }
  return group.seed;
}

bool LeavesGroup(const Program& program, const FusionGroups& groups, OpId id, int32_t group) {
  if (groups.Owner(id) != group) return false;
  if (groups.is_output[id]) return true;
  for (const OpId user : program.graph.users(id)) {
    for (const int32_t other : groups.of_op[user]) {
      if (other != group) return true;
    }
  }
  return program.graph.users(id).empty();
}

// A virtual value is written only by the kernel that was started for it, when
// it leaves the step.
bool WritesVirtual(const FusionGroups& groups, const FusionGroup& group, OpId id) {
  return group.seed == id && groups.is_output[id];
}

Kernel MakeKernel(const Program& program, const FusionGroups& groups,
                  const std::vector<bool>& is_virtual, int32_t number, KernelGraph& graph) {
  const FusionGroup& group = groups.groups[number];
  Kernel kernel;
  kernel.ops = std::move(graph.ops[number]);
  kernel.inputs = std::move(graph.inputs[number]);
  kernel.root = RootOf(program, group, kernel.ops);
  kernel.kind = KindOf(program, group, kernel.ops);
  kernel.phase = program.graph.op(kernel.root).phase;
  kernel.origin = program.graph.op(kernel.root).origin;
  int64_t costed = 0;
  for (const OpId id : kernel.ops) {
    const bool is_free = is_virtual[id];
    if (!is_free) ++costed;
    const bool leaves =
        is_free ? WritesVirtual(groups, group, id) : LeavesGroup(program, groups, id, number);
    if (leaves) kernel.outputs.push_back(id);
  }
  kernel.name = costed > 1 ? "fusion" : std::string(OpName(program.graph.op(kernel.root).kind));
  return kernel;
}

}  // namespace

KernelGraph ConnectKernels(const Program& program, const FusionGroups& groups) {
  KernelGraph result;
  result.ops.resize(groups.groups.size());
  result.inputs.resize(groups.groups.size());
  result.needs.resize(groups.groups.size());
  for (const Op& op : program.graph.ops()) {
    for (const int32_t group : groups.of_op[op.id]) {
      result.ops[group].push_back(op.id);
      for (const OpId operand : op.operands) {
        if (groups.Contains(operand, group)) continue;
        // What is only waited for is not read.
        if (!TraitsOf(op.kind).waits || operand == op.operands[0]) {
          result.inputs[group].push_back(operand);
        }
        const int32_t owner = groups.Owner(operand);
        if (owner >= 0) result.needs[group].push_back(owner);
      }
    }
  }
  for (auto& values : result.inputs) SortUnique(values);
  for (auto& values : result.needs) SortUnique(values);
  result.order = OrderGroups(result);
  return result;
}

std::vector<Kernel> MakeKernels(const Program& program, const Chip& chip,
                                const FusionGroups& groups) {
  std::vector<bool> is_virtual;
  for (const Op& op : program.graph.ops()) {
    is_virtual.push_back(IsVirtual(program, op, chip));
  }
  KernelGraph graph = ConnectKernels(program, groups);
  std::vector<Kernel> kernels;
  for (const int32_t group : graph.order) {
    kernels.push_back(MakeKernel(program, groups, is_virtual, group, graph));
    kernels.back().name += fmt::format(".{}", kernels.size() - 1);
  }
  return kernels;
}

}  // namespace tilewise
