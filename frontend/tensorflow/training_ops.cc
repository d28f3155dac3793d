// Tells updates of variables from their initialisation.

#include "frontend/tensorflow/training_ops.h"

namespace tilewise::tf {
bool IsOptimizerUpdate(std::string_view op) {
  for (const std::string_view start :
       {"Apply", "ResourceApply", "SparseApply", "ResourceSparseApply"}) {
    if (op.starts_with(start)) return true;
  }
  return false;
}

bool UpdatesVariable(const NodeDef& node) {
  if (IsOptimizerUpdate(node.op)) return true;
  if (node.op == "AssignAdd" || node.op == "AssignSub" || node.op == "AssignAddVariableOp" ||
      node.op == "AssignSubVariableOp" || node.op.starts_with("ScatterAdd") ||
      node.op.starts_with("ScatterSub") || node.op.starts_with("ResourceScatter")) {
    return true;
  }
  // Plain assignments: those of moving averages, whose values are computed.
  if (node.op == "AssignVariableOp" || node.op == "Assign") {
    return Contains(node.name, "AssignMovingAvg") || Contains(node.name, "ssignNewValue");
  }
  return false;
}

}  // namespace tilewise::tf
