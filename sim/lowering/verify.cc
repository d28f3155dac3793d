// Checks a graph between two passes.

#include "sim/lowering/verify.h"

#include <vector>

#include <fmt/format.h>

#include "graph/shape_inference.h"

namespace tilewise {
namespace {

absl::Status Broken(const Op& op, const std::string& what) {
  return absl::InternalError(fmt::format("op {} {}", op.name, what));
}

absl::Status VerifyOp(const Graph& graph, const Op& op, std::vector<const Shape*>& shapes) {
  shapes.clear();
  for (const OpId operand : op.operands) {
    if (operand < 0 || operand >= op.id) {
      return Broken(op, fmt::format("has operand {}, expected 0 to {}", operand, op.id - 1));
    }
    shapes.push_back(&graph.op(operand).shape);
  }
  const absl::StatusOr<Shape> shape = InferShape(op, shapes);
  if (!shape.ok()) return Broken(op, Message(shape.status()));
  if (*shape == op.shape && shape->is_static()) return absl::OkStatus();
  return Broken(op, fmt::format("has {}, expected {}", FormatShape(op.shape), FormatShape(*shape)));
}

absl::Status VerifyOutput(const Graph& graph, const Output& output) {
  const auto exists = [&](OpId id) { return id >= 0 && id < graph.size(); };
  if (!exists(output.value)) {
    return absl::InternalError(
        fmt::format("an output has value {}, expected 0 to {}", output.value, graph.size() - 1));
  }
  if (output.role != Output::Role::kState) return absl::OkStatus();
  const Op& value = graph.op(output.value);
  if (!exists(output.variable) || graph.op(output.variable).kind != OpKind::kVariable) {
    return Broken(value, "is the state of no variable");
  }
  const Op& variable = graph.op(output.variable);
  if (variable.shape == value.shape) return absl::OkStatus();
  return Broken(value, fmt::format("is the state of {}, which has {}", variable.name,
                                   FormatShape(variable.shape)));
}

}  // namespace

absl::Status VerifyGraph(const Graph& graph) {
  std::vector<const Shape*> shapes;
  for (OpId id = 0; id < graph.size(); ++id) {
    const Op& op = graph.op(id);
    if (op.id != id) {
      return Broken(op, fmt::format("has id {}, expected {}", op.id, id));
    }
    TW_RETURN_IF_ERROR(VerifyOp(graph, op, shapes));
  }
  for (const Output& output : graph.outputs()) {
    TW_RETURN_IF_ERROR(VerifyOutput(graph, output));
  }
  return absl::OkStatus();
}

}  // namespace tilewise
