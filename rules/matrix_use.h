// How well the kernels of one op of the model fill the matrix units.

#pragma once

#include <string>
#include <vector>

#include "rules/rule.h"

namespace tilewise {

// Summed over the forward and backward kernels of an op, per step and core.
struct MatrixUse {
  double useful_flops = 0;
  double padded_flops = 0;
  Seconds time;
  // What full tiles would save: matrix time spent on padding and not hidden
  // behind the vector unit or HBM.
  Seconds avoidable;
  double fill() const {
    return padded_flops > 0 ? useful_flops / padded_flops : 1;
  }
};
MatrixUse MatrixUseOf(const Facts& facts, OpId op);
MatrixUse MatrixUseOfStep(const Facts& facts);

// A dim of the matrix product that an op is, as the array sees it.
struct MatrixDim {
  std::string name;  // "output features"
  int64_t size = 0;
};
// The contracted dim and the output dim that are laid on the array's sides.
std::vector<MatrixDim> ArrayDims(const Graph& graph, const Op& op);

}  // namespace tilewise
