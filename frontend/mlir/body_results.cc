// What a body leaves: its results and the computation that has them.

#include <utility>

#include "frontend/mlir/body.h"

namespace tilewise::mlir {

using hlo::HloShape;
using hlo::Instruction;
using hlo::Opcode;

void Body::TakeLeftovers() {
  if (!results_.empty()) return;
  results_ = used_up_;
  if (!results_.empty()) return;
  std::vector<bool> used(computation_.instructions.size(), false);
  for (const Instruction& made : computation_.instructions) {
    for (Index operand : made.operands) used[operand] = true;
  }
  for (size_t i = 0; i < used.size(); ++i) {
    const Instruction& made = computation_.instructions[i];
    if (!used[i] && made.opcode != Opcode::kParameter && made.opcode != Opcode::kConstant &&
        made.shape.kind == HloShape::Kind::kArray) {
      results_.push_back(static_cast<Index>(i));
    }
  }
}

hlo::Computation Body::Build(std::string_view name, bool as_tuple) {
  computation_.name = name;
  if (results_.size() == 1 && !as_tuple) {
    computation_.root = results_[0];
    return std::move(computation_);
  }
  Instruction root;
  root.opcode = Opcode::kTuple;
  root.name = "results";
  std::vector<HloShape> shapes;
  shapes.reserve(results_.size());
  for (Index result : results_) shapes.push_back(shape(result));
  root.shape = TupleShape(std::move(shapes));
  root.operands = results_;
  computation_.instructions.push_back(std::move(root));
  computation_.root = static_cast<int32_t>(computation_.instructions.size() - 1);
  return std::move(computation_);
}

}  // namespace tilewise::mlir
