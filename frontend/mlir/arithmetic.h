// Instructions of arithmetic on arrays of one shape, for functions that are
// written out.

#pragma once

#include <utility>

#include "frontend/mlir/body.h"

namespace tilewise::mlir {

class Arithmetic {
 public:
  Arithmetic(Body& body, const Operation& op, hlo::HloShape shape)
      : body_(body), op_(op), shape_(std::move(shape)) {}

  const hlo::HloShape& shape() const { return shape_; }
  Index Number(double value) { return body_.Constant(op_, value, shape_); }
  Index Do(hlo::Opcode opcode, Index x) {
    return body_.Make(op_, opcode, shape_, {x});
  }
  Index Do(hlo::Opcode opcode, Index x, Index y) {
    return body_.Make(op_, opcode, shape_, {x, y});
  }
  Index Compare(Comparison comparison, Index x, Index y) {
    hlo::Instruction compare;
    compare.opcode = hlo::Opcode::kCompare;
    compare.comparison = comparison;
    compare.shape = shape_;
    compare.shape.dtype = DType::kPred;
    compare.operands = {x, y};
    return body_.Add(op_, std::move(compare));
  }
  Index Select(Index pred, Index x, Index y) {
    return body_.Make(op_, hlo::Opcode::kSelect, shape_, {pred, x, y});
  }

 private:
  Body& body_;
  const Operation& op_;
  hlo::HloShape shape_;
};

}  // namespace tilewise::mlir
