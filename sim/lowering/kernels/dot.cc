// Dot: batched matrix product on the matrix unit. A product with a vector does
// too little per byte for the array; it runs as multiply and reduce on the
// vector unit (dot strength reduction, tpu-lowering 4).

#include <algorithm>

#include "sim/lowering/kernels/matmul.h"
#include "sim/lowering/kernels/op_work.h"

namespace tilewise {
namespace {

int64_t Product(const Shape& shape, const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= shape.size(dim);
  return product;
}

}  // namespace

OpWork LowerDot(const OpContext& context, const Op& op) {
  const Op& lhs = context.operand(op, 0);
  const Op& rhs = context.operand(op, 1);
  const DotDims& dims = op.attrs->dot;
  const int64_t batch = Product(lhs.shape, dims.lhs_batch);
  const int64_t k = Product(lhs.shape, dims.lhs_contract);
  OpWork work;
  if (lhs.shape.elements() == 0 || rhs.shape.elements() == 0) return work;
  const int64_t m = lhs.shape.elements() / (batch * k);
  const int64_t n = rhs.shape.elements() / (batch * k);
  if (m > 1 && n > 1 && k > 1) {
    work.matrix =
        MatrixProduct(batch, m, k, n, op.attrs->precision_passes, context.chip);
    work.matrix.rate =
        MatrixRate(lhs.shape.dtype, rhs.shape.dtype, context.chip);
    return work;
  }
  // Multiply and add over the largest of the three values.
  const double registers = std::max(
      {context.registers(lhs), context.registers(rhs), context.registers(op)});
  work.vector.alu = 2 * registers;
  if (k > 1) work.vector.cross_lane = context.registers(op);
  return work;
}

}  // namespace tilewise
