// Dot: batched matrix product on the matrix unit. A product with a vector does
// too little per byte for the array; it runs as multiply and reduce on the
// vector unit (dot strength reduction, tpu-lowering 4).

#include <algorithm>
#include <utility>

#include "base/math.h"
#include "graph/moments.h"
#include "sim/lowering/kernels/matmul.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {
namespace {

int64_t SizeOf(const Shape& shape, const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= shape.size(dim);
  return product;
}

struct MatmulSizes {
  int64_t batch = 1, m = 1, k = 1, n = 1;
};

int64_t InWholeBlocks(int64_t features, int64_t block) {
  return RoundUp(features, std::min(features, block));
}

// The cores of a device share out the blocks of the result's features, and the
// one with more of them decides (first dim of the kernel's grid, "parallel").
int64_t InSharedBlocks(int64_t features, int64_t block, int64_t cores) {
  block = std::min(features, block);
  return RoundUp(CeilDiv(features, block), cores) * block;
}

// What a hand-written kernel multiplies. Its blocks of rows are laid over all
// groups; one in which a group ends and the next begins is multiplied for both
// (MegaBlocks, Gale et al., 2022, and its TPU kernel), which comes to a block
// more for every group but the last. The last blocks of features are whole.
MatmulSizes InBlocks(const Op& op, MatmulSizes sizes, const Chip& chip) {
  const auto& attrs = op.as<DotAttrs>();
  const std::vector<int64_t>& blocks = attrs.blocks;
  if (blocks.empty()) return sizes;
  const DotDims& dims = attrs;
  const int64_t rows = blocks[0];
  const int64_t depth = blocks[1];
  const int64_t more = rows - rows / sizes.batch;
  const bool contracts_rows =
      dims.lhs_contract == std::vector<int64_t>{static_cast<int64_t>(dims.lhs_batch.size())};
  sizes.n = InSharedBlocks(sizes.n, blocks[2], chip.tensor_cores_per_device);
  sizes.m = contracts_rows ? InWholeBlocks(sizes.m, depth) : sizes.m + more;
  sizes.k = contracts_rows ? sizes.k + more : InWholeBlocks(sizes.k, depth);
  return sizes;
}

OpWork DotWork(const OpContext& context, const Op& op) {
  const auto& attrs = op.as<DotAttrs>();
  const Op& lhs = context.operand(op, 0);
  const Op& rhs = context.operand(op, 1);
  const DotDims& dims = attrs;
  const int64_t batch = SizeOf(lhs.shape, dims.lhs_batch);
  const int64_t k = SizeOf(lhs.shape, dims.lhs_contract);
  OpWork work;
  if (lhs.shape.elements() == 0 || rhs.shape.elements() == 0) return work;
  const int64_t m = lhs.shape.elements() / (batch * k);
  const int64_t n = rhs.shape.elements() / (batch * k);
  if (m > 1 && n > 1 && k > 1) {
    const MatmulSizes padded = InBlocks(op, {.batch = batch, .m = m, .k = k, .n = n}, context.chip);
    work.matrix =
        MatrixProduct(batch, padded.m, padded.k, padded.n, attrs.precision_passes, context.chip);
    work.matrix.useful_flops = 2.0 * static_cast<double>(batch) * static_cast<double>(m) *
                               static_cast<double>(k) * static_cast<double>(n);
    work.matrix.rate = MatrixRate(lhs.shape.dtype, rhs.shape.dtype, context.chip);
    return work;
  }
  // Multiply and add over the largest of the three values.
  const double registers =
      std::max({context.registers(lhs), context.registers(rhs), context.registers(op)});
  work.vector.alu = 2 * registers;
  if (k > 1) work.vector.cross_lane = context.registers(op);
  return work;
}

bool TilesNone(const DimOrder& order, const std::vector<int64_t>& dims) {
  for (size_t i = 0; i < 2 && i < order.size(); ++i) {
    if (std::find(dims.begin(), dims.end(), order[i]) != dims.end()) {
      return false;
    }
  }
  return true;
}

bool TilesOneOf(const DimOrder& order, const std::vector<int64_t>& dims) {
  return dims.empty() || !TilesNone(order, dims);
}

bool AcceptsFactor(const Op& op, size_t index, const DimOrder& order) {
  const DotDims& dot = op.as<DotAttrs>();
  if (order.size() < 3) return true;
  return TilesNone(order, index == 0 ? dot.lhs_batch : dot.rhs_batch) &&
         TilesOneOf(order, index == 0 ? dot.lhs_contract : dot.rhs_contract);
}

bool AcceptsProduct(const Op& op, const DimOrder& order) {
  for (size_t i = 0; i < op.as<DotAttrs>().lhs_batch.size(); ++i) {
    if (!TilesNone(order, {static_cast<int64_t>(i)})) return order.size() < 3;
  }
  return true;
}

// A transposed operand of a dot, when its free dims keep their order.
OpId SimplifyDot(Simplifier& s, const Op& op) {
  for (size_t i = 0; i < 2; ++i) {
    const Op& x = s.op(op.operands[i]);
    if (x.kind != OpKind::kTranspose) continue;
    DotAttrs attrs = op.as<DotAttrs>();
    std::vector<int64_t>& batch = i == 0 ? attrs.lhs_batch : attrs.rhs_batch;
    std::vector<int64_t>& contract = i == 0 ? attrs.lhs_contract : attrs.rhs_contract;
    std::vector<int64_t> used = batch;
    used.insert(used.end(), contract.begin(), contract.end());
    const std::vector<int64_t> free =
        ComposedDims(x.as<TransposeAttrs>().dims, OtherDims(x.shape.rank(), used));
    if (!std::is_sorted(free.begin(), free.end())) continue;
    batch = ComposedDims(x.as<TransposeAttrs>().dims, batch);
    contract = ComposedDims(x.as<TransposeAttrs>().dims, contract);
    std::vector<OpId> operands = op.operands;
    operands[i] = x.operands[0];
    return s.Emit(op, OpKind::kDot, std::move(operands), op.shape, std::move(attrs));
  }
  return kNoOp;
}

}  // namespace

constexpr LoweringTraits lowering_traits::kDot = {.simplify = SimplifyDot,
                                                  .accepts_operand = AcceptsFactor,
                                                  .accepts_result = AcceptsProduct,
                                                  .work = DotWork};

}  // namespace tilewise
