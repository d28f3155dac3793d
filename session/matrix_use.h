// How well the kernels of one op of the model fill the matrix units.

#pragma once

#include <string>
#include <vector>

#include "session/facts.h"

namespace tilewise {

// Summed over the forward and backward kernels of an op, per step and core.
struct MatrixUse {
  double useful_flops = 0;
  double padded_flops = 0;
  Seconds time;
  // What full tiles would save: matrix time spent on padding and not hidden
  // behind the vector unit or HBM.
  Seconds avoidable;
  double fill() const { return padded_flops > 0 ? useful_flops / padded_flops : 1; }
};
MatrixUse MatrixUseOf(const Facts& facts, OpId op);
MatrixUse MatrixUseOfStep(const Facts& facts);

// A dim of the matmul that an op is, as the array sees it.
struct MatrixDim {
  std::string name;  // "output features"
  int64_t size = 0;
  int64_t padded = 0;  // as the array takes it
  // This is where another size would be set: an operand of the op and one of
  // its dims. kNoOp: several dims make it up, or examples and positions.
  OpId value = kNoOp;
  int64_t dim = 0;
  double fill() const {
    return padded > 0 ? static_cast<double>(size) / static_cast<double>(padded) : 1;
  }
};
// Features in, features out and rows, in this order. Rows (examples x
// positions) stream past the array in the forward pass; in training the
// gradient of the weights contracts them, so they lie on a side of it as the
// features do. The rows of an inference convolution are left out: only their
// examples are padded (AL002).
std::vector<MatrixDim> ArrayDims(const Graph& graph, const Op& op, const Chip& chip, bool training);

}  // namespace tilewise
