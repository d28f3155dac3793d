// What a kernel may overwrite.

#include "sim/lowering/kernels/root_of_kernel.h"

#include <algorithm>

namespace tilewise {
namespace {

// It has no other user, and is a temporary or the variable that gets the
// result.
bool IsOldOf(const RootOfKernel& root, OpId old) {
  const Graph& graph = root.context.program.graph;
  if (graph.users(old).size() > 1) return false;
  const OpKind kind = graph.op(old).kind;
  bool is_free = kind != OpKind::kParameter && kind != OpKind::kVariable;
  for (const Output& output : graph.outputs()) {
    if (output.value == root.op.id && output.variable == old) is_free = true;
    if (output.value == old) return false;
  }
  return is_free;
}

// Whether the kernel reads a value in memory for `id`, maybe behind bitcasts.
bool ReadsFor(const Graph& graph, const Kernel& kernel, OpId id) {
  while (!ReadsInput(kernel, id)) {
    if (graph.op(id).operands.empty()) return false;
    id = graph.op(id).operands[0];
  }
  return true;
}

}  // namespace

bool EntersLoop(const OpContext& context, const Op& value) {
  return value.kind == OpKind::kBarrier && value.loop != context.operand(value, 0).loop;
}

bool ReadsInput(const Kernel& kernel, OpId value) {
  return std::binary_search(kernel.inputs.begin(), kernel.inputs.end(), value);
}

bool OverwritesOperand(const RootOfKernel& root, const Kernel& kernel) {
  const Graph& graph = root.context.program.graph;
  const OpId old = root.op.operands[0];
  if (!ReadsFor(graph, kernel, old)) return false;
  return EntersLoop(root.context, graph.op(old)) || (ReadsInput(kernel, old) && IsOldOf(root, old));
}

}  // namespace tilewise
