// Dot: batched matmul on the matrix unit. A matrix-vector multiplication does
// too little per byte for the array; it runs as multiply and reduce on the
// vector unit (dot strength reduction, tpu-lowering 4).

#include <algorithm>
#include <utility>

#include "base/math.h"
#include "graph/moments.h"
#include "graph/ops/dims.h"
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

bool AcceptsMatmul(const Graph&, const Op& op, const DimOrder& order) {
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

// Returns, for each dim of a reshape, the dims of its operand that were merged
// into it; empty when it does more than merge.
std::vector<std::vector<int64_t>> MergedDims(const Shape& from, const Shape& to) {
  std::vector<std::vector<int64_t>> merged;
  int64_t next = 0;
  for (const Dim& dim : to.dims) {
    std::vector<int64_t>& group = merged.emplace_back();
    int64_t product = 1;
    while (next < from.rank() && (group.empty() || product < dim.factor)) {
      product *= from.size(next);
      group.push_back(next++);
    }
    if (group.empty() || product != dim.factor) return {};
  }
  if (next != from.rank()) return {};
  return merged;
}

// One operand of a dot and what it was reshaped from; the value itself when
// nothing was merged.
struct Unmerged {
  OpId source = kNoOp;
  std::vector<std::vector<int64_t>> dims;  // of the source, by dim of the operand
};

Unmerged AsItIs(const Op& x) {
  Unmerged none = {x.id, {}};
  for (int64_t dim = 0; dim < x.shape.rank(); ++dim) none.dims.push_back({dim});
  return none;
}

Unmerged UnmergedOperand(const Simplifier& s, OpId id) {
  const Op& x = s.op(id);
  if (x.kind == OpKind::kReshape) {
    Unmerged found = {x.operands[0], MergedDims(s.shape(x.operands[0]), x.shape)};
    if (!found.dims.empty()) return found;
  }
  return AsItIs(x);
}

// The dims of the source that `dims` of the operand were made of, while those
// of both operands, which the dot contracts together, are of equal sizes.
struct MetDims {
  std::vector<int64_t> lhs, rhs;
};
std::optional<MetDims> Met(const Simplifier& s, const Unmerged& lhs, const Unmerged& rhs,
                           const std::vector<int64_t>& of_lhs, const std::vector<int64_t>& of_rhs) {
  MetDims met;
  for (size_t i = 0; i < of_lhs.size(); ++i) {
    const std::vector<int64_t>& left = lhs.dims[of_lhs[i]];
    const std::vector<int64_t>& right = rhs.dims[of_rhs[i]];
    if (left.size() != right.size()) return std::nullopt;
    for (size_t k = 0; k < left.size(); ++k) {
      if (s.shape(lhs.source).size(left[k]) != s.shape(rhs.source).size(right[k])) {
        return std::nullopt;
      }
    }
    met.lhs.insert(met.lhs.end(), left.begin(), left.end());
    met.rhs.insert(met.rhs.end(), right.begin(), right.end());
  }
  return met;
}

std::vector<int64_t> SizesAboveOne(const Simplifier& s, const Unmerged& operand, int64_t dim) {
  std::vector<int64_t> sizes;
  for (const int64_t of_source : operand.dims[dim]) {
    const int64_t size = s.shape(operand.source).size(of_source);
    if (size > 1) sizes.push_back(size);
  }
  return sizes;
}

// Rows of both operands are summed, and those of one were merged: the other one
// is taken apart alike, where it is a reshape anyway. One that merges the same
// rows, but with dims of size 1 among them or other dims too, does that alone.
void UnmergeAlike(Simplifier& s, const Op& op, const Unmerged& other, int64_t other_dim,
                  size_t operand, int64_t dim, Unmerged& mine) {
  const std::vector<int64_t>& merged = other.dims[other_dim];
  const Op& x = s.op(op.operands[operand]);
  if (merged.size() < 2 || x.kind != OpKind::kReshape) return;
  if (mine.source != x.id) {
    const auto alone = [&](const auto& dims) {
      return &dims == &mine.dims[dim] || dims.size() == 1;
    };
    const bool is_alike =
        merged.size() == mine.dims[dim].size() && std::ranges::all_of(mine.dims, alone);
    if (is_alike || SizesAboveOne(s, other, other_dim) != SizesAboveOne(s, mine, dim)) return;
    mine = AsItIs(x);
  }
  Shape shape = x.shape;
  const auto at = shape.dims.begin() + dim;
  std::vector<Dim> parts;
  parts.reserve(merged.size());
  for (const int64_t part : merged) {
    parts.push_back(s.shape(other.source).dims[part]);
  }
  shape.dims.insert(shape.dims.erase(at), parts.begin(), parts.end());
  const int64_t more = static_cast<int64_t>(parts.size()) - 1;
  mine.source = s.Emit(x, OpKind::kReshape, {x.operands[0]}, shape);
  for (int64_t i = static_cast<int64_t>(mine.dims.size()) - 1; i > dim; --i) {
    mine.dims[i][0] += more;
  }
  for (int64_t i = 1; i <= more; ++i) mine.dims[dim].push_back(dim + i);
}

// Rows that were merged before a matmul and are taken apart behind it, as
// tensordot does, and the same rows summed in the gradient of the weights. The
// matrix unit takes any number of free and of contracted dims.
OpId UnmergeRows(Simplifier& s, const Op& op) {
  const auto& dot = op.as<DotAttrs>();
  Unmerged lhs = UnmergedOperand(s, op.operands[0]);
  Unmerged rhs = UnmergedOperand(s, op.operands[1]);
  if (dot.lhs_contract.size() == 1) {
    UnmergeAlike(s, op, lhs, dot.lhs_contract[0], 1, dot.rhs_contract[0], rhs);
    UnmergeAlike(s, op, rhs, dot.rhs_contract[0], 0, dot.lhs_contract[0], lhs);
  }
  if (lhs.source == op.operands[0] && rhs.source == op.operands[1]) return kNoOp;
  const auto batch = Met(s, lhs, rhs, dot.lhs_batch, dot.rhs_batch);
  const auto contract = Met(s, lhs, rhs, dot.lhs_contract, dot.rhs_contract);
  if (!batch || !contract || !dot.blocks.empty()) return kNoOp;
  Shape shape(op.shape.dtype, {});
  const auto add = [&](const Unmerged& operand, const std::vector<int64_t>& dims) {
    for (const int64_t dim : dims) {
      shape.dims.push_back(s.shape(operand.source).dims[dim]);
    }
  };
  add(lhs, batch->lhs);
  add(lhs, OtherDims(s.shape(lhs.source).rank(), JoinedDims(batch->lhs, contract->lhs)));
  add(rhs, OtherDims(s.shape(rhs.source).rank(), JoinedDims(batch->rhs, contract->rhs)));
  const Op* user = s.OnlyUserOfSwept();
  const bool is_undone =
      user != nullptr && user->kind == OpKind::kReshape && user->shape.dims == shape.dims;
  if (shape.dims != op.shape.dims && !is_undone) return kNoOp;
  DotAttrs attrs = dot;
  static_cast<DotDims&>(attrs) = {batch->lhs, batch->rhs, contract->lhs, contract->rhs};
  const OpId product = s.Emit(op, OpKind::kDot, {lhs.source, rhs.source}, shape, std::move(attrs));
  return s.Emit(op, OpKind::kReshape, {product}, op.shape);
}

// A dot that contracts nothing, and one operand of which has no dims but those of the batch, is a
// product of elements: einsum("i...k,k->i...k") of a norm's scale.
OpId AsProductOfElements(Simplifier& s, const Op& op) {
  const auto& dot = op.as<DotAttrs>();
  if (!dot.lhs_contract.empty() || !dot.blocks.empty()) return kNoOp;
  const size_t narrow = s.shape(op.operands[1]).rank() == std::ssize(dot.rhs_batch) ? 1 : 0;
  const std::vector<int64_t>& of_narrow = narrow == 1 ? dot.rhs_batch : dot.lhs_batch;
  const std::vector<int64_t>& of_wide = narrow == 1 ? dot.lhs_batch : dot.rhs_batch;
  if (s.shape(op.operands[narrow]).rank() != std::ssize(of_narrow)) return kNoOp;
  BroadcastAttrs spread;
  spread.dims.resize(of_narrow.size());
  for (size_t i = 0; i < of_narrow.size(); ++i) spread.dims[of_narrow[i]] = of_wide[i];
  if (!std::ranges::is_sorted(spread.dims)) return kNoOp;
  const auto converted = [&](size_t operand) {
    Shape shape = s.shape(op.operands[operand]);
    if (shape.dtype == op.shape.dtype) return op.operands[operand];
    shape.dtype = op.shape.dtype;
    return s.Emit(op, OpKind::kConvert, {op.operands[operand]}, shape);
  };
  const OpId wide = converted(1 - narrow);
  const Shape shape = s.shape(wide);
  const OpId factor = s.Emit(op, OpKind::kBroadcast, {converted(narrow)}, shape, std::move(spread));
  const OpId product = s.Emit(op, OpKind::kMultiply, {wide, factor}, shape);
  TransposeAttrs order = {JoinedDims(of_wide, OtherDims(shape.rank(), of_wide))};
  if (std::ranges::is_sorted(order.dims)) return product;
  return s.Emit(op, OpKind::kTranspose, {product}, op.shape, std::move(order));
}

OpId SimplifyMatmul(Simplifier& s, const Op& op) {
  const OpId product = AsProductOfElements(s, op);
  if (product != kNoOp) return product;
  const OpId plain = SimplifyDot(s, op);
  return plain != kNoOp ? plain : UnmergeRows(s, op);
}

}  // namespace

constexpr LoweringTraits lowering_traits::kDot = {.simplify = SimplifyMatmul,
                                                  .accepts_operand = AcceptsFactor,
                                                  .accepts_result = AcceptsMatmul,
                                                  .work = DotWork};

}  // namespace tilewise
