// Looks for gradients and updates in a module and its graph.

#include "frontend/hlo/trained.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"

namespace tilewise::hlo {
namespace {

constexpr int kMaxMoves = 8;

bool NamesGradient(std::string_view op_name) {
  for (const std::string_view word : {"transpose(jvp", "gradients/", "gradient_tape/", "vjp("}) {
    if (op_name.find(word) != std::string_view::npos) return true;
  }
  return false;
}

bool HasGradientInstructions(const Module& module) {
  for (const Computation& computation : module.computations) {
    for (const Instruction& i : computation.instructions) {
      if (i.opcode == Opcode::kBatchNormGrad || i.opcode == Opcode::kSelectAndScatter ||
          NamesGradient(i.metadata.op_name)) {
        return true;
      }
    }
  }
  return false;
}

bool IsFloatArray(const Shape& shape) { return IsFloat(shape.dtype) && shape.rank() >= 1; }

// A move or conversion, after which it is the same variable.
bool Moves(OpKind kind) {
  return kind == OpKind::kConvert || kind == OpKind::kReshape || kind == OpKind::kTranspose ||
         kind == OpKind::kBarrier || kind == OpKind::kCopy;
}

// Whether a use of `id` is one that only weights have.
bool UsedAsWeight(const Graph& graph, OpId id, int moves) {
  for (const OpId user : graph.users(id)) {
    const Op& op = graph.op(user);
    if (Moves(op.kind)) {
      if (moves < kMaxMoves && UsedAsWeight(graph, user, moves + 1)) {
        return true;
      }
      continue;
    }
    const OpClass kind = ClassOf(op.kind);
    if (kind != OpClass::kElementwise && kind != OpClass::kReduce && kind != OpClass::kCollective &&
        kind != OpClass::kOpaque) {
      return true;
    }
  }
  return false;
}

}  // namespace

StepKind StepOf(const Module& module, const Graph& graph) {
  const bool has_gradients = std::any_of(graph.ops().begin(), graph.ops().end(), [](const Op& op) {
    return op.kind == OpKind::kConvKernelGrad || op.kind == OpKind::kFlashAttentionGrad;
  });
  if (has_gradients || HasGradientInstructions(module)) {
    return StepKind::kTrainingStep;
  }
  const bool updates =
      std::any_of(graph.outputs().begin(), graph.outputs().end(), [&](const Output& out) {
        return out.role == Output::Role::kState && IsFloatArray(graph.op(out.variable).shape) &&
               ClassOf(graph.op(out.value).kind) == OpClass::kElementwise;
      });
  return updates ? StepKind::kTrainingStep : StepKind::kInference;
}

absl::StatusOr<Graph> MarkTrainable(Graph graph, StepKind step) {
  std::vector<bool> written(graph.size(), false);
  for (const Output& output : graph.outputs()) {
    if (output.role != Output::Role::kState) continue;
    written[output.variable] = true;
  }
  std::vector<OpId> frozen;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kVariable || !op.as<VariableAttrs>().trainable) continue;
    const bool trains =
        step == StepKind::kTrainingStep ? UsedAsWeight(graph, op.id, 0) : !written[op.id];
    if (!trains || !IsFloatArray(op.shape)) frozen.push_back(op.id);
  }
  if (frozen.empty()) return graph;
  std::string name = graph.name();
  std::vector<Output> outputs = graph.outputs();
  OpList ops = std::move(graph).TakeOps();
  for (const OpId id : frozen) {
    ops[id].attrs = VariableAttrs{false};
  }
  return GraphBuilder::Assemble(std::move(name), std::move(ops), std::move(outputs));
}

}  // namespace tilewise::hlo
