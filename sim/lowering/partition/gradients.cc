// What depends on examples or random numbers differs between cores, unless it
// was summed over all that have their own.

#include "sim/lowering/partition/gradients.h"

#include <algorithm>

#include "hardware/mesh.h"

namespace tilewise {
namespace {

bool SumsOverData(const Op& op) {
  if (op.kind != OpKind::kAllReduce && op.kind != OpKind::kReduceScatter) {
    return false;
  }
  const std::string& axis = op.as<CollectiveAttrs>().axis;
  return axis.empty() || Covers(axis, MeshAxis::kData);
}

std::vector<bool> FindVarying(const Graph& graph) {
  std::vector<bool> varying(graph.size(), false);
  for (const Op& op : graph.ops()) {
    bool varies = op.kind == OpKind::kParameter || ClassOf(op.kind) == OpClass::kRandom;
    for (const OpId operand : op.operands) {
      varies = varies || varying[operand];
    }
    varying[op.id] = varies && !SumsOverData(op);
  }
  return varying;
}

}  // namespace

std::vector<bool> FindUnsummedGradients(const Graph& graph) {
  const std::vector<bool> varying = FindVarying(graph);
  std::vector<bool> gradients(varying.size(), false);
  for (const Op& op : graph.ops()) {
    if (op.phase != Phase::kUpdate) continue;
    for (const OpId operand : op.operands) {
      const bool outside = graph.op(operand).phase != Phase::kUpdate;
      if (outside && varying[operand]) {
        gradients[operand] = true;
      }
    }
  }
  return gradients;
}

bool IsCarry(const Op& op) {
  return op.kind == OpKind::kBarrier && op.phase == Phase::kBackward && op.operands.size() == 1;
}

std::vector<OpId> FindWeightsOfGradients(const Graph& graph) {
  std::vector<OpId> weights(graph.size(), kNoOp);
  std::vector<bool> seen(weights.size(), false);
  for (const Output& output : graph.outputs()) {
    if (output.role != Output::Role::kState) continue;
    const Op& weight = graph.op(output.variable);
    if (!weight.as<VariableAttrs>().trainable) continue;
    std::vector<OpId> open = {output.value};
    while (!open.empty()) {
      const Op& op = graph.op(open.back());
      open.pop_back();
      if (op.kind == OpKind::kVariable || op.shape.rank() == 0) continue;
      if (op.phase != Phase::kUpdate) {
        if (op.phase != Phase::kBackward || op.shape.dims != weight.shape.dims) continue;
        weights[op.id] = weight.id;
        for (const OpId term : op.operands) {
          if (IsCarry(op) || IsCarry(graph.op(term))) open.push_back(term);
        }
        continue;
      }
      if (seen[op.id]) continue;
      seen[op.id] = true;
      open.insert(open.end(), op.operands.begin(), op.operands.end());
    }
  }
  return weights;
}

bool IsAddedUp(const Graph& graph, const Op& gradient) {
  const auto users = graph.users(gradient.id);
  return std::all_of(users.begin(), users.end(), [&](OpId id) {
    const Op& user = graph.op(id);
    const bool adds = user.kind == OpKind::kAdd || IsCarry(user);
    return user.phase == Phase::kUpdate || (adds && IsAddedUp(graph, user));
  });
}

bool IsForUpdate(const Graph& graph, const Op& gradient) {
  const auto users = graph.users(gradient.id);
  return std::all_of(users.begin(), users.end(), [&](OpId id) {
    const Op& user = graph.op(id);
    const bool adds = user.kind == OpKind::kAdd || user.kind == OpKind::kConvert || IsCarry(user);
    return user.phase == Phase::kUpdate || (adds && IsForUpdate(graph, user));
  });
}

bool IsWidening(const Graph& graph, const Op& op) {
  if (op.kind != OpKind::kConvert) return false;
  const DType from = graph.operand(op, 0).shape.dtype;
  return IsFloat(from) && IsFloat(op.shape.dtype) && BitWidth(from) < BitWidth(op.shape.dtype);
}

}  // namespace tilewise
